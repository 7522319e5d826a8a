import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SandboxCharge } from '../../../messaging/ports/sandbox-store.ts';
import { signatureManifest } from '../../rules/webhook-signature.ts';

export interface NotifierOptions {
  /**
   * The internal address of this deployment's API, which may differ from the public one; null when this process cannot
   * reach it.
   */
  readonly webhookBaseUrl: string | (() => string | null);
  readonly webhookSecret: string;
  readonly timeoutMs?: number;
  readonly attempts?: number;
  readonly retryBaseMs?: number;
}

const WEBHOOK_PATH = '/api/payments/webhook';

/** Returns true when the receiver has confirmed; after false the notification stays due. */
export function createNotifier(options: NotifierOptions): (charge: SandboxCharge) => Promise<boolean> {
  const { webhookBaseUrl, webhookSecret, timeoutMs = 10_000, attempts = 3, retryBaseMs = 200 } = options;

  return async function notify(charge) {
    const base = typeof webhookBaseUrl === 'string' ? webhookBaseUrl : webhookBaseUrl();
    if (base === null) return false;
    const url = new URL(base.replace(/\/+$/, '') + WEBHOOK_PATH);
    url.search = new URL(charge.notificationUrl).search;
    url.searchParams.set('data.id', charge.id);
    url.searchParams.set('type', 'payment');
    const body = JSON.stringify({ action: 'payment.updated', type: 'payment', data: { id: charge.id } });
    for (let number = 1; number <= attempts; number += 1) {
      if (number > 1) await sleep(retryBaseMs * 2 ** (number - 2));
      if (await post(url, body, signedHeaders(charge.id, webhookSecret), timeoutMs)) return true;
    }
    return false;
  };
}

function signedHeaders(dataId: string, secret: string): Record<string, string> {
  const requestId = randomUUID();
  const ts = String(Math.floor(Date.now() / 1_000));
  const v1 = createHmac('sha256', secret).update(signatureManifest({ dataId, requestId, ts })).digest('hex');
  return { 'content-type': 'application/json', 'x-request-id': requestId, 'x-signature': `ts=${ts},v1=${v1}` };
}

async function post(url: URL, body: string, headers: Record<string, string>, timeoutMs: number): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' });
    await response.body?.cancel();
    return response.ok;
  } catch {
    // The receiver is down or slow; the caller records that the notification stays due.
    return false;
  }
}
