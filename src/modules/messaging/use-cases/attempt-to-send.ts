import type { DebtContext } from '../../debts/use-cases/debt-context.ts';
import type { SharedDeps } from '../../deps.ts';
import type { MessageTemplate } from '../ports/collection-agent.ts';
import {
  MessagingError,
  type MessagingErrorKind,
  type PixRefusal,
  type SentMessage,
} from '../ports/messaging-channel.ts';
import { type BookedMessage, type PixOfMessage, textFor } from './booked-message.ts';
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

/** Whether a failure tells nothing of the phone, so that it is no reason to give it up. */
export const saysNothingOfPhone = (cause: FailureCause): boolean =>
  cause === 'sender' || cause === 'throttled' || cause === 'late';

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

export type Attempt = {
  readonly sender: Sender;
  /** Why the sender may send no Pix codes, where the message went out without the one that it had. */
  readonly refusedPix?: string;
} & (
  | { readonly outcome: 'sent'; readonly sent: SentMessage; readonly byTemplate: boolean }
  | { readonly outcome: 'unknown' }
  | (Failed & { readonly kind: MessagingErrorKind | 'template_marketing'; readonly ofPixCode: PixRefusal | null })
);

/** The sender works, and this message is not sent by it: its template is advertising for the channel. */
const TEMPLATE_MARKETING = {
  outcome: 'failed',
  cause: 'sender',
  retryAfterMs: null,
  failure: 'suspended template_marketing',
  kind: 'template_marketing',
  ofPixCode: null,
} as const;

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

/** In which form a message is sent: as free text or by a template, with a Pix code to be copied or without. */
export interface MessageForm {
  /** What the person reads. */
  readonly text: string;
  readonly template: MessageTemplate | null;
  readonly pix: PixOfMessage | null;
}

/**
 * Sends a message by one sender: again only in another form, after the channel has surely refused the one before. A
 * channel that says that free text is not allowed now gets the template, and one that refuses the Pix code gets the
 * message without it. `announce` is called before each, so that what is sent is stored first.
 */
export async function attemptToSend(
  deps: Pick<SharedDeps, 'policy' | 'now'>,
  debt: DebtContext,
  candidate: Candidate,
  message: BookedMessage,
  announce: (form: MessageForm) => Promise<void>,
): Promise<Attempt> {
  const isFree = candidate.known !== null && mayWriteFreeText(candidate, deps, debt, message.phone);
  let byTemplate = !isFree;
  let withPix = maySendPix(candidate) && (await message.pix?.isOpen()) === true;
  let refusedPix: string | null = null;
  for (;;) {
    const form = formOf(candidate, message, { byTemplate, withPix });
    if (isAdvertising(candidate, form)) {
      if (form.pix === null) return { ...TEMPLATE_MARKETING, sender: candidate.sender };
      withPix = false;
      continue;
    }
    await announce(form);
    const made = await attempt(debt, candidate, message, form);
    if (made.outcome !== 'failed') return refusedPix === null ? made : { ...made, refusedPix };
    if (form.pix !== null && made.ofPixCode !== null) {
      if (made.ofPixCode === 'sender') refusedPix = made.failure;
      withPix = false;
    } else if (made.kind === 'window_closed' && !byTemplate && message.template !== null) byTemplate = true;
    else return made;
  }
}

/** In the sandbox nothing is known of senders, and every one may send codes. */
export const maySendPix = ({ sender: { channel }, known }: Candidate): boolean =>
  channel.capabilities.pixCodes && (known === null || known.pixCodes);

/** A template that is advertising for its channel costs several times as much, and the channel spares many people it. */
const isAdvertising = ({ known }: Candidate, { template }: MessageForm): boolean =>
  template !== null && known?.marketingTemplates?.includes(template.name) === true;

function formOf(
  candidate: Candidate,
  message: BookedMessage,
  { byTemplate, withPix }: { readonly byTemplate: boolean; readonly withPix: boolean },
): MessageForm {
  const { capabilities } = candidate.sender.channel;
  const usesTemplate = byTemplate && capabilities.templates && capabilities.freeTextWindowMs !== null;
  const text = textFor(candidate, message);
  const pix = withPix ? (message.pix ?? null) : null;
  if (pix !== null && usesTemplate && pix.template !== null) return { text, template: pix.template, pix };
  if (pix !== null && !usesTemplate && pix.textAbove !== null) return { text: pix.textAbove, template: null, pix };
  return { text, template: byTemplate && capabilities.templates ? message.template : null, pix: null };
}

async function attempt(
  debt: DebtContext,
  { sender, known }: Candidate,
  message: BookedMessage,
  { text, template, pix }: MessageForm,
): Promise<Attempt> {
  const { channel, credentials } = sender;
  try {
    const sent = await channel.send({
      id: message.id,
      to: {
        phone: message.phone,
        ...(debt.debtorEmail === null ? {} : { email: debt.debtorEmail }),
        ...(known?.channelUserId == null ? {} : { channelUserId: known.channelUserId }),
        hasMoved: known?.movedAt != null,
      },
      text,
      ...(template === null
        ? {}
        : { template: { name: template.name, language: 'pt_BR', parameters: template.parameters } }),
      ...(message.document === undefined || !channel.capabilities.documents ? {} : { document: message.document }),
      ...(pix === null ? {} : { pix: { ...pix, reference: message.id } }),
      context: { clientId: debt.clientId, debtId: debt.id, purpose: message.purpose, at: new Date(message.at) },
      credentials,
    });
    return { outcome: 'sent', sent, sender, byTemplate: template !== null };
  } catch (error) {
    if (!(error instanceof MessagingError) || error.kind === 'unknown_outcome') return { outcome: 'unknown', sender };
    const { kind, scope, retryAfterSeconds, channelCode, ofPixCode = null } = error;
    const retryAfterMs = retryAfterSeconds === undefined ? null : retryAfterSeconds * 1000;
    const failure = failureText({ kind, channelCode });
    return { outcome: 'failed', cause: causeOf(kind, scope), retryAfterMs, failure, kind, ofPixCode, sender };
  }
}
