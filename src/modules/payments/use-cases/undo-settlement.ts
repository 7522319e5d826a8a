import { DAY } from '../../../kernel/calendar.ts';
import { AppError } from '../../../kernel/errors.ts';
import { isOutside } from '../../../kernel/payment-providers.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { addRequestAudit, type RequestSource } from '../../accounts/queries/add-audit.ts';
import { debtNow } from '../../debts/use-cases/clock.ts';
import type { DebtContext } from '../../debts/use-cases/debt-context.ts';
import { type Charge, readCharge } from '../queries/charges.ts';
import { isAgreedSince, lockReceivedOfCharge, readReceived, setUndone } from '../queries/received-payments.ts';
import { refundsOfCharges } from '../queries/refunds.ts';
import { UNDO_DAYS } from '../rules/undo-days.ts';
import { type LockedAgreement, lockAgreement } from './agreement-money.ts';
import { type ChangeContext, lockPayments, type PaymentsOfDebt } from './apply-report.ts';
import { takeBackOfAgreement } from './reopen-agreement.ts';
import type { SettleDeps } from './settle-debt.ts';
import { takeBack } from './take-back.ts';

export interface UndoRequest {
  readonly clientId: string;
  /** The id of a received payment, or of a payment that was recorded by hand. */
  readonly id: string;
  readonly source: RequestSource;
}

export interface UndoneSettlement {
  readonly settlementId: string;
  readonly debtId: string;
  readonly paymentId: string;
}

/**
 * Takes a payment back that the client had recorded about the wrong debt, with everything that followed from it. A
 * repetition changes nothing. What a file told of can be assigned to another debt afterwards.
 */
export const undoSettlement =
  (deps: SettleDeps) =>
  async ({ clientId, id, source }: UndoRequest): Promise<UndoneSettlement> =>
    deps.db.tenant(clientId).transactional(async (tx) => {
      const charge = await paymentToUndo(tx, id);
      const known = await lockPayments(tx, charge.debtId);
      const locked = await readCharge(tx, charge.id);
      if (known === null || locked === undefined) throw new AppError('not_found');
      const done = { settlementId: id, debtId: known.current.id, paymentId: locked.id };
      if (locked.undoneAt !== null) return done;
      if (deps.now().getTime() - locked.createdAt.getTime() > UNDO_DAYS * DAY) {
        throw refuse(`A payment can be taken back within ${UNDO_DAYS} days.`);
      }
      const received = await lockReceivedOfCharge(tx, locked.id);
      const context = {
        tx,
        deps,
        momentOf: (row: DebtContext): number => debtNow(row.clockOffsetMs, deps.now().getTime()),
      };
      await takeBackRecorded(context, known, locked);
      if (received !== undefined) await setUndone(tx, received.id);
      const details = { paymentId: locked.id, settlementId: received?.id ?? null };
      await addRequestAudit(tx, { clientId, source, action: 'payment_undone', target: locked.debtId, details });
      return done;
    });

/**
 * Takes a payment of a locked debt back, with everything that followed from it. Where others rely on it, it refuses before
 * anything has changed.
 */
export async function takeBackRecorded(context: ChangeContext, known: PaymentsOfDebt, charge: Charge): Promise<void> {
  const agreement = charge.agreementId === null ? null : await lockAgreement(context.tx, charge.agreementId);
  await requireUnreliedOn(context.tx, known, charge, agreement);
  if (agreement === null) await takeBack(context, known, new Set([charge.id]));
  else await takeBackOfAgreement(context, agreement, charge);
}

async function paymentToUndo(tx: Tx, id: string): Promise<Charge> {
  const received = await readReceived(tx, id);
  if (received !== undefined && received.chargeId === null) throw refuse('It pays no debt yet.');
  const charge = await readCharge(tx, received?.chargeId ?? id);
  if (received !== undefined && charge !== undefined && !isOutside(charge)) throw refuse('It has paid a code.');
  if (charge === undefined || !isOutside(charge)) throw new AppError('not_found');
  return charge;
}

async function requireUnreliedOn(
  tx: Tx,
  { current, charges }: PaymentsOfDebt,
  charge: Charge,
  agreement: LockedAgreement | null,
): Promise<void> {
  if (charge.refundedCentavos > 0 || charge.chargedBackAt !== null) throw refuse('Money of this payment went back.');
  // Nobody is left who could be asked for the money.
  if (current.erased) throw refuse('The data of this debtor was erased.');
  // A second payment would settle the debt now, and then the creditor would not have it.
  const second = charges.filter(({ id, duplicate }) => duplicate && id !== charge.id).map(({ id }) => id);
  if ((await refundsOfCharges(tx, second)).some(({ state }) => state === 'pending')) {
    throw refuse('Another payment of this debt is being given back: wait until that has ended.');
  }
  // All debts of an agreement that has ended got its money.
  const identityIds = [current, ...(agreement?.rows ?? [])].map(({ identityId }) => identityId);
  if (await isAgreedSince(tx, identityIds, charge)) {
    throw refuse('An agreement was made since, which counts on this payment: cancel it first.');
  }
}

const refuse = (detail: string): AppError => new AppError('debt_state', { detail });
