import { OUTBOX_ON_CONFLICT } from '../../db/outbox.ts';
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
    const told = [key, notification.receivedAs, ...outboxValues(deps)];
    // The address that we gave out names the client. A panel's does not: there the charge tells.
    const { rows } =
      account === null ? { rows: [] } : await deps.db.pool.query({ ...NOTE, values: [...told, account] });
    if (rows.length === 0) await deps.db.pool.query({ ...NOTE_BY_KEY, values: told });
    deps.db.notifyOutbox();
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

const OUTBOX_VALUES = `
  $3, $4, $5 || debt_id, $6,
  jsonb_build_object('clientId', client_id, 'campaignId', campaign_id, 'debtId', debt_id, 'sandbox', sandbox,
    'maxWaitMs', case when sandbox then $8::int end, 'offsetMs', clock_offset_ms, 'firstAt', null),
  $7 || debt_id`;

/** What `workflows.wakeDebt` would build of a debt that nobody has read yet; a test compares. */
function outboxValues({ workflows: { paymentNotice: notice } }: NotificationDeps): readonly (string | number)[] {
  const { kind, workflow, workflowIdPrefix, signal, dedupePrefix, sandboxMaxWaitMs } = notice;
  return [kind, workflow, workflowIdPrefix, signal, dedupePrefix, sandboxMaxWaitMs];
}

/**
 * Inbox and outbox at once, by one message to the server: the statement sets the client's scope, for its own transaction,
 * before it reads. `offset 0` keeps the reading in its place, after the scope whose id it needs; were it ever done first,
 * row security would show it nothing.
 */
const NOTE = {
  name: 'payment_notification_note',
  text: `
    with charge as materialized (
      select found.* from set_config('app.client_id', $9, true) as scope (id) cross join lateral (
        select c.id, c.client_id, c.debt_id, d.campaign_id, d.sandbox, d.clock_offset_ms
        from charges c join debts d on d.id = c.debt_id
        where c.client_id = scope.id::uuid and c.provider_payment_key = $1 offset 0
      ) as found
    ), noted as (
      insert into payment_notifications (client_id, charge_id, request_id) select client_id, id, $2 from charge
    )
    insert into outbox (kind, workflow, workflow_id, signal, payload, dedupe_key)
    select ${OUTBOX_VALUES} from charge
    ${OUTBOX_ON_CONFLICT}
    returning 1`,
};

/** The same by the provider's id alone. */
const NOTE_BY_KEY = { name: 'note_payment', text: 'select note_payment($1, $2, $3, $4, $5, $6, $7, $8)' };
