import { appendFileSync, readFileSync } from 'node:fs';

/** What a debtor may say. The words are in `bench/chaos/world/debtors.ts`. */
export type Said = 'opt_out' | 'dispute' | 'question' | 'promise' | 'negotiate' | 'accept';

/** What a message tells its reader about an agreement: that it was made, or which of its instalments is due. */
export type Told =
  | { readonly kind: 'agreed'; readonly protocol: string }
  | { readonly kind: 'day_before' | 'due_day' | 'warning'; readonly instalment: number };

/** Something that happened outside the product. `at` is real time in milliseconds. */
export type Happening =
  /** From now on the clock of the service is ahead of real time by this. No process with another offset runs. */
  | { readonly kind: 'clock'; readonly offsetMs: number }
  | {
      readonly kind: 'debt_imported';
      readonly clientId: string;
      readonly invoiceId: string;
      readonly cpf: string;
      readonly phone: string;
      readonly amountCentavos: number;
      readonly dueDate: string;
      /** How many days before the due date the campaign reminds; absent where it does not. */
      readonly reminders?: readonly number[];
    }
  /** The channel has taken a message, whether its answer arrived or not. */
  | {
      readonly kind: 'message_taken';
      readonly clientId: string;
      readonly channelMessageId: string;
      /** The service's own id, as the channel repeats it. */
      readonly messageId: string | null;
      readonly to: string;
      readonly form: 'template' | 'text' | 'document';
      readonly template: string | null;
      readonly textHash: string;
      /** Whether its reader finds a word of debt, delay or collection in it. */
      readonly speaksOfDebt?: boolean;
      /** Absent where it tells nothing of an agreement. */
      readonly told?: Told;
    }
  | {
      readonly kind: 'debtor_wrote';
      readonly clientId: string;
      readonly from: string;
      readonly channelMessageId: string;
      readonly said: Said;
      /** The promised date at the debtor's place. */
      readonly promisedFor: string | null;
    }
  /** The service has answered 200 for the first time to the message of a debtor. */
  | { readonly kind: 'message_accepted'; readonly clientId: string; readonly channelMessageId: string }
  | {
      readonly kind: 'charge_made';
      readonly clientId: string;
      readonly providerPaymentId: string;
      /** The product's id of the charge. */
      readonly reference: string;
    }
  | {
      readonly kind: 'payment_made';
      readonly clientId: string;
      readonly providerPaymentId: string;
      readonly centavos: number;
    }
  /** The service has answered 200 for the first time to a notification about the payment. */
  | { readonly kind: 'notification_accepted'; readonly clientId: string; readonly providerPaymentId: string }
  /** The receiver of a client's webhook has taken an event. */
  | { readonly kind: 'event_taken'; readonly clientId: string; readonly eventId: string }
  | { readonly kind: 'fault_began'; readonly fault: string; readonly on: string; readonly number: number }
  | { readonly kind: 'fault_ended'; readonly number: number }
  /** All days were played: no debt may wait for another contact. */
  | { readonly kind: 'campaign_over' };

export type Written = Happening & { readonly at: number };

/** An entry with the clock that the service had at that moment. */
export type Entry = Written & { readonly clock: number };

/** Adds one line in one write, so that several processes may write the same file. */
export function writeEntry(file: string, happening: Happening, at = Date.now()): void {
  appendFileSync(file, `${JSON.stringify({ at, ...happening })}\n`);
}

/** Gives each entry the service's clock. The order of the file decides, because it is the order of writing. */
export function withClock(written: readonly Written[]): readonly Entry[] {
  let offsetMs = 0;
  return written.map((entry) => {
    if (entry.kind === 'clock') offsetMs = entry.offsetMs;
    return { ...entry, clock: entry.at + offsetMs };
  });
}

export function readLog(file: string): readonly Entry[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return withClock(lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Written));
}

export const ofKind = <Kind extends Happening['kind']>(
  log: readonly Entry[],
  kind: Kind,
): readonly Extract<Entry, { readonly kind: Kind }>[] =>
  log.filter((entry): entry is Extract<Entry, { readonly kind: Kind }> => entry.kind === kind);
