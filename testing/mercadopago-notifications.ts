import { createHmac, randomUUID } from 'node:crypto';
import type { FakePayment } from './mercadopago-payment.ts';

export interface NotificationOptions {
  readonly tsUnit?: 's' | 'ms';
  /** The provider's documentation signs the id in lower case, and its libraries sign it as sent. */
  readonly casing?: 'lower' | 'verbatim';
  readonly requestId?: string;
  readonly action?: 'payment.created' | 'payment.updated';
  readonly type?: string;
  /** Replaces the charge's own address, for a server at another address. */
  readonly baseUrl?: string;
  readonly at?: Date;
}

export interface BuiltNotification {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function buildNotification(
  payment: FakePayment,
  secret: string,
  options: NotificationOptions,
): BuiltNotification {
  const { tsUnit = 's', casing = 'lower', type = 'payment', action = 'payment.updated', at = new Date() } = options;
  const requestId = options.requestId ?? randomUUID();
  const dataId = String(payment.id);
  const ts = String(tsUnit === 's' ? Math.floor(at.getTime() / 1_000) : at.getTime());
  const signedId = casing === 'lower' ? dataId.toLowerCase() : dataId;
  const v1 = createHmac('sha256', secret).update(`id:${signedId};request-id:${requestId};ts:${ts};`).digest('hex');
  const address = new URL(payment.notification_url);
  const url = new URL(address.pathname + address.search, options.baseUrl ?? address.origin);
  url.searchParams.set('data.id', dataId);
  url.searchParams.set('type', type);
  return {
    url: url.href,
    headers: { 'content-type': 'application/json', 'x-signature': `ts=${ts},v1=${v1}`, 'x-request-id': requestId },
    body: JSON.stringify({
      id: Math.floor(Math.random() * 1e9),
      live_mode: true,
      type,
      date_created: at.toISOString(),
      user_id: 44_444,
      api_version: 'v1',
      action,
      data: { id: dataId },
    }),
  };
}

export async function sendNotification(notification: BuiltNotification): Promise<number> {
  const response = await fetch(notification.url, {
    method: 'POST',
    headers: notification.headers,
    body: notification.body,
    signal: AbortSignal.timeout(22_000),
  });
  await response.body?.cancel();
  return response.status;
}
