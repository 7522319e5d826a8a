import { hash } from 'node:crypto';
import { AppError } from '../../domain/errors.ts';
import { type SignedNotification, signedRequestOf } from '../../domain/webhook-signature.ts';
import type { VerifiedNotification } from '../../ports/webhook-verifier.ts';
import { coalesceCalls } from '../shared/coalesce-calls.ts';
import { isUuid } from '../shared/is-uuid.ts';
import type { PaymentDeps } from './deps.ts';

export interface PaymentNotification extends SignedNotification {
  /** `?account=` of the notification address: whose secret may have signed. */
  readonly account: string | undefined;
  /** What it is about; anything but payments changes nothing. */
  readonly type: string | undefined;
  /** Of our request, for whoever reads logs. */
  readonly receivedAs: string;
}

interface NotedPayment {
  readonly paymentKey: string;
  readonly requestId: string;
  /** Null: without a request id no notification can be told from a repeated one. */
  readonly signedRequest: string | null;
}

/** As long as a UUID: no two requests have the same digest by accident. */
const DIGEST_BYTES = 16;

type NotificationDeps = Pick<PaymentDeps, 'db' | 'workflows' | 'verifyWebhook' | 'webhookSecrets' | 'credentials'>;

/** Durable once this resolves; what it means is asked of the provider by the debt's workflow. */
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

/** Inbox and outbox in one transaction; ids that no charge has, and what the inbox holds already, are passed over. */
async function write(deps: NotificationDeps, notes: readonly NotedPayment[]): Promise<undefined[]> {
  const { kind, workflow, workflowIdPrefix, signal, dedupePrefix, sandboxMaxWaitMs } = deps.workflows.paymentNotice;
  await deps.db.pool.query({
    name: 'note_payments',
    // What `workflows.wakeDebt` would build of a debt that nobody has read yet; a test compares.
    text: 'select note_payments($1, $2, $3, $4, $5, $6, $7, $8, $9)',
    values: [
      notes.map(({ paymentKey }) => paymentKey),
      notes.map(({ requestId }) => requestId),
      notes.map(({ signedRequest }) => signedRequest),
      ...[kind, workflow, workflowIdPrefix, signal, dedupePrefix, sandboxMaxWaitMs],
    ],
  });
  deps.db.notifyOutbox();
  return [];
}

/** The client's own secret is read only for what the deployment's secrets have not signed. */
async function verify(
  deps: NotificationDeps,
  notification: PaymentNotification,
  account: string | null,
): Promise<VerifiedNotification | null> {
  const verified = deps.verifyWebhook(notification, deps.webhookSecrets);
  if (verified !== null || account === null || notification.signature === undefined) return verified;
  const secret = (await deps.credentials.mercadoPago(account))?.webhookSecret ?? null;
  return secret === null ? null : deps.verifyWebhook(notification, [secret]);
}
