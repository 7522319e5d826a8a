import type { MessagingErrorKind } from '../../ports/messaging-channel.ts';

export interface TwilioFailure {
  readonly kind: MessagingErrorKind;
  readonly scope: 'recipient' | 'sender';
}

const table = (
  scope: 'recipient' | 'sender',
  kinds: Partial<Record<MessagingErrorKind, readonly number[]>>,
): readonly (readonly [string, TwilioFailure])[] =>
  Object.entries(kinds).flatMap(([kind, codes]) =>
    codes.map((code) => [String(code), { kind: kind as MessagingErrorKind, scope }] as const),
  );

/** The codes of Twilio's error dictionary that concern an SMS, as answers of its API or in status callbacks. */
const FAILURES: ReadonlyMap<string, TwilioFailure> = new Map([
  ...table('sender', {
    retryable: [
      14107, // The sender has exceeded its rate.
      20429, // Too many requests at once. Twilio has not processed this one.
      21611, // The queue of the sender is full.
      30001, // The queue overflowed.
      30017, // The carrier's network is congested.
      30022, // The sender has exceeded the rate of the carrier.
      30023, // The sender has reached its messages of the day.
      30027, // The carrier's limit of the day for this registration is reached.
      21730, // Twilio is under maintenance.
      63038, // The account has reached its messages of the day.
    ],
    unauthorized: [
      20003, // The account SID or the token is wrong.
      20006, // The token may not do this.
      20404, // The address contains the account, so it does not exist.
      21212, // The sender is no valid number.
      21603, // There is no sender.
      21606, // The sender is not the account's, or cannot send SMS.
      21616, // Several senders of the account match.
      21659,
      21660,
      21661,
    ],
    suspended: [
      10001, // The account is not active.
      20005,
      21408, // The account may not send to Brazil (Geo Permissions).
      21607, // A trial account sends from one number only.
      21608, // A trial account sends to verified numbers only.
      21609, // The address for status callbacks is not a public one.
      30002, // The account was suspended while the message waited.
      30010, // The message costs more than the account allows.
      30018, // The carrier waits for the registration of the sender.
      30024, // The carrier has not provisioned the sender yet, as is usual for a new short code.
      30032, // The sender is not verified.
      30033, // The registration of the sender was suspended.
      30034, // The sender is not registered.
      30035, // The registration of the sender is being changed.
    ],
  }),
  ...table('recipient', {
    retryable: [
      30036, // The message waited longer than its validity and was not sent.
    ],
    undeliverable: [
      21211, // The recipient is no valid number.
      21214,
      21217,
      21265, // The recipient is a short code.
      21266, // Recipient and sender are the same.
      21268, // The recipient is a premium number.
      21612, // There is no route from this sender to this recipient.
      21614, // The recipient is no mobile phone.
      21635, // The recipient is a landline.
      30003, // The phone is off or out of reach.
      30004, // The recipient blocks such messages.
      30005, // The number does not exist any more.
      30006, // The recipient is a landline, or the carrier cannot be reached.
      30011,
    ],
    opted_out: [
      21610, // The recipient has sent STOP to this sender, which Twilio then refuses for every message.
    ],
    rejected: [
      21602, // There is no text.
      21617, // The text is too long.
      21619,
      30007, // The carrier's filter has stopped the text.
      30019, // The carrier refuses its size.
    ],
    unknown_outcome: [
      30008, // The carrier gives no reason; phones have shown such messages.
      30410, // The carrier did not answer in time. Twilio does not repeat it, lest it arrives twice.
    ],
  }),
]);

export const failureOfCode = (code: string): TwilioFailure | undefined => FAILURES.get(code);
