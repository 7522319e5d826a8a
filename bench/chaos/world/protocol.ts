import type { ChannelCredentials } from '../../../src/modules/messaging/ports/messaging-channel.ts';
import type { PixCredentials } from '../../../src/modules/payments/ports/payment-provider.ts';
import type { Person } from '../people.ts';
import type { AnswerFault } from './faulty-proxy.ts';

/** The file that the process gets as its argument. */
export interface WorldPlan {
  readonly seed: number;
  readonly people: readonly Person[];
  readonly logFile: string;
}

/** The first line that it writes. */
export interface Opened {
  readonly mercadopagoUrl: string;
  readonly whatsappUrl: string;
  readonly receiverUrl: string;
  /** Of each client in order; the last client has its account at the bank with the API Pix. */
  readonly accounts: readonly {
    readonly accountId: string;
    readonly accessToken: string;
    readonly webhookSecret: string;
  }[];
  readonly pixAccount: PixCredentials;
  readonly senders: readonly ChannelCredentials[];
}

export type FaultyParty = 'whatsapp' | 'banks' | 'receiver';

export type Order =
  | {
      readonly kind: 'open';
      readonly apiUrl: string;
      readonly clientIds: readonly string[];
      /** Where the bank with the API Pix tells of payments. */
      readonly pixUrl: string;
    }
  | { readonly kind: 'clock'; readonly offsetMs: number }
  | { readonly kind: 'fault'; readonly on: FaultyParty; readonly fault: AnswerFault | null }
  | { readonly kind: 'state' };

/** Each command is answered with its id and the state. */
export type Command = Order & { readonly id: number };

export interface State {
  /** What is not accepted by the service yet, and what debtors are about to do. */
  readonly waiting: number;
  readonly acting: number;
}
