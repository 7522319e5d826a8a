import type { LocalDate } from '../../../kernel/calendar.ts';
import { addOutbox } from '../../../platform/database/add-outbox.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { ENDED_BY_PAYMENT } from '../../debts/rules/ended-by-payment.ts';
import type { ChargeProblem, TimelineEntry } from '../../debts/rules/timeline-entry.ts';
import { countInCampaign } from '../../debts/use-cases/campaign-day.ts';
import { debtNow } from '../../debts/use-cases/clock.ts';
import { type DebtContext, lockRowsOfDebt, rowsOfDebt } from '../../debts/use-cases/debt-context.ts';
import { endedByPayment } from '../../debts/use-cases/ended-by-payment.ts';
import { askAboutMoney } from '../../debts/use-cases/inbox-items.ts';
import { moveLockedDebt } from '../../debts/use-cases/move-debt.ts';
import { moveOtherRows } from '../../debts/use-cases/move-other-rows.ts';
import { debtorDay, indebtedFor } from '../../debts/use-cases/owed.ts';
import { recordEntries } from '../../debts/use-cases/record-entries.ts';
import { brCodeOf, type ProviderCharge } from '../ports/payment-provider.ts';
import { type Charge, chargesOfDebt, creditsOfCharges, setProblem, storeCharge } from '../queries/charges.ts';
import { chargedCounts, hasCharges } from '../rules/credited-parts.ts';
import { type Decision, decideReport, type MovedMoney } from '../rules/decide-payment.ts';
import { hasSettled, type KnownDebt } from '../rules/known-debt.ts';
import type { UnaskedReturn } from '../rules/refunds.ts';
import type { ChargeOrigin, PaymentDeps } from './deps.ts';

export interface MadeCharge extends Omit<ChargeOrigin, 'clientId'> {
  readonly id: string;
  readonly providerPaymentId: string;
}

/** Returns the present moment by the clock of a row. */
export type MomentOf = (row: DebtContext) => number;

/** Asks the account that made the charge for its present state. */
export async function askProvider(
  deps: PaymentDeps,
  clientId: string,
  charge: Omit<MadeCharge, 'id'>,
): Promise<ProviderCharge> {
  const { provider, credentials } = await deps.accountOf({ ...charge, clientId });
  return provider.getCharge(charge.providerPaymentId, credentials);
}

/** All rows of one debt with their charges, under the locks of the rows. */
export interface PaymentsOfDebt {
  readonly rows: readonly DebtContext[];
  /** The row that is collected and asked for now. */
  readonly current: DebtContext;
  readonly charges: readonly Charge[];
}

/** Locks all rows of a debt and returns what was paid by any of them; null when there is no such debt. */
export async function lockPayments(tx: Tx, debtId: string): Promise<PaymentsOfDebt | null> {
  await lockRowsOfDebt(tx, debtId);
  const rows = await rowsOfDebt(tx, debtId);
  const current = rows.find(({ continuedBy }) => continuedBy === null);
  return current === undefined ? null : { rows, current, charges: await chargesOfDebt(tx, debtId) };
}

export function rowOf(rows: readonly DebtContext[], { debtId }: Pick<Charge, 'debtId'>): DebtContext {
  const row = rows.find(({ id }) => id === debtId);
  if (row === undefined) throw new Error(`The charges of debt ${debtId} were read without the debt`);
  return row;
}

export const knownDebt = (
  { policy }: Pick<PaymentDeps, 'policy'>,
  { current, charges }: PaymentsOfDebt,
): KnownDebt => ({
  indebted: indebtedFor(current, policy.holidays),
  isPaid: current.status === 'PAID',
  charges,
});

/** The debtor's day of a moment of real time, by the debt's own clock. */
export const dayOfMoney = (current: DebtContext, at: Date): LocalDate =>
  debtorDay(current, debtNow(current.clockOffsetMs, at.getTime()));

/** Whether something changed that the debt's workflow has to act on. */
export type Applied = 'changed' | 'unchanged';

/** What is stored in one transaction belongs to one moment. */
export interface ChangeContext {
  readonly tx: Tx;
  readonly deps: Pick<PaymentDeps, 'workflows' | 'now' | 'receipts' | 'policy'>;
  readonly momentOf: MomentOf;
}

interface AfterReport {
  readonly applied: Applied;
  /** The debt as it is stored now. */
  readonly known: PaymentsOfDebt;
}

/** Applies a provider's report about a charge to the charge and its debt. */
export async function applyReport(
  context: ChangeContext,
  known: PaymentsOfDebt,
  chargeId: string,
  report: ProviderCharge,
  returned: UnaskedReturn | null,
): Promise<AfterReport> {
  const charge = known.charges.find(({ id }) => id === chargeId);
  if (charge === undefined) return { applied: 'unchanged', known };
  const { deps } = context;
  const now = deps.now();
  const day = dayOfMoney(known.current, report.paidAt ?? now);
  const decision = decideReport(knownDebt(deps, known), charge, { ...report, day, returned }, now);
  const columns = { ...decision.columns, ...newCode(charge, report) };
  return storeDecision(context, known, charge, { ...decision, columns }, { isAnswer: true });
}

/** A charge that the provider was still registering can be paid now. */
function newCode(charge: Charge, { status, instruments }: ProviderCharge): Partial<Charge> {
  const isRegistered = charge.brCode === null && charge.supersededAt === null && status === 'PENDING';
  const brCode = isRegistered ? brCodeOf(instruments) : null;
  return brCode === null ? {} : { brCode };
}

/**
 * Stores what was decided about a charge with everything that follows from it: the status of the debt's rows, the
 * timeline, the inbox, the figures of the campaigns and the validity of the receipt.
 */
export async function storeDecision(
  context: ChangeContext,
  known: PaymentsOfDebt,
  charge: Charge,
  { columns, entry, money }: Omit<Decision, 'columns'> & { readonly columns: Partial<Charge> },
  { isAnswer }: { readonly isAnswer: boolean },
): Promise<AfterReport> {
  const { tx, momentOf } = context;
  await storeCharge(tx, charge.id, columns, { isAnswer });
  if (entry !== null) await recordEntries(tx, charge.debtId, momentOf(rowOf(known.rows, charge)), [entry]);
  const status = money === null ? known.current.status : await moveMoney(context, known, charge, money);
  const applied = money === null ? 'unchanged' : 'changed';
  const others = money?.others ?? [];
  for (const { id, ...credited } of others) await storeCharge(tx, id, credited, { isAnswer: false });
  const changed = new Map<string, Partial<Charge>>([
    ...others.map((one) => [one.id, one] as const),
    [charge.id, columns],
  ]);
  const charges = known.charges.map((one) => ({ ...one, ...changed.get(one.id) }));
  const current = { ...known.current, status, credits: creditsOfCharges(charges) };
  return { applied, known: { ...known, current, charges } };
}

/** What a code of an earlier row brings belongs to the debt as it is now. Returns the status after the change. */
async function moveMoney(
  { tx, deps, momentOf }: ChangeContext,
  { rows, current, charges }: PaymentsOfDebt,
  charge: Charge,
  money: MovedMoney,
): Promise<DebtContext['status']> {
  const at = momentOf(current);
  // The workflow of the charge's own row handles the payment. That of the current row cancels codes and ends.
  if (money.outcome !== null && charge.debtId !== current.id) {
    await addOutbox(tx, deps.workflows.wakeDebt(current, 'paymentNoticed'));
  }
  // What a debt gets of an agreement was told when it came.
  const isPart = charge.partOf !== null;
  if (!isPart || money.outcome !== 'underpaid') await recordEntries(tx, current.id, at, money.before);
  // A second payment, and money that goes back, change no status.
  const holds = money.outcome === 'underpaid' && !isPart && current.onPartial === 'hold';
  const transition = money.outcome === 'settled' ? 'paid' : holds ? 'underpaid' : null;
  const because = transition === 'paid' ? await endedByPayment(tx, current, ENDED_BY_PAYMENT) : {};
  const moved = transition === null ? null : await moveLockedDebt(tx, deps.workflows, current, transition, at, because);
  if (transition === 'paid') {
    // Nobody is asked again for money that came by another row of the debt. Its workflow ends and cancels its codes.
    const otherRows = rows.filter(({ id }) => id !== current.id);
    await moveOtherRows(tx, deps, otherRows, 'paid', 'paymentNoticed');
  }
  await recordEntries(tx, current.id, at, money.after);
  const { recoveredCentavos, receipt, receiptOfPart, asks } = money;
  const paymentsApproved = transition === 'paid' ? 1 : 0;
  if (money.mayHaveAsked || Object.values(asks).includes(true)) await askAboutMoney(tx, current.id, asks);
  const { recovered, charged } = money;
  if (recoveredCentavos !== 0 || paymentsApproved !== 0 || hasCharges(charged)) {
    await countInCampaign(tx, current, {
      paymentsApproved,
      recoveredCentavos,
      recoveredFineCentavos: recovered.fine,
      recoveredInterestCentavos: recovered.interest,
      recoveredCorrectionCentavos: recovered.correction,
      ...chargedCounts(charged),
    });
  }
  if (receipt !== null) await keepReceiptTrue(tx, deps, charges.filter(hasSettled), receipt);
  if (receiptOfPart !== null) await keepReceiptTrue(tx, deps, [charge], receiptOfPart);
  // The workflow issues the receipt of a part by itself, so that a document that cannot be drawn holds no settlement.
  if (money.outcome === 'underpaid' && !isPart) await addOutbox(tx, deps.workflows.wakeDebt(current, 'receiptWanted'));
  return moved?.to ?? current.status;
}

/** Revokes the receipts of payments that went back, or makes them valid again. */
export async function keepReceiptTrue(
  tx: Tx,
  { now, receipts }: ChangeContext['deps'],
  paid: readonly Charge[],
  receipt: NonNullable<MovedMoney['receipt']>,
): Promise<void> {
  for (const { id } of paid) {
    await (receipt === 'restored' ? receipts.restore(tx, id, now()) : receipts.revoke(tx, id, receipt, now()));
  }
}

/** Records why a charge cannot continue. The timeline shows each problem once, however often it occurs again. */
export async function recordProblem(
  tx: Tx,
  charge: Pick<Charge, 'id' | 'debtId'>,
  problem: ChargeProblem,
  at: number,
): Promise<void> {
  if (!(await setProblem(tx, charge.id, problem))) return;
  const entry: TimelineEntry = { kind: 'payment_changed', paymentId: charge.id, problem };
  await recordEntries(tx, charge.debtId, at, [entry]);
}
