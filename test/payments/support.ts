import { createHmac, randomUUID } from 'node:crypto';
import { signatureManifest } from '../../src/modules/payments/rules/webhook-signature.ts';
import type { AppOptions } from '../../testing/app.ts';
import { type CampaignsApp, startCampaignsApp, type TestClient } from '../../testing/campaigns-app.ts';
import { debtInput } from '../../testing/debts.ts';
import type { TimelineEntry } from '../../testing/engine-harness.ts';
import { until } from '../../testing/poll.ts';

export const WEBHOOK_SECRET = 'payment_webhook_secret-of-the-tests';

export interface Payment {
  readonly debtId: string;
  readonly paymentId: string | null;
  readonly providerPaymentId: string | null;
  readonly status: string;
  readonly amount: number;
  readonly brCode: string | null;
  readonly expiresAt: string | null;
  readonly paidAt: string | null;
}

let nextDebt = 1;

export const ALL_ROLES = ['api', 'worker', 'relay'] as const;

export interface Debtor {
  readonly client: TestClient;
  readonly campaignId: string;
  readonly id: string;
}

/** Creates a debt in a separate draft; on a deployment with sandbox adapters it can be paid without a launch. */
export async function newDebt(app: CampaignsApp, given: object = {}, owner?: TestClient): Promise<Debtor> {
  const client = owner ?? (await app.newClient());
  const campaignId = await client.createCampaign();
  const { body } = await client.importJson(campaignId, [debtInput(nextDebt++, given)]);
  if (body.imported !== 1) throw new Error(`not imported: ${JSON.stringify(body)}`);
  const list = await client.call('GET', `/api/campaigns/${campaignId}/debts`);
  return { client, campaignId, id: list.body.items[0].id };
}

export const readPayment = async ({ client, id }: Debtor): Promise<Payment> =>
  (await client.call('GET', `/api/payments/${id}`)).body;

export const readDebt = async ({ client, id }: Debtor) => (await client.call('GET', `/api/debts/${id}`)).body;

export async function timelineOf(debtor: Debtor): Promise<TimelineEntry[]> {
  const debt = await readDebt(debtor);
  if (debt.timeline === undefined) throw new Error(`no timeline: ${JSON.stringify(debt)}`);
  return debt.timeline;
}

export const paymentEvents = async (debtor: Debtor): Promise<TimelineEntry[]> =>
  (await timelineOf(debtor)).filter(({ kind }) => kind.startsWith('payment_'));

export const payInSandbox = ({ client, id }: Debtor) => client.call('POST', `/api/sandbox/debts/${id}/pay`);

export const untilStatus = (debtor: Debtor, status: string, timeoutMs = 25_000): Promise<Payment> =>
  until(
    `payment ${status}`,
    async () => {
      const payment = await readPayment(debtor);
      return payment.status === status ? payment : null;
    },
    { timeoutMs },
  );

interface Notification {
  readonly secret?: string;
  readonly account?: string;
  readonly ts?: string;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Returns a notification as the provider sends and signs it. */
export function notification(dataId: string, given: Notification = {}) {
  const { secret = WEBHOOK_SECRET, ts = String(Math.floor(Date.now() / 1000)), type = 'payment' } = given;
  const requestId = randomUUID();
  const v1 = createHmac('sha256', secret).update(signatureManifest({ dataId, requestId, ts })).digest('hex');
  const query = new URLSearchParams({ 'data.id': dataId, type });
  if (given.account !== undefined) query.set('account', given.account);
  return {
    path: `/api/payments/webhook?${query}`,
    body: given.body ?? JSON.stringify({ action: 'payment.updated', type, data: { id: dataId } }),
    headers: { 'x-signature': `ts=${ts},v1=${v1}`, 'x-request-id': requestId, ...given.headers },
  };
}

export async function notify(app: CampaignsApp, dataId: string, given: Notification = {}): Promise<number> {
  const { path, body, headers } = notification(dataId, given);
  return (await app.call('POST', path, { body, headers: { 'content-type': 'application/json', ...headers } })).status;
}

export const startPaymentsApp = (options: AppOptions = {}): Promise<CampaignsApp> =>
  startCampaignsApp({ roles: ALL_ROLES, ...options, env: { SANDBOX_MAX_WAIT: '300ms', ...options.env } });
