import { randomUUID } from 'node:crypto';
import type { AgreedDebt, AgreementPayment, StoredAgreement } from '../../agreements/queries/agreements.ts';
import { creditInOrder, openAsBefore } from '../../agreements/rules/agreement-money.ts';
import { momentOfAgreement } from '../../agreements/use-cases/read-agreements.ts';
import { indebtedFor } from '../../debts/use-cases/owed.ts';
import { creditsOf, keptCentavos } from '../../terms/rules/credits.ts';
import { type Charge, creditsOfCharges } from '../queries/charges.ts';
import { insertPart, partsOfAgreement } from '../queries/charges-of-agreements.ts';
import { decidePayment, type PaymentFacts } from '../rules/decide-payment.ts';
import { dayOfWaiver } from '../rules/known-debt.ts';
import { type ChangeContext, knownDebt, lockPayments, type PaymentsOfDebt, storeDecision } from './apply-report.ts';

/** What of an agreement's payment a debt has got, and what of it the creditor still has. */
interface PartTarget {
  readonly part: Charge;
  readonly refundedCentavos: number;
  readonly chargedBack: boolean;
}

/**
 * Makes the credits of the debts what the money of an ended agreement says. What a debt got stays; what went back of a
 * payment goes back from the debt that got it last, and first of all from one that owed nothing; what is not credited yet is
 * credited in order. Returns whether anything has changed.
 */
export async function creditDebts(context: ChangeContext, agreement: StoredAgreement): Promise<boolean> {
  const { tx } = context;
  const known = new Map<string, PaymentsOfDebt>();
  for (const { debtId } of agreement.debts) {
    const payments = await lockPayments(tx, debtId);
    if (payments !== null) known.set(debtId, payments);
  }
  const parts = await partsOfAgreement(tx, agreement.id);
  let hasChanged = false;
  for (const payment of agreement.payments) {
    const own = parts.filter(({ partOf }) => partOf === payment.id);
    const credited = own.reduce((sum, part) => sum + part.paidCentavos, 0);
    const kept = payment.chargedBack ? 0 : payment.amountCentavos;
    const targets = targetsOf(own, payment.chargedBack, credited - kept);
    for (const target of targets) await moveBack(context, known, target);
    const more = payment.chargedBack ? 0 : kept - credited;
    if (more > 0) await creditMore(context, agreement, known, payment, more);
    hasChanged ||= targets.length > 0 || more > 0;
  }
  return hasChanged;
}

function targetsOf(parts: readonly Charge[], chargedBack: boolean, back: number): PartTarget[] {
  let left = chargedBack ? 0 : Math.max(0, back);
  return parts
    .toReversed()
    .toSorted((one, other) => Number(other.duplicate) - Number(one.duplicate))
    .map((part) => {
      const refundedCentavos = chargedBack ? part.refundedCentavos : Math.min(part.paidCentavos, left);
      left -= refundedCentavos;
      return { part, refundedCentavos, chargedBack };
    })
    .filter(
      ({ part, refundedCentavos }) =>
        part.refundedCentavos !== refundedCentavos || (part.chargedBackAt !== null) !== chargedBack,
    );
}

const debtOf = (known: ReadonlyMap<string, PaymentsOfDebt>, part: Charge): [string, PaymentsOfDebt] =>
  [...known].find(([, { rows }]) => rows.some(({ id }) => id === part.debtId))!;

/** Takes back what a debt got of a payment, or gives it again, as the payment itself was taken back or given again. */
async function moveBack(
  context: ChangeContext,
  known: Map<string, PaymentsOfDebt>,
  { part, refundedCentavos, chargedBack }: PartTarget,
): Promise<void> {
  const { deps } = context;
  const now = deps.now();
  const [debtId, debt] = debtOf(known, part);
  const charge = debt.charges.find(({ id }) => id === part.id) ?? part;
  const state = { paidCentavos: part.paidCentavos, refundedCentavos, chargedBack, at: now.getTime() };
  const facts: PaymentFacts = { paidAt: part.paidAt, endToEndId: null, day: part.creditedOn ?? debt.current.dueDate };
  const decision = decidePayment(knownDebt(deps, debt), charge, state, facts, now);
  known.set(debtId, await storePart(context, debt, charge, decision));
}

async function storePart(
  context: ChangeContext,
  debt: PaymentsOfDebt,
  part: Charge,
  decision: ReturnType<typeof decidePayment>,
): Promise<PaymentsOfDebt> {
  const { known } = await storeDecision(context, debt, part, decision, { isAnswer: false });
  // What is open of an agreed share is read again, because this part has changed it.
  return known.current.agreed === null ? known : ((await lockPayments(context.tx, known.current.id)) ?? known);
}

/**
 * Returns the debts of an agreement in the order in which a payment is credited to them, and the one that gets what is
 * more than all of them have open. What comes after a breach or a cancellation pays the debt whose code was paid, or about
 * which it was recorded, before the others, and a withdrawn debt after all others.
 */
function orderOfCredit(
  agreement: StoredAgreement,
  known: ReadonlyMap<string, PaymentsOfDebt>,
  { debtId: paidDebtId, paidAt }: AgreementPayment,
): { readonly debts: readonly AgreedDebt[]; readonly withExcess: AgreedDebt | undefined } {
  const { debts, status, endedAt } = agreement;
  const last = debts.findLast(({ debtId }) => known.has(debtId));
  const cameAfterEnd = endedAt !== null && momentOfAgreement(agreement, paidAt.getTime()) > endedAt.getTime();
  if (status === 'COMPLETED' || !cameAfterEnd) return { debts, withExcess: last };
  // The code may be one of another row of the debt.
  const paid = debts.find(({ debtId }) => known.get(debtId)?.rows.some(({ id }) => id === paidDebtId));
  const isWithdrawn = ({ debtId }: AgreedDebt): boolean => known.get(debtId)?.current.status === 'STOPPED';
  const placeOf = (debt: AgreedDebt): number => (debt === paid ? 0 : isWithdrawn(debt) ? 2 : 1);
  return { debts: debts.toSorted((one, other) => placeOf(one) - placeOf(other)), withExcess: paid ?? last };
}

/** Credits so much of a payment to the debts in order. */
async function creditMore(
  context: ChangeContext,
  agreement: StoredAgreement,
  known: Map<string, PaymentsOfDebt>,
  payment: AgreementPayment,
  centavos: number,
): Promise<void> {
  const isCompleted = agreement.status === 'COMPLETED';
  const { debts, withExcess } = orderOfCredit(agreement, known, payment);
  const open = debts.map((one) => {
    const debt = known.get(one.debtId);
    if (debt === undefined) return 0;
    if (isCompleted) return Math.max(0, one.owedCentavos - one.discountCentavos - gotBy(debt, agreement));
    // A debt that has another agreement by now is paid by the money of that one.
    if (debt.current.status === 'AGREEMENT') return 0;
    // The rest that was agreed stays the price, whether by this agreement or by one before it.
    return debt.current.agreed?.openCentavos ?? restoredOpen(context, debt, payment.on);
  });
  const { shares, excess } = creditInOrder(open, centavos);
  for (const [at, share] of shares.entries()) {
    const more = debts[at] === withExcess ? excess : 0;
    const { debtId } = debts[at]!;
    const isShare = isCompleted || known.get(debtId)?.current.agreed != null;
    const waivesRest = isShare && share > 0 && share === open[at];
    // What is more than a share takes nothing from the discount, so that it is too much to the last centavo.
    const parts = waivesRest
      ? [
          { amountCentavos: share, waivesRest },
          { amountCentavos: more, waivesRest: false },
        ]
      : [{ amountCentavos: share + more, waivesRest }];
    for (const part of parts.filter(({ amountCentavos }) => amountCentavos > 0)) {
      known.set(debtId, await creditPart(context, known.get(debtId)!, payment, part));
    }
  }
}

/** What the creditor still has of what a debt got of an agreement. */
const gotBy = ({ charges }: PaymentsOfDebt, { payments }: StoredAgreement): number =>
  charges.filter(({ partOf }) => payments.some(({ id }) => id === partOf)).reduce((sum, part) => sum + keptOf(part), 0);

/** What the creditor still has of a charge. */
export const keptOf = (charge: Pick<Charge, 'paidCentavos' | 'refundedCentavos' | 'chargedBackAt'>): number =>
  keptCentavos({ ...charge, chargedBack: charge.chargedBackAt !== null });

/** What money of that day can still pay of a debt whose agreement has fallen away. */
const restoredOpen = ({ deps }: ChangeContext, { current, charges }: PaymentsOfDebt, on: string): number =>
  current.status === 'PAID'
    ? 0
    : openAsBefore(
        { ...indebtedFor(current, deps.policy.holidays), credits: creditsOf(creditsOfCharges(charges)) },
        on,
      );

async function creditPart(
  context: ChangeContext,
  debt: PaymentsOfDebt,
  payment: AgreementPayment,
  { amountCentavos, waivesRest }: { readonly amountCentavos: number; readonly waivesRest: boolean },
): Promise<PaymentsOfDebt> {
  const { tx, deps } = context;
  const now = deps.now();
  const charge = await insertPart(tx, {
    id: randomUUID(),
    clientId: debt.current.clientId,
    debtId: debt.current.id,
    partOf: payment.id,
    amountCentavos,
    paidAt: payment.paidAt,
    createdAt: now,
  });
  const before = { ...debt, charges: [charge, ...debt.charges] };
  const state = { paidCentavos: amountCentavos, refundedCentavos: 0, chargedBack: false, at: null };
  const day = waivesRest ? dayOfWaiver(debt.charges, payment.on) : payment.on;
  const facts: PaymentFacts = { paidAt: payment.paidAt, endToEndId: null, day, waivesRest };
  const decision = decidePayment(knownDebt(deps, before), charge, state, facts, now);
  return storePart(context, before, charge, decision);
}
