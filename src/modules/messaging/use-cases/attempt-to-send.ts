import type { DebtContext } from '../../debts/use-cases/debt-context.ts';
import type { SharedDeps } from '../../deps.ts';
import { MessagingError, type MessagingErrorKind, type SentMessage } from '../ports/messaging-channel.ts';
import { type BookedMessage, textFor } from './booked-message.ts';
import { type Candidate, mayWriteFreeText } from './candidates.ts';
import type { Sender } from './deps.ts';

/**
 * - `passing`: a later attempt may succeed.
 * - `throttled`: the sender has to send more slowly, whoever the recipient is.
 * - `recipient`: the channel cannot reach this person.
 * - `silence`: the person asked the channel for silence.
 * - `message`: the channel does not accept this message.
 * - `sender`: the channel accepts no message of this client until the cause is corrected.
 * - `late`: too much time has passed since the decision to send, so that it may be wrong by now. Nobody was asked.
 */
export type FailureCause = 'late' | 'passing' | 'throttled' | 'recipient' | 'silence' | 'message' | 'sender';

/** The message was certainly not sent. */
export interface Failed {
  readonly outcome: 'failed';
  readonly cause: FailureCause;
  readonly retryAfterMs: number | null;
  /** The kind of error and the channel's code, without personal data. */
  readonly failure: string;
}

/** What is stored of a failure. The kind stands first: see `causeOfFailure`. */
export const failureText = ({
  kind,
  channelCode,
}: {
  readonly kind: MessagingErrorKind;
  readonly channelCode: string | undefined;
}): string => (channelCode === undefined ? kind : `${kind} ${channelCode}`);

export type Attempt = { readonly sender: Sender } & (
  | { readonly outcome: 'sent'; readonly sent: SentMessage; readonly byTemplate: boolean }
  | { readonly outcome: 'unknown' }
  | (Failed & { readonly kind: MessagingErrorKind })
);

const CAUSES: Readonly<Record<Exclude<MessagingErrorKind, 'unknown_outcome' | 'retryable'>, FailureCause>> = {
  window_closed: 'message',
  undeliverable: 'recipient',
  opted_out: 'silence',
  rejected: 'message',
  suspended: 'sender',
  unauthorized: 'sender',
};

export const causeOf = (kind: Exclude<MessagingErrorKind, 'unknown_outcome'>, scope: 'recipient' | 'sender') => {
  if (kind === 'retryable') return scope === 'sender' ? 'throttled' : 'passing';
  return CAUSES[kind];
};

/** Sends a message once by one sender. A channel that says that free text is not allowed now gets the template. */
export async function attemptToSend(
  deps: Pick<SharedDeps, 'policy' | 'now'>,
  debt: DebtContext,
  candidate: Candidate,
  message: BookedMessage,
): Promise<Attempt> {
  const isFree = candidate.known !== null && mayWriteFreeText(candidate, deps, debt, message.phone);
  const first = await attempt(debt, candidate, message, !isFree);
  const isClosed = first.outcome === 'failed' && first.kind === 'window_closed';
  return isClosed && isFree && message.template !== null ? attempt(debt, candidate, message, true) : first;
}

async function attempt(
  debt: DebtContext,
  candidate: Candidate,
  message: BookedMessage,
  byTemplate: boolean,
): Promise<Attempt> {
  const { sender, known } = candidate;
  const { channel, credentials } = sender;
  const template = byTemplate && channel.capabilities.templates ? message.template : null;
  try {
    const sent = await channel.send({
      id: message.id,
      to: {
        phone: message.phone,
        ...(debt.debtorEmail === null ? {} : { email: debt.debtorEmail }),
        ...(known?.channelUserId == null ? {} : { channelUserId: known.channelUserId }),
      },
      text: textFor(candidate, message),
      ...(template === null
        ? {}
        : { template: { name: template.name, language: 'pt_BR', parameters: template.parameters } }),
      ...(message.document === undefined || !channel.capabilities.documents ? {} : { document: message.document }),
      context: { clientId: debt.clientId, debtId: debt.id, purpose: message.purpose, at: new Date(message.at) },
      credentials,
    });
    return { outcome: 'sent', sent, sender, byTemplate: template !== null };
  } catch (error) {
    if (!(error instanceof MessagingError) || error.kind === 'unknown_outcome') return { outcome: 'unknown', sender };
    const { kind, scope, retryAfterSeconds, channelCode } = error;
    const retryAfterMs = retryAfterSeconds === undefined ? null : retryAfterSeconds * 1000;
    const failure = failureText({ kind, channelCode });
    return { outcome: 'failed', cause: causeOf(kind, scope), retryAfterMs, failure, kind, sender };
  }
}
