import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SandboxChargeStatus } from '../../../../kernel/sandbox-charge-status.ts';
import type { SandboxCharge, SandboxChargeChange, SandboxChargeStore } from '../../../messaging/ports/sandbox-store.ts';
import { PaymentProviderError } from '../../ports/payment-provider.ts';
import type { SandboxBank } from '../../ports/sandbox-bank.ts';
import { signatureManifest } from '../../rules/webhook-signature.ts';

interface NotifierOptions {
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
function createNotifier(options: NotifierOptions): (charge: SandboxCharge) => Promise<boolean> {
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

export interface SandboxBankOptions extends NotifierOptions {
  readonly store: SandboxChargeStore;
  readonly now?: () => Date;
}

const DELIVERIES_AT_ONCE = 50;

export function createSandboxBank(options: SandboxBankOptions): SandboxBank {
  const { store, now = () => new Date() } = options;
  const notify = createNotifier(options);

  async function find(id: string): Promise<SandboxCharge> {
    const charge = await store.get(id);
    if (charge === null) throw new PaymentProviderError('not_found', 'the sandbox does not know this charge');
    return charge;
  }

  async function notifyIfDue(charge: SandboxCharge): Promise<boolean> {
    if (charge.notifiedAt >= charge.updatedAt || !(await notify(charge))) return false;
    // Only the state that was read before is marked as notified, so that a later change is still notified.
    await store.markNotified(charge.id, charge.updatedAt);
    return true;
  }

  async function move(
    charge: SandboxCharge,
    from: readonly SandboxChargeStatus[],
    change: (at: Date) => SandboxChargeChange,
  ): Promise<void> {
    // Two changes within a millisecond must have different moments, because receivers compare the moments.
    const at = new Date(Math.max(now().getTime(), charge.updatedAt.getTime() + 1));
    const changed = await store.change(charge.id, from, change(at));
    if (changed === null) {
      const current = await find(charge.id);
      if (current.status !== change(at).status) {
        throw new PaymentProviderError('conflict', `the charge is ${current.status}`);
      }
      await notifyIfDue(current);
      return;
    }
    await notifyIfDue(changed);
  }

  return {
    async pay(id, { amountCentavos } = {}) {
      const charge = await find(id);
      if (charge.status === 'pending' && charge.expiresAt <= now()) {
        throw new PaymentProviderError('conflict', 'the charge has expired');
      }
      await move(charge, ['pending'], (at) => ({
        status: 'approved',
        statusDetail: 'accredited',
        paidAmountCentavos: amountCentavos ?? charge.amountCentavos,
        paidAt: at,
        endToEndId: endToEndId(charge.id, at),
        updatedAt: at,
      }));
    },

    async refund(id, amountCentavos) {
      const charge = await find(id);
      const refundedCentavos = amountCentavos ?? charge.paidAmountCentavos;
      const total = refundedCentavos >= charge.paidAmountCentavos;
      await move(charge, ['approved'], (at) => ({
        status: total ? 'refunded' : 'approved',
        statusDetail: total ? 'refunded' : 'partially_refunded',
        refundedCentavos,
        updatedAt: at,
      }));
    },

    async takeBack(id, kind, amountCentavos) {
      const charge = await find(id);
      const at = now();
      const left = charge.paidAmountCentavos - charge.refundedCentavos;
      const reversal = { id: randomUUID(), kind, amountCentavos: amountCentavos ?? left, at: at.toISOString() };
      const changed = await store.giveBack(id, reversal, at);
      if (changed === null) throw new PaymentProviderError('conflict', 'so much cannot be taken back');
      await notifyIfDue(changed);
    },

    async chargeBack(id) {
      const charge = await find(id);
      await move(charge, ['approved'], (at) => ({
        status: 'charged_back',
        statusDetail: 'in_process',
        updatedAt: at,
        reversal: {
          id: randomUUID(),
          kind: 'chargeback',
          amountCentavos: charge.paidAmountCentavos - charge.refundedCentavos,
          at: at.toISOString(),
        },
      }));
    },

    async reverseChargeback(id) {
      const charge = await find(id);
      await move(charge, ['charged_back'], (at) => ({
        status: 'approved',
        statusDetail: charge.refundedCentavos > 0 ? 'partially_refunded' : 'accredited',
        updatedAt: at,
      }));
    },

    async deliverDue() {
      const due = await store.listUnnotified(DELIVERIES_AT_ONCE);
      const confirmations = await Promise.all(due.map(notifyIfDue));
      return confirmations.filter(Boolean).length;
    },
  };
}

/** Writes `E`, ISPB, minute and 11 characters like the Pix system; this ISPB belongs to no bank. */
function endToEndId(chargeId: string, at: Date): string {
  const minute = at.toISOString().replace(/\D/g, '').slice(0, 12);
  return `E99999999${minute}${chargeId.replaceAll(/[^a-z0-9]/g, '').slice(-11)}`;
}
