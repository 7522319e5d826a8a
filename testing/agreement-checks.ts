import { expect } from '@jest/globals';
import { daysBetween, type LocalDate } from '../src/kernel/calendar.ts';
import { readAgreement } from '../src/modules/agreements/queries/agreements.ts';
import { agreedRest } from '../src/modules/agreements/rules/agreement-state.ts';
import { type DebtContext, loadDebt } from '../src/modules/debts/use-cases/debt-context.ts';
import { indebtedFor, owedNow } from '../src/modules/debts/use-cases/owed.ts';
import { factsOf } from '../src/modules/messaging/use-cases/debt-facts.ts';
import { type Charge, chargesOfDebt } from '../src/modules/payments/queries/charges.ts';
import { chargesOfAgreement, partsOfAgreement } from '../src/modules/payments/queries/charges-of-agreements.ts';
import { hasSettled } from '../src/modules/payments/rules/known-debt.ts';
import { keptOf } from '../src/modules/payments/use-cases/credit-debts.ts';
import type { PaymentDeps } from '../src/modules/payments/use-cases/deps.ts';
import { issueReceipt } from '../src/modules/receipts/use-cases/issue-receipt.ts';
import { COMPONENTS, creditsOf } from '../src/modules/terms/rules/credits.ts';
import { type Centavos, type Owed, owedOn } from '../src/modules/terms/rules/owed-on.ts';
import type { Tx } from '../src/platform/database/tx.ts';
import type { CampaignsApp, TestClient } from './campaigns-app.ts';

const sumOf = <One>(all: readonly One[], amount: (one: One) => number): number =>
  all.reduce((sum, one) => sum + amount(one), 0);
const creditedOf = ({ principalCentavos, fineCentavos, interestCentavos, correctionCentavos }: Charge): Centavos => ({
  principal: principalCentavos,
  fine: fineCentavos,
  interest: interestCentavos,
  correction: correctionCentavos,
});

/** What is charged of a debt by the plain reading of its terms, with what was open of its principal from day to day. */
function chargedOf({ terms, amountCentavos }: DebtContext, { countsFrom, parts }: Owed, on: LocalDate): Centavos {
  let principal = amountCentavos;
  let centavoDays = 0;
  let from = countsFrom;
  for (const { on: day, credited, waived } of parts) {
    centavoDays += principal * daysBetween(from, day);
    principal -= credited.principal + waived.principal;
    from = day;
  }
  centavoDays += principal * daysBetween(from, on);
  const { finePercent = 0, interest } = terms ?? {};
  return {
    principal: amountCentavos,
    fine: Math.floor((amountCentavos * finePercent) / 100),
    interest: Math.floor((centavoDays * (interest?.percent ?? 0)) / 3_000),
    correction: 0,
  };
}

const renderer = { render: async () => ({ bytes: new Uint8Array(8), sha256: 'a'.repeat(64) }) };

interface Checked {
  readonly app: CampaignsApp;
  readonly deps: PaymentDeps;
  readonly client: TestClient;
  readonly agreementId: string;
  /** What the creditor has of all money that the service has heard of. */
  readonly inBank: () => number;
}

/** What must be true of the money of an agreement after every step. */
export async function agreementChecks({ app, deps, client, agreementId, inBank }: Checked) {
  const clientId = client.id;
  const inClient = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => deps.db.tenant(clientId).transactional(work);
  const read = (tx: Tx) => readAgreement(tx, agreementId).then((one) => one!);
  const debtsNow = (tx: Tx): Promise<DebtContext[]> =>
    read(tx).then(async ({ debts }) => Promise.all(debts.map(async ({ debtId }) => (await loadDebt(tx, debtId))!)));
  const fixed = ({ totalCentavos, discountCentavos, instalments, debts }: Awaited<ReturnType<typeof read>>) => ({
    totalCentavos,
    discountCentavos,
    debts,
    amounts: instalments.map(({ amountCentavos }) => amountCentavos),
  });
  const accepted = await inClient(async (tx) => fixed(await read(tx)));
  /** The total of the quote of today, in centavos. */
  const quoted = async (debtId: string): Promise<number> =>
    Math.round((await client.call('GET', `/api/debts/${debtId}/quote`)).body.total * 100);
  // What was accepted is the quote of that day less the discount, and the instalments are all of it.
  for (const { debtId, owedCentavos } of accepted.debts) expect(await quoted(debtId)).toBe(owedCentavos);
  const owedThen = sumOf(accepted.debts, ({ owedCentavos }) => owedCentavos);
  expect(accepted.totalCentavos).toBe(owedThen - accepted.discountCentavos);
  expect(sumOf(accepted.debts, ({ discountCentavos }) => discountCentavos)).toBe(accepted.discountCentavos);
  expect(sumOf(accepted.amounts, (amount) => amount)).toBe(accepted.totalCentavos);
  const stored = () =>
    inClient(async (tx) => {
      const debts = await debtsNow(tx);
      return {
        agreement: await read(tx),
        debts,
        ofAgreement: await chargesOfAgreement(tx, agreementId),
        parts: await partsOfAgreement(tx, agreementId),
        ofDebts: await Promise.all(debts.map(({ id }) => chargesOfDebt(tx, id))),
      };
    });

  async function check(): Promise<void> {
    const { agreement, debts, ofAgreement, parts, ofDebts } = await stored();
    expect(fixed(agreement)).toEqual(accepted);
    const own = ofDebts.flat().filter(({ partOf }) => partOf === null);
    expect(sumOf(ofAgreement, keptOf) + sumOf(own, keptOf)).toBe(inBank());
    const kept = sumOf(agreement.payments, ({ amountCentavos }) => amountCentavos);
    expect(kept).toBe(sumOf(ofAgreement, keptOf));
    const owed = debts.map((debt) => owedNow(deps, debt));
    if (agreement.status === 'ACTIVE') {
      expect(parts).toEqual([]);
      expect(debts.every(({ status }) => status === 'AGREEMENT')).toBe(true);
      expect(agreedRest(agreement)).toBeGreaterThan(0);
      expect(sumOf(owed, ({ total }) => total)).toBe(agreedRest(agreement));
      expect(sumOf(owed, ({ paid }) => paid)).toBe(kept);
      // Charged = paid + discounted + open.
      expect(kept + agreement.discountCentavos + agreedRest(agreement)).toBe(owedThen);
    } else {
      for (const { id, amountCentavos } of agreement.payments) {
        expect(
          sumOf(
            parts.filter(({ partOf }) => partOf === id),
            keptOf,
          ),
        ).toBe(amountCentavos);
      }
      expect(debts.some(({ status }) => status === 'AGREEMENT')).toBe(false);
    }
    for (const [index, debt] of debts.entries()) {
      const { owedCentavos, discountCentavos } = agreement.debts[index]!;
      const share = owedCentavos - discountCentavos;
      expect(share).toBeGreaterThan(0);
      const charges = ofDebts[index]!.filter(({ creditedOn }) => creditedOn !== null);
      const account = owedOn({
        ...indebtedFor(debt, deps.policy.holidays),
        credits: creditsOf(debt.credits),
        on: owed[index]!.on,
      });
      const charged = chargedOf(debt, account, owed[index]!.on);
      for (const component of COMPONENTS) {
        const credited = sumOf(account.parts, (one) => one.credited[component]);
        const waived = sumOf(account.parts, (one) => one.waived[component]);
        // What is stored of each payment is what is computed, and charged = paid + given up + open.
        expect([component, sumOf(charges, (one) => creditedOf(one)[component])]).toEqual([component, credited]);
        expect([component, credited + waived + account[component]]).toEqual([component, charged[component]]);
      }
      const credited = sumOf(account.parts, (one) => sumOf(COMPONENTS, (component) => one.credited[component]));
      expect(credited + account.excess).toBe(sumOf(charges, keptOf));
      const settling = charges.filter((one) => hasSettled(one) && one.coveredCentavos !== null);
      expect(settling).toHaveLength(debt.status === 'PAID' ? 1 : 0);
      if (agreement.status === 'COMPLETED') expect(debt.status).toBe('PAID');
      if (agreement.status === 'BROKEN' && agreement.afterBreach === 'keep' && debt.status !== 'PAID') {
        const got = sumOf(
          parts.filter(({ debtId }) => debtId === debt.id),
          keptOf,
        );
        expect(owed[index]!.total).toBe(Math.max(0, share - got));
      } else if (agreement.status !== 'ACTIVE' && debt.status !== 'PAID') {
        expect(owed[index]!.total).toBe(account.total);
        expect(account.total).toBeGreaterThan(0);
      }
    }
  }

  /** A paid agreement ends in a Termo for each debt, of what the debt has got, and with the discount. */
  async function checkReceipts(): Promise<void> {
    const { agreement, debts, parts } = await stored();
    const isWhole = parts.every(
      ({ refundedCentavos, chargedBackAt }) => refundedCentavos === 0 && chargedBackAt === null,
    );
    if (agreement.status !== 'COMPLETED' || !isWhole) return;
    for (const [index, { id: debtId }] of debts.entries()) {
      const { owedCentavos, discountCentavos } = agreement.debts[index]!;
      const receipt = await issueReceipt({ ...deps, renderer })({ clientId, debtId });
      expect(receipt?.facts.payment.amountCentavos).toBe(owedCentavos - discountCentavos);
      expect(receipt?.facts.payment).toMatchObject({ agreement: { protocol: agreement.protocol, discountCentavos } });
      const again = await issueReceipt({ ...deps, renderer })({ clientId, debtId });
      expect(again).toMatchObject({ isNew: false, receipt: { protocol: receipt?.receipt.protocol } });
    }
    const issued = await app.query<{ debt_id: string }>(
      `select debt_id from receipts where debt_id = any($1) and kind = 'settlement' and revoked_at is null`,
      [debts.map(({ id }) => id)],
    );
    expect(issued.map(({ debt_id }) => debt_id).toSorted()).toEqual(debts.map(({ id }) => id).toSorted());
  }

  /** What two orders of the same reports are compared by. */
  async function totals() {
    const { agreement, debts, ofAgreement, ofDebts } = await stored();
    const own = ofDebts.flat().filter(({ partOf }) => partOf === null);
    const tooMuch = debts.map((debt, index) => {
      const charges = ofDebts[index]!;
      const covered = charges.find((one) => hasSettled(one))?.coveredCentavos ?? null;
      return debt.status !== 'PAID' || covered === null ? 0 : Math.max(0, sumOf(charges, keptOf) - covered);
    });
    const asked = await app.query<{ debt_id: string }>(
      `select distinct debt_id from inbox_items where debt_id = any($1) and closed_at is null and reason in ('duplicate', 'overpaid')`,
      [debts.map(({ id }) => id)],
    );
    // Whoever has paid too much is in the inbox at the debt that has it.
    expect(asked.map(({ debt_id }) => debt_id).toSorted()).toEqual(
      debts.flatMap(({ id }, index) => (tooMuch[index]! > 0 ? [id] : [])).toSorted(),
    );
    return {
      status: agreement.status,
      kept: sumOf(ofAgreement, keptOf) + sumOf(own, keptOf),
      hasOwn: own.some((one) => one.agreementId === null && one.paidCentavos > 0),
      statuses: debts.map(({ status }) => status),
      open: debts.map((debt) => owedNow(deps, debt).total),
      tooMuch: sumOf(tooMuch, (centavos) => centavos),
    };
  }

  const state = async () => {
    const { agreement, debts, ofDebts } = await stored();
    const moneyOf = ({ id, status, paidCentavos, refundedCentavos, chargedBackAt, duplicate }: Charge) => ({
      id,
      status,
      paidCentavos,
      refundedCentavos,
      isBack: chargedBackAt !== null,
      duplicate,
    });
    return {
      status: agreement.status,
      payments: agreement.payments,
      statuses: debts.map(({ status }) => status),
      charges: ofDebts.flat().map(moneyOf),
    };
  };

  /** How an agreement has ended, without the names of its charges. */
  async function end() {
    const { status, statuses, charges } = await state();
    return { status, statuses, charges: charges.map(({ id: _, ...charge }) => charge) };
  }

  /** What is shown of a debt: to the client, in a message and on the receipt. */
  async function shown(index: number) {
    const debt = (await inClient(debtsNow))[index]!;
    const { items: listed } = (await client.call('POST', '/api/debts/search', { campaignId: debt.campaignId })).body;
    return {
      ...listed.find((one: { id: string }) => one.id === debt.id),

      payment: (await client.call('GET', `/api/payments/${debt.id}`)).body.amount,
      quote: (await client.call('GET', `/api/debts/${debt.id}/quote`)).body,
      page: (await app.get<string>(`/checkout/${debt.id}`)).body,
      facts: factsOf(debt, deps).amountCentavos,
      receipt: (await issueReceipt({ ...deps, renderer })({ clientId, debtId: debt.id }))?.facts.payment,
    };
  }

  return { accepted, read, debtsNow, quoted, check, checkReceipts, totals, state, end, shown };
}
