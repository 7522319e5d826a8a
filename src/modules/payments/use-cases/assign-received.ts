import { randomUUID } from 'node:crypto';
import { AppError } from '../../../kernel/errors.ts';
import { addRequestAudit, type RequestSource } from '../../accounts/queries/add-audit.ts';
import { hasPaidCode, lockReceived, readReceived, setDismissed, setSettled } from '../queries/received-payments.ts';
import { lockPayments } from './apply-report.ts';
import { recordOutsidePayment, type SettleDeps } from './settle-debt.ts';

export interface Assignment {
  readonly clientId: string;
  /** The id of the received payment. */
  readonly id: string;
  readonly debtId: string;
  readonly source: RequestSource;
}

/**
 * A person says which debt a received payment is for, and it is recorded about that debt. A repetition records nothing
 * again. What pays another debt already is taken back first.
 */
export const assignReceived =
  (deps: SettleDeps) =>
  async ({ clientId, id, debtId, source }: Assignment): Promise<void> =>
    deps.db.tenant(clientId).transactional(async (tx) => {
      if ((await readReceived(tx, id)) === undefined) throw new AppError('not_found');
      const before = await lockPayments(tx, debtId);
      if (before === null) throw new AppError('not_found');
      const received = await lockReceived(tx, id);
      if (received === undefined) throw new AppError('not_found');
      if (received.state === 'settled') {
        if (before.rows.some((row) => row.id === received.debtId)) return;
        throw new AppError('debt_state', { detail: 'This payment pays another debt: take it back first.' });
      }
      if (await hasPaidCode(tx, clientId, received.endToEndId)) {
        throw new AppError('debt_state', {
          detail: 'A code of this service was paid by it, and its debt has the money.',
        });
      }
      const paymentId = randomUUID();
      const { amountCentavos, paidAt, method, endToEndId } = received;
      const payment = { clientId, debtId: before.current.id, paymentId, amountCentavos, paidAt, method, endToEndId };
      await recordOutsidePayment(tx, deps, before, { ...payment, note: null, rest: null, source });
      await setSettled(tx, id, { debtId: before.current.id, chargeId: paymentId });
    });

/** A person says that a received payment is for no debt of the client. It is not shown again. */
export const dismissReceived =
  (deps: Pick<SettleDeps, 'db'>) =>
  async ({ clientId, id, source }: Omit<Assignment, 'debtId'>): Promise<void> =>
    deps.db.tenant(clientId).transactional(async (tx) => {
      const received = await lockReceived(tx, id);
      if (received === undefined) throw new AppError('not_found');
      if (received.state === 'dismissed') return;
      if (received.state === 'settled') throw new AppError('debt_state', { detail: 'This payment pays a debt.' });
      await setDismissed(tx, id);
      await addRequestAudit(tx, { clientId, source, action: 'received_payment_dismissed', target: id, details: {} });
    });
