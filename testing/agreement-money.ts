import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { composeCollection } from '../src/app/compose/collection.ts';
import { DAY } from '../src/kernel/calendar.ts';
import { agreedRest } from '../src/modules/agreements/rules/agreement-state.ts';
import type { ReportedState } from '../src/modules/debts/rules/debt-payments.ts';
import { debtNow } from '../src/modules/debts/use-cases/clock.ts';
import { owedNow } from '../src/modules/debts/use-cases/owed.ts';
import { readCharge } from '../src/modules/payments/queries/charges.ts';
import { endAgreement, lockAgreement } from '../src/modules/payments/use-cases/agreement-money.ts';
import { applyAnswer } from '../src/modules/payments/use-cases/apply-answer.ts';
import { cancelAgreement } from '../src/modules/payments/use-cases/cancel-agreement.ts';
import { findOrMakeCharge, type LiveCharge } from '../src/modules/payments/use-cases/find-or-make-charge.ts';
import { settleDebt } from '../src/modules/payments/use-cases/settle-debt.ts';
import { keptCentavos } from '../src/modules/terms/rules/credits.ts';
import { loadConfig } from '../src/platform/config/index.ts';
import { openDatabase } from '../src/platform/database/database.ts';
import type { Tx } from '../src/platform/database/tx.ts';
import { createLogger } from '../src/platform/runtime/logger.ts';
import { agreementChecks } from './agreement-checks.ts';
import { startAgreements } from './agreements.ts';
import { SECRETS } from './app.ts';
import { startCampaignsApp, type TestClient } from './campaigns-app.ts';
import type { DebtInput } from './debts.ts';
import { TERMS } from './late-payment-terms.ts';
import { type CodePayment, type MoneyDeed, reportOfCode } from './money-deeds.ts';
import { opened } from './opened.ts';

interface Given {
  readonly debts: readonly Partial<DebtInput>[];
  readonly withTerms: boolean;
  readonly instalments: number;
  readonly afterBreach: 'restore' | 'keep';
  /** Without one, the policy of the other suites. */
  readonly policy?: object;
}

/** Makes agreements whose money moves in every way, with a bank that books it by itself. No workflow runs. */
export async function startAgreementMoney() {
  const app = await opened(startCampaignsApp());
  const agreements = await startAgreements(app);
  const db = await opened(openDatabase({ url: app.database.url, role: 'quita_worker', poolSize: 20 }));
  const config = loadConfig({ NODE_ENV: 'test', ...SECRETS }, { roles: ['worker'] });
  const collection = composeCollection(config, db, createLogger({ level: 'silent' }), () => null, {} as never);
  const deps = collection.payments;
  const clients = { plain: await app.newClient(), charging: await app.newClient() };
  expect((await clients.charging.call('PUT', '/api/terms', TERMS)).status).toBe(201);
  let clock = 1_000;

  /** Makes the code of each debt. */
  async function codesOf(clientId: string, debtIds: readonly string[]): Promise<LiveCharge[]> {
    const codes: LiveCharge[] = [];
    for (const debtId of debtIds) codes.push((await findOrMakeCharge(deps)({ clientId, debtId }))!);
    return codes;
  }

  /** Hears what the bank answers about a code. */
  async function hearOf(
    clientId: string,
    payment: Pick<CodePayment, 'code' | 'paidAt'>,
    state: ReportedState,
  ): Promise<void> {
    const { code } = payment;
    const charge = (await db.tenant(clientId).transactional((tx) => readCharge(tx, code.id)))!;
    const momentOf = ({ clockOffsetMs }: { readonly clockOffsetMs: number }) => debtNow(clockOffsetMs, Date.now());
    const of = { clientId, debtId: charge.debtId, chargeId: code.id };
    await applyAnswer(deps, of, reportOfCode(payment, state), momentOf);
  }

  const payCode = (clientId: string, code: LiveCharge): Promise<void> =>
    hearOf(
      clientId,
      { code, paidAt: null },
      { paidCentavos: code.amountCentavos, refundedCentavos: 0, chargedBack: false, at: clock++ },
    );

  async function agree(given: Given) {
    const client: TestClient = given.withTerms ? clients.charging : clients.plain;
    const clientId = client.id;
    const inClient = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => db.tenant(clientId).transactional(work);
    const person = await agreements.newPerson(client, [given.debts], given.policy);
    const codes: LiveCharge[] = [];
    codes.push(...(await codesOf(clientId, person.ids)));
    const { items } = (await client.call('GET', `/api/debts/${person.ids[0]}/offers`)).body;
    const wanted =
      items.find((one: { instalments: unknown[] }) => one.instalments.length === given.instalments) ??
      items[given.policy === undefined ? 0 : given.instalments % items.length];
    const agreementId = await agreements.accept(clientId, person.ids[0]!, wanted.number);
    await app.query('update agreements set after_breach = $2 where id = $1', [agreementId, given.afterBreach]);
    const payments: CodePayment[] = [];
    let recorded = 0;
    const inBank = () =>
      recorded + payments.reduce((sum, { states, heard }) => sum + (heard < 0 ? 0 : keptCentavos(states[heard]!)), 0);
    const checks = await agreementChecks({ app, deps, client, agreementId, inBank });
    const { accepted, read, debtsNow, quoted, check, checkReceipts, totals, state, end, shown } = checks;
    const source = { ip: '127.0.0.1', by: 'session' as const };

    const hear = (payment: CodePayment, which: number) => hearOf(clientId, payment, payment.states[which]!);
    const hearNewest = async (payment: CodePayment): Promise<void> => {
      payment.heard = payment.states.length - 1;
      await hear(payment, payment.heard);
    };
    const at = <One>(all: readonly One[], index: number): One | undefined => all[index % Math.max(1, all.length)];
    const change = async (
      payment: CodePayment | undefined,
      of: (state: ReportedState) => Partial<ReportedState> | null,
    ) => {
      const last = payment?.states.at(-1);
      const changed = last === undefined ? null : of(last);
      if (payment === undefined || last === undefined || changed === null) return;
      payment.states.push({ ...last, ...changed, at: clock++ });
      await hearNewest(payment);
    };
    function payUnheard({
      code: index,
      part: share,
      daysAgo = 0,
    }: {
      readonly code: number;
      readonly part: number;
      /** Without a day the bank does not say when it was paid. */
      readonly daysAgo?: number;
    }): CodePayment | null {
      const code = at(codes, index)!;
      if (payments.some((one) => one.code.id === code.id)) return null;
      const paidCentavos = Math.max(1, Math.round(code.amountCentavos * share));
      const payment = {
        code,
        paidAt: daysAgo === 0 ? null : new Date(Date.now() - daysAgo * DAY),
        heard: -1,
        states: [{ paidCentavos, refundedCentavos: 0, chargedBack: false, at: clock++ }],
      };
      payments.push(payment);
      return payment;
    }

    async function makeCode(what: 'next' | 'rest' | 'ofDebts'): Promise<void> {
      const { agreement, debts } = await inClient(async (tx) => ({
        agreement: await read(tx),
        debts: await debtsNow(tx),
      }));
      const made: (LiveCharge | null)[] = [];
      if (what === 'ofDebts') {
        for (const debt of debts) {
          const code = await findOrMakeCharge(deps)({ clientId, debtId: debt.id });
          if (debt.status === 'PAID') expect(code).toBeNull();
          else if (agreement.status !== 'ACTIVE') expect(code?.amountCentavos ?? 0).toBe(owedNow(deps, debt).total);
          // Nobody is asked for more than the quote of the day.
          if (agreement.status !== 'ACTIVE')
            expect(code?.amountCentavos ?? 0).toBeLessThanOrEqual(await quoted(debt.id));
          made.push(code);
        }
      } else if (agreement.status === 'ACTIVE') {
        made.push(await findOrMakeCharge(deps)({ clientId, debtId: agreement.debtId, ofAgreement: what }));
      }
      for (const code of made) {
        if (code === null) continue;
        if (agreement.status === 'ACTIVE') {
          expect(code.amountCentavos).toBeLessThanOrEqual(agreedRest(agreement));
          let quotedOfAll = 0;
          for (const { id } of debts) quotedOfAll += await quoted(id);
          const paid = agreement.payments.reduce((sum, { amountCentavos }) => sum + amountCentavos, 0);
          expect(code.amountCentavos).toBeLessThanOrEqual(quotedOfAll - paid);
        }
        if (!codes.some(({ id }) => id === code.id)) codes.push(code);
      }
    }

    async function carryOut(deed: MoneyDeed): Promise<void> {
      if (deed.kind === 'code') return makeCode(deed.what);
      if (deed.kind === 'pay') {
        const payment = payUnheard(deed);
        return payment === null ? undefined : hearNewest(payment);
      }
      if (deed.kind === 'record') {
        const amountCentavos = Math.max(1, Math.round((accepted.totalCentavos * deed.part) / 2));
        const payment = {
          paymentId: randomUUID(),
          amountCentavos,
          paidAt: new Date(Date.now() - (deed.daysAgo ?? 0) * DAY),
          method: 'pix' as const,
          note: null,
          rest: null,
        };
        await settleDebt(deps)({ clientId, debtId: at(person.ids, deed.debt)!, ...payment, source });
        recorded += amountCentavos;
        return;
      }
      if (deed.kind === 'end') {
        await inClient(async (tx) => {
          const locked = (await lockAgreement(tx, agreementId))!;
          const momentOf = () => Date.now();
          if (deed.event === 'broken') await endAgreement({ tx, deps, momentOf }, locked, 'broken');
        });
        const isActive = await inClient(async (tx) => (await read(tx)).status === 'ACTIVE');
        if (deed.event === 'cancelled' && isActive)
          await cancelAgreement(deps)({ clientId, agreementId, reason: 'combinado por telefone', source });
        return;
      }
      const payment = at(payments, deed.payment);
      if (deed.kind === 'again') {
        if (payment !== undefined) await hear(payment, deed.which % payment.states.length);
        return;
      }
      await change(payment, ({ paidCentavos, refundedCentavos, chargedBack }) => {
        if (deed.kind === 'reverse') return chargedBack ? { chargedBack: false } : null;
        if (chargedBack) return null;
        if (deed.kind !== 'refund') return { chargedBack: true };
        const refunded = Math.min(paidCentavos, refundedCentavos + Math.max(1, Math.round(paidCentavos * deed.part)));
        return refunded === refundedCentavos ? null : { refundedCentavos: refunded };
      });
    }

    /** Hears of every payment, of its newest state first; without an order, of the last one first. */
    async function hearAll(order: readonly number[] = [...payments.keys()].toReversed()): Promise<void> {
      for (const index of order) {
        const payment = payments[index];
        if (payment === undefined) continue;
        payment.heard = payment.states.length - 1;
        for (const which of [...payment.states.keys()].toReversed()) await hear(payment, which);
      }
    }

    const acts = { carryOut, payUnheard, hearNewest, hearAll };
    return { agreementId, person, client, ...acts, check, checkReceipts, totals, state, end, shown };
  }

  return { app, agreements, clients, collection, agree, codesOf, payCode };
}
