import { addOutbox } from '../../../platform/database/add-outbox.ts';
import { openReasons } from '../../debts/queries/inbox-items.ts';
import type { DebtContext } from '../../debts/use-cases/debt-context.ts';
import { tellOfReturn } from '../../debts/use-cases/inbox-items.ts';
import type { ProviderCharge } from '../ports/payment-provider.ts';
import { type Charge, readCharge } from '../queries/charges.ts';
import type { UnaskedReturn } from '../rules/refunds.ts';
import { applyAgreementReport, lockAgreement } from './agreement-money.ts';
import {
  type Applied,
  applyReport,
  askProvider,
  type ChangeContext,
  lockPayments,
  type MadeCharge,
  type MomentOf,
  type PaymentsOfDebt,
} from './apply-report.ts';
import { countOnce, lockWithRecorded } from './count-once.ts';
import type { PaymentDeps } from './deps.ts';
import { followReversals } from './follow-reversals.ts';
import { refundExcess } from './refund-excess.ts';

interface DebtOfCharge {
  readonly clientId: string;
  readonly debtId: string;
}

/** Asks about a charge without a notification, and applies the answer. A change wakes the workflow that it concerns. */
export async function askAndApply(
  deps: PaymentDeps,
  debt: DebtOfCharge,
  charge: MadeCharge,
  momentOf: MomentOf,
): Promise<Applied> {
  const report = await askProvider(deps, debt.clientId, charge);
  return applyAnswer(deps, { ...debt, chargeId: charge.id }, report, momentOf);
}

/** Applies an answer that no workflow has asked for. A change wakes the workflow that it concerns. */
export async function applyAnswer(
  deps: Pick<PaymentDeps, 'db'> & ChangeContext['deps'],
  { clientId, debtId, chargeId }: DebtOfCharge & { readonly chargeId: string },
  report: ProviderCharge,
  momentOf: MomentOf,
): Promise<Applied> {
  return deps.db.tenant(clientId).transactional(async (tx) => {
    await lockWithRecorded(tx, clientId, [debtId], [report]);
    const known = await lockPayments(tx, debtId);
    if (known === null) return 'unchanged';
    const { applied, isOfAgreement } = await applyToOwner({ tx, deps, momentOf }, known, chargeId, report);
    const row = known.rows.find(({ id }) => id === debtId);
    if (applied === 'changed' && !isOfAgreement && row !== undefined) {
      await addOutbox(tx, deps.workflows.wakeDebt(row, 'paymentNoticed'));
    }
    return applied;
  });
}

interface AppliedToOwner {
  readonly applied: Applied;
  /** True when the money is an agreement's, whose workflow is woken. */
  readonly isOfAgreement: boolean;
  /** The debt as it is stored now. */
  readonly known: PaymentsOfDebt;
}

/** Money that has counted for an agreement stays with it; what comes first counts for the one that the debt has now. */
export const agreementOfMoney = (
  { agreementId, paidCentavos }: Pick<Charge, 'agreementId' | 'paidCentavos'>,
  { agreed }: Pick<DebtContext, 'agreed'>,
): string | null => (paidCentavos > 0 ? agreementId : (agreed?.agreementId ?? agreementId));

/**
 * Applies a report to the debt of a charge, or to the agreement whose money it is. The debt is locked. The workflow of the
 * agreement is woken, unless it asks itself: `askedBy`.
 */
export async function applyToOwner(
  context: ChangeContext,
  before: PaymentsOfDebt,
  chargeId: string,
  report: ProviderCharge,
  askedBy?: string,
): Promise<AppliedToOwner> {
  const { tx, deps } = context;
  const charge = before.charges.find(({ id }) => id === chargeId) ?? (await readCharge(tx, chargeId));
  if (charge === undefined) return { applied: 'unchanged', isOfAgreement: false, known: before };
  const { known, counts, replaced } = await countOnce(context, before, charge, report);
  const agreementId = agreementOfMoney(charge, known.current);
  const locked = agreementId === null ? null : await lockAgreement(tx, agreementId);
  const returned = await followReversals(context, known.current, charge, report.reversals);
  if (!counts) {
    await tellOf(context, returned, [known.current.id]);
    return { applied: 'unchanged', isOfAgreement: locked !== null, known };
  }
  if (locked === null) {
    const after = await applyReport(context, known, chargeId, report, returned);
    if (isPaidBy(replaced, known, null)) await deps.receipts.restate(tx, { debtId: known.current.id }, deps.now());
    await refundExcess(context, known, charge);
    await tellOf(context, returned, [known.current.id]);
    return { ...after, isOfAgreement: false };
  }
  const applied = await applyAgreementReport(context, locked, charge, report, returned);
  const { id } = locked.agreement;
  if (isPaidBy(replaced, known, id)) await deps.receipts.restate(tx, { agreementId: id }, deps.now());
  await refundExcess(context, known, charge);
  await tellOf(context, returned, [known.current.id, ...locked.rows.map(({ id }) => id)]);
  if (applied === 'changed' && agreementId !== askedBy) {
    await addOutbox(tx, deps.workflows.wakeAgreement(locked.agreement, 'stateChanged'));
  }
  return { applied, isOfAgreement: true, known: (await lockPayments(tx, known.current.id)) ?? known };
}

/**
 * Whether a recorded payment had paid the debt, or the agreement, that the charge pays in its place. The receipts of the
 * other payments were stated without it when it was taken back, so that they have to state the charge.
 */
const isPaidBy = (recorded: Charge | null, { rows }: PaymentsOfDebt, agreementId: string | null): boolean =>
  recorded !== null &&
  !recorded.duplicate &&
  recorded.agreementId === agreementId &&
  (agreementId !== null || rows.some(({ id }) => id === recorded.debtId));

/**
 * Puts a return that a bank made into the inbox: at the debts that have lost money by it, or at the first. A refund that was
 * made in the provider's panel is the client's own, and asks what the money of the debt asks.
 */
async function tellOf(
  { tx }: ChangeContext,
  returned: UnaskedReturn | null,
  [first, ...others]: readonly [string, ...string[]],
): Promise<void> {
  if (returned === null || returned.kind === 'refund') return;
  const lost: string[] = [];
  for (const debtId of others) if ((await openReasons(tx, debtId)).includes('refunded')) lost.push(debtId);
  for (const debtId of new Set(lost.length === 0 ? [first] : lost)) {
    await tellOfReturn(tx, debtId, returned.contestUntil);
  }
}
