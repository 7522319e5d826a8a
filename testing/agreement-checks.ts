import { expect } from '@jest/globals';
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
import { creditsOf } from '../src/modules/terms/rules/credits.ts';
import { owedOn } from '../src/modules/terms/rules/owed-on.ts';
import type { Tx } from '../src/platform/database/tx.ts';
import type { CampaignsApp, TestClient } from './campaigns-app.ts';

const sumOf = <One>(all: readonly One[], amount: (one: One) => number): number =>
  all.reduce((sum, one) => sum + amount(one), 0);
const creditedOf = (charge: Charge): number =>
  charge.principalCentavos + charge.fineCentavos + charge.interestCentavos + charge.correctionCentavos;

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
      const credited = sumOf(charges, creditedOf);
      expect(credited + account.excess).toBe(sumOf(charges, keptOf));
      // Charged = paid + given up + open.
      const principal =
        sumOf(account.parts, (one) => one.credited.principal + one.waived.principal) + account.principal;
      expect(principal).toBe(debt.amountCentavos);
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

  /** What two orders of the same reports have in common. */
  async function totals() {
    const { agreement, debts, ofAgreement, ofDebts } = await stored();
    const own = ofDebts.flat().filter(({ partOf }) => partOf === null);
    const isOne = debts.length === 1 || agreement.status === 'COMPLETED' || agreement.status === 'ACTIVE';
    return {
      status: agreement.status,
      kept: sumOf(ofAgreement, keptOf) + sumOf(own, keptOf),
      statuses: isOne ? debts.map(({ status }) => status) : null,
      open: isOne ? debts.map((debt) => owedNow(deps, debt).total) : null,
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
    const renderer = { render: async () => ({ bytes: new Uint8Array(8), sha256: 'a'.repeat(64) }) };
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

  return { accepted, read, debtsNow, check, totals, state, end, shown };
}
