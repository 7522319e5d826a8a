import { AppError } from '../../../kernel/errors.ts';
import { isOutside } from '../../../kernel/payment-providers.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { readAgreement } from '../../agreements/queries/agreements.ts';
import { lockRowsOfDebts } from '../../debts/use-cases/debt-context.ts';
import type { ProviderCharge } from '../ports/payment-provider.ts';
import { type Charge, readCharge, storeCharge } from '../queries/charges.ts';
import { debtsOfReceived, lockKeyOfReceived, lockReceivedByKey, setSettled } from '../queries/received-payments.ts';
import { reportProblem, wasPaid } from '../rules/payment-report.ts';
import { keyOfEndToEnd } from '../rules/received-key.ts';
import { type ChangeContext, lockPayments, type PaymentsOfDebt } from './apply-report.ts';
import { takeBackRecorded } from './undo-settlement.ts';

/**
 * Locks some debts together with those that a file, or a person, has recorded the reported payments about: all at once, in
 * the order in which every transaction locks them.
 */
export async function lockWithRecorded(
  tx: Tx,
  clientId: string,
  debtIds: readonly string[],
  reports: readonly ProviderCharge[],
): Promise<void> {
  const keys = reports.flatMap(({ endToEndId }) => (endToEndId === null ? [] : keyOfEndToEnd(endToEndId)));
  const recorded = keys.length === 0 ? [] : await debtsOfReceived(tx, clientId, keys);
  if (recorded.length > 0) await lockRowsOfDebts(tx, [...debtIds, ...recorded]);
}

/** A debt after a Pix was made to count once. */
interface CountedOnce {
  readonly known: PaymentsOfDebt;
  /** False where the recorded payment of this debt has to stay, because others rely on it: the charge counts for nothing. */
  readonly counts: boolean;
  /** The recorded payment as it was before it was taken back; null where none was. */
  readonly replaced: Charge | null;
}

/**
 * Makes a Pix count once of which a file or a person has told before the provider: by the charge, whose provider also tells
 * what goes back of it. What was recorded is taken back, and nobody is asked any more which debt it pays. The debt is locked.
 */
export async function countOnce(
  context: ChangeContext,
  known: PaymentsOfDebt,
  charge: Charge,
  report: ProviderCharge,
): Promise<CountedOnce> {
  const { endToEndId } = report;
  const unchanged: CountedOnce = { known, counts: true, replaced: null };
  if (endToEndId === null || !isSeenFirst(charge, report)) return unchanged;
  const { tx } = context;
  const { clientId, id: debtId } = known.current;
  const key = keyOfEndToEnd(endToEndId);
  await lockKeyOfReceived(tx, clientId, key);
  const received = await lockReceivedByKey(tx, clientId, key);
  if (received === undefined) return unchanged;
  const paying =
    received.state === 'settled' && received.chargeId !== null ? await readCharge(tx, received.chargeId) : undefined;
  const recorded = paying !== undefined && isOutside(paying) ? paying : null;
  const isTakenBack = recorded !== null && (await tryToTakeBack(context, recorded));
  if (recorded !== null && !isTakenBack) {
    const paid = await debtsPaidBy(tx, recorded);
    if (known.rows.some(({ id }) => paid.includes(id))) {
      await storeCharge(tx, charge.id, { status: 'CANCELLED', endToEndId, askAt: null }, { isAnswer: true });
      return { ...unchanged, counts: false };
    }
  }
  await setSettled(tx, received.id, { debtId, chargeId: charge.id });
  return { known: (await lockPayments(tx, debtId)) ?? known, counts: true, replaced: isTakenBack ? recorded : null };
}

/** Money of an agreement is that of all its debts, also after its end. */
async function debtsPaidBy(tx: Tx, { debtId, agreementId }: Charge): Promise<string[]> {
  const agreement = agreementId === null ? undefined : await readAgreement(tx, agreementId);
  return [debtId, ...(agreement?.debts ?? []).map((one) => one.debtId)];
}

const isSeenFirst = ({ id: reference, amountCentavos, paidCentavos }: Charge, report: ProviderCharge): boolean =>
  paidCentavos === 0 && wasPaid(report) && reportProblem({ reference, amountCentavos }, report) === null;

/** Takes a recorded payment back; returns false where others rely on it, and nothing has changed. */
async function tryToTakeBack(context: ChangeContext, recorded: Charge): Promise<boolean> {
  const of = await lockPayments(context.tx, recorded.debtId);
  if (of === null) return false;
  try {
    await takeBackRecorded(context, of, recorded);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'debt_state') return false;
    throw error;
  }
}
