import { createHash, randomUUID } from 'node:crypto';
import { staticBrCode } from '../../../../kernel/brcode.ts';
import { contestUntilOf, type SandboxReversal } from '../../../../kernel/reversal-kinds.ts';
import type { SandboxChargeStatus } from '../../../../kernel/sandbox-charge-status.ts';
import type { SandboxCharge, SandboxChargeStore } from '../../../messaging/ports/sandbox-store.ts';
import {
  type CreateChargeInput,
  type Instrument,
  type PaymentProvider,
  PaymentProviderError,
  type ProviderCharge,
  type ProviderPaymentStatus,
  refuseBadCharge,
  refuseBadRefund,
} from '../../ports/payment-provider.ts';
import type { ProviderReversal } from '../../rules/refunds.ts';

export interface SandboxProviderOptions {
  readonly store: SandboxChargeStore;
  readonly now?: () => Date;
}

const STATUSES: Readonly<Record<SandboxChargeStatus, ProviderPaymentStatus>> = {
  pending: 'PENDING',
  approved: 'APPROVED',
  cancelled: 'CANCELLED',
  refunded: 'CANCELLED',
  charged_back: 'CANCELLED',
};

export function createSandboxProvider({ store, now = () => new Date() }: SandboxProviderOptions): PaymentProvider {
  const find = async (id: string) => {
    const charge = await store.get(id);
    if (charge === null) throw new PaymentProviderError('not_found', 'the sandbox does not know this charge');
    return charge;
  };

  return {
    name: 'sandbox',

    async createCharge(input) {
      const at = now();
      refuseBadCharge(input, at.getTime());
      const asked = newCharge(input, at);
      const charge = await store.insert(asked);
      if (charge.fingerprint !== asked.fingerprint) {
        throw new PaymentProviderError('conflict', 'the idempotency key was used for another charge');
      }
      return { providerPaymentId: charge.id, instruments: instrumentsOf(charge), expiresAt: charge.expiresAt };
    },

    getCharge: async (id) => toProviderCharge(await find(id), now()),

    async cancelCharge(id) {
      const at = now();
      const change = { status: 'cancelled', statusDetail: 'by_collector', updatedAt: at, notifiedAt: at } as const;
      const charge = (await store.change(id, ['pending'], change)) ?? (await find(id));
      if (charge.status !== 'cancelled') throw new PaymentProviderError('conflict', 'the charge was paid meanwhile');
      return toProviderCharge(charge, at);
    },

    async searchByExternalReference(externalReference) {
      const at = now();
      return (await store.findByExternalReference(externalReference)).map((charge) => toProviderCharge(charge, at));
    },

    capabilities: () => ({ instruments: ['pix'], refundDays: 90, listsReceived: false }),

    async refund(input) {
      refuseBadRefund(input);
      const { refundId: id, providerPaymentId, amountCentavos } = input;
      const at = now();
      const asked = { id, kind: 'refund', amountCentavos, at: at.toISOString() } as const;
      const charge = (await store.giveBack(providerPaymentId, asked, at)) ?? (await find(providerPaymentId));
      const given = charge.reversals.find((one) => one.id === id);
      if (given === undefined) throw new PaymentProviderError('conflict', 'so much cannot be given back');
      if (given.amountCentavos !== amountCentavos) {
        throw new PaymentProviderError('conflict', 'the id was used for another refund');
      }
      return toReversal(charge, given);
    },

    async listReceived() {
      throw new PaymentProviderError('unsupported', 'every payment of the sandbox has a charge');
    },

    // Each charge names its own address.
    registerNotifications: async () => ({ before: null }),
    notificationAddress: async () => null,

    checkCredentials: async () => ({ accountId: 'sandbox', certificateExpiresAt: null }),
  };
}

function newCharge(input: CreateChargeInput, at: Date): SandboxCharge {
  const uuid = randomUUID();
  return {
    id: `sbx_${uuid}`,
    idempotencyKey: input.idempotencyKey,
    fingerprint: fingerprint(input),
    status: 'pending',
    statusDetail: 'pending_waiting_transfer',
    amountCentavos: input.amountCentavos,
    paidAmountCentavos: 0,
    refundedCentavos: 0,
    currency: 'BRL',
    externalReference: input.externalReference,
    // No bank knows this key, so the code can be read like a real one but cannot move money.
    brCode: staticBrCode({
      key: uuid,
      amountCentavos: input.amountCentavos,
      merchantName: 'TESTE SEM VALOR',
      merchantCity: 'SAO PAULO',
      txid: uuid.replaceAll('-', '').slice(0, 25),
    }),
    notificationUrl: input.notificationUrl,
    endToEndId: null,
    expiresAt: input.payable.expiresAt,
    paidAt: null,
    createdAt: at,
    updatedAt: at,
    notifiedAt: at,
    reversals: [],
  };
}

/** The payer is not included, because the sandbox stores nothing about a person. */
function fingerprint(input: CreateChargeInput): string {
  const { amountCentavos, description, externalReference, notificationUrl, payable } = input;
  const asked = [amountCentavos, description, externalReference, notificationUrl, payable.expiresAt.toISOString()];
  return createHash('sha256').update(JSON.stringify(asked)).digest('hex');
}

function toProviderCharge(charge: SandboxCharge, at: Date): ProviderCharge {
  const lapsed = charge.status === 'pending' && charge.expiresAt <= at;
  const status = lapsed ? 'cancelled' : charge.status;
  return {
    providerPaymentId: charge.id,
    status: STATUSES[status],
    rawStatus: status,
    statusDetail: lapsed ? 'expired' : charge.statusDetail,
    amountCentavos: charge.amountCentavos,
    paidAmountCentavos: charge.paidAmountCentavos,
    refundedCentavos: charge.refundedCentavos,
    currency: charge.currency,
    externalReference: charge.externalReference,
    paidAt: charge.paidAt,
    endToEndId: charge.endToEndId,
    expiresAt: charge.expiresAt,
    updatedAt: charge.updatedAt,
    chargedBack: charge.status === 'charged_back',
    instruments: instrumentsOf(charge),
    settlements:
      charge.paidAt === null
        ? []
        : [
            {
              endToEndId: charge.endToEndId,
              amountCentavos: charge.paidAmountCentavos,
              components: null,
              paidAt: charge.paidAt,
              creditedAt: charge.paidAt,
              channel: 'pix',
            },
          ],
    reversals: charge.reversals.map((one) => toReversal(charge, one)),
  };
}

function toReversal(
  { status }: SandboxCharge,
  { id, kind, amountCentavos, at: text }: SandboxReversal,
): ProviderReversal {
  const at = new Date(text);
  // A dispute that ended in favour of the creditor has taken nothing back.
  const state = kind === 'chargeback' && status !== 'charged_back' ? 'failed' : 'done';
  return { id, kind, state, amountCentavos, at, contestUntil: contestUntilOf(kind, at) };
}

const instrumentsOf = ({ brCode }: Pick<SandboxCharge, 'brCode'>): readonly Instrument[] => [{ kind: 'pix', brCode }];
