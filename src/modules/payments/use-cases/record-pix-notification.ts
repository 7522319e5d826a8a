import { hash } from 'node:crypto';
import { AppError } from '../../../kernel/errors.ts';
import { isUuid } from '../../../platform/shared/is-uuid.ts';
import { NOTE_PAYMENTS, NOTE_RECEIVED_PIX } from '../queries/payment-notifications.ts';
import { readPixNotification } from '../rules/read-pix-notification.ts';
import type { PaymentDeps } from './deps.ts';
import { isSecretOfAccount } from './pix-notification-address.ts';

export interface PixNotification {
  /** Both parts of the address at which the notification came. */
  readonly account: string;
  readonly secret: string;
  readonly body: Uint8Array;
  /** The id of our request, for readers of the logs. */
  readonly receivedAs: string;
}

/**
 * The notification is durable once this resolves. The bank is asked before anything is settled: about each charge that is
 * named, and about all payments of the account when one is named that has no charge.
 */
export const recordPixNotification =
  (deps: Pick<PaymentDeps, 'db' | 'workflows' | 'webhookSecrets'>) =>
  async ({ account, secret, body, receivedAs }: PixNotification): Promise<void> => {
    if (!isUuid(account) || !isSecretOfAccount(account, secret, deps.webhookSecrets)) {
      throw new AppError('signature_invalid');
    }
    const told = readPixNotification(body);
    if (told.length === 0) return;
    const txids = told.map(({ txid }) => txid?.toLowerCase() ?? '');
    const charged = told.filter(({ txid }) => txid !== null);
    if (charged.length > 0) {
      await deps.db.runUnscoped(NOTE_PAYMENTS, {
        sandboxMaxWaitMs: deps.workflows.sandboxMaxWaitMs,
        paymentKeys: charged.map(({ txid }) => txid!.toLowerCase()),
        requestIds: charged.map(() => receivedAs),
        // The same news twice is one. News of a refund of the same payment is another.
        signedRequests: charged.map(({ text }) => hash('sha256', `pix ${text}`, 'buffer').toString('base64url', 0, 16)),
      });
    }
    await deps.db.runUnscoped(NOTE_RECEIVED_PIX, { account, txids });
    deps.db.notifyOutbox();
  };
