import { AppError } from '../../domain/errors.ts';
import type { SignedNotification } from '../../domain/webhook-signature.ts';
import type { VerifiedNotification } from '../../ports/webhook-verifier.ts';
import { isUuid } from '../is-uuid.ts';
import type { PaymentDeps } from './deps.ts';

export interface PaymentNotification extends SignedNotification {
  /** `?account=` of the notification address: whose secret may have signed. */
  readonly account: string | undefined;
  /** What it is about; anything but payments changes nothing. */
  readonly type: string | undefined;
  /** Of our request, for whoever reads logs. */
  readonly receivedAs: string;
}

type NotificationDeps = Pick<PaymentDeps, 'db' | 'workflows' | 'verifyWebhook' | 'webhookSecrets' | 'credentials'>;

/** Durable once this resolves; what it means is asked of the provider by the debt's workflow. */
export const recordNotification =
  (deps: NotificationDeps) =>
  async (notification: PaymentNotification): Promise<void> => {
    const account = isUuid(notification.account) ? notification.account : null;
    const verified = await verify(deps, notification, account);
    if (verified === null) throw new AppError('signature_invalid');
    const { dataId } = verified;
    if (dataId === null || (notification.type ?? 'payment') !== 'payment') return;
    await note(deps, account, dataId.toLowerCase(), notification.receivedAs);
  };

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

/**
 * Inbox and outbox at once, by one message to the server: the function finds the charge by the account that our own
 * address names, or else by the provider's id alone. What it writes to the outbox is what `workflows.wakeDebt` would
 * build (a test compares). False: nobody's charge is called so.
 */
const NOTE = {
  name: 'note_payment',
  text: 'select note_payment($1, $2, $3, $4, $5, $6, $7, $8, $9) as noted',
};

async function note(deps: NotificationDeps, account: string | null, key: string, receivedAs: string): Promise<void> {
  const notice = deps.workflows.paymentNotice;
  const { rows } = await deps.db.pool.query<{ noted: boolean }>({
    ...NOTE,
    values: [
      account,
      key,
      receivedAs,
      notice.kind,
      notice.workflow,
      notice.workflowIdPrefix,
      notice.signal,
      notice.dedupePrefix,
      notice.sandboxMaxWaitMs,
    ],
  });
  if (rows[0]?.noted === true) deps.db.notifyOutbox();
}
