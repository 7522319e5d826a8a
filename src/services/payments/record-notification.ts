import { OUTBOX_COLUMNS, OUTBOX_ON_CONFLICT } from '../../db/outbox.ts';
import type { Scope } from '../../db/statement.ts';
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
    const key = dataId.toLowerCase();
    // The address that we gave out names the client: one statement. A panel's address does not: the charge tells.
    const stored = account !== null && (await store(deps, account, key, notification.receivedAs));
    if (stored) return;
    const clientId = await ownerOf(deps, key);
    if (clientId !== null && clientId !== account) await store(deps, clientId, key, notification.receivedAs);
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
 * Inbox and outbox at once, in one round trip. The second one of a charge that is still to be told is no second signal.
 * What it writes to the outbox is what `workflows.wakeDebt` would build (a test compares).
 */
const STORE = {
  name: 'payment_notification_store',
  text: `
    with charge as (
      select c.id, c.client_id, c.debt_id, d.campaign_id, d.sandbox, d.clock_offset_ms
      from charges c join debts d on d.id = c.debt_id
      where c.client_id = $1 and c.provider_payment_key = $2
    ), noted as (
      insert into payment_notifications (client_id, charge_id, request_id)
      select client_id, id, $3 from charge
    )
    insert into outbox (${OUTBOX_COLUMNS})
    select gen_random_uuid(), $4, $5, $6 || debt_id, $7,
      jsonb_build_object('clientId', client_id, 'campaignId', campaign_id, 'debtId', debt_id, 'sandbox', sandbox,
        'maxWaitMs', case when sandbox then $9::int end, 'offsetMs', clock_offset_ms, 'firstAt', null),
      $8 || debt_id, current_timestamp(3)
    from charge
    ${OUTBOX_ON_CONFLICT}
    returning id`,
};

async function store(deps: NotificationDeps, clientId: string, key: string, receivedAs: string): Promise<boolean> {
  const notice = deps.workflows.paymentNotice;
  const rows = await deps.db.write({ clientId }, STORE, [
    clientId,
    key,
    receivedAs,
    notice.kind,
    notice.workflow,
    notice.workflowIdPrefix,
    notice.signal,
    notice.dedupePrefix,
    notice.sandboxMaxWaitMs,
  ]);
  if (rows.length > 0) deps.db.notifyOutbox();
  return rows.length > 0;
}

const OWNER = {
  name: 'payment_notification_owner',
  text: 'select client_id as "clientId" from charges where provider_payment_key = $1',
};

/** Visible by the provider's id alone (the policy `notified_charge`), and nothing of it but whose it is. */
async function ownerOf({ db }: NotificationDeps, key: string): Promise<string | null> {
  const scope: Scope = { paymentKey: key };
  const [row] = await db.read<{ clientId: string }>(scope, OWNER, [key]);
  return row?.clientId ?? null;
}
