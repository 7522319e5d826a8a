import { hash } from 'node:crypto';
import { AppError } from '../../../kernel/errors.ts';
import { coalesceCalls } from '../../../platform/shared/coalesce-calls.ts';
import { isUuid } from '../../../platform/shared/is-uuid.ts';
import type { VerifiedNotification } from '../ports/webhook-verifier.ts';
import { NOTE_PAYMENTS } from '../queries/payment-notifications.ts';
import { type SignedNotification, signedRequestOf } from '../rules/webhook-signature.ts';
import type { PaymentDeps } from './deps.ts';

export interface PaymentNotification extends SignedNotification {
  /** The parameter `account` of the notification's address: the client whose secret may have signed it. */
  readonly account: string | undefined;
  /** The topic. A notification about anything but payments changes nothing. */
  readonly type: string | undefined;
  /** The id of our request, for readers of the logs. */
  readonly receivedAs: string;
}

interface NotedPayment {
  readonly paymentKey: string;
  readonly requestId: string;
  /** Null when there is no request id, so that nobody can see whether the notification is a repetition. */
  readonly signedRequest: string | null;
}

/** The digest is as long as a UUID, so that no two requests have the same one by accident. */
const DIGEST_BYTES = 16;

type NotificationDeps = Pick<PaymentDeps, 'db' | 'workflows' | 'verifyWebhook' | 'webhookSecrets' | 'credentials'>;

/** The notification is durable once this resolves. The debt's workflow then asks the provider what it means. */
export const recordNotification = (deps: NotificationDeps) => {
  const note = coalesceCalls<NotedPayment, undefined>((notes) => write(deps, notes));
  return async (notification: PaymentNotification): Promise<void> => {
    const account = isUuid(notification.account) ? notification.account : null;
    const verified = await verify(deps, notification, account);
    if (verified === null) throw new AppError('signature_invalid');
    const { dataId } = verified;
    if (dataId === null || (notification.type ?? 'payment') !== 'payment') return;
    await note({
      paymentKey: dataId.toLowerCase(),
      requestId: notification.receivedAs,
      signedRequest: digestOf(signedRequestOf(notification)),
    });
  };
};

/** The constraint that keeps a request single has a smaller index for 22 characters than for the whole request. */
const digestOf = (signedRequest: string | null): string | null =>
  signedRequest === null ? null : hash('sha256', signedRequest, 'buffer').toString('base64url', 0, DIGEST_BYTES);

/**
 * Writes to inbox and outbox in one transaction. Ids that no charge has, and notifications that the inbox has already,
 * are ignored.
 */
async function write(deps: NotificationDeps, notes: readonly NotedPayment[]): Promise<undefined[]> {
  await deps.db.runUnscoped(NOTE_PAYMENTS, {
    sandboxMaxWaitMs: deps.workflows.sandboxMaxWaitMs,
    paymentKeys: notes.map(({ paymentKey }) => paymentKey),
    requestIds: notes.map(({ requestId }) => requestId),
    signedRequests: notes.map(({ signedRequest }) => signedRequest),
  });
  deps.db.notifyOutbox();
  return [];
}

/**
 * Reads the client's own secrets only for a notification that none of the deployment's secrets has signed. An account
 * that was replaced still notifies about the charges that it made.
 */
async function verify(
  deps: NotificationDeps,
  notification: PaymentNotification,
  account: string | null,
): Promise<VerifiedNotification | null> {
  const verified = deps.verifyWebhook(notification, deps.webhookSecrets);
  if (verified !== null || account === null || notification.signature === undefined) return verified;
  return deps.verifyWebhook(notification, await deps.credentials.webhookSecrets(account));
}
