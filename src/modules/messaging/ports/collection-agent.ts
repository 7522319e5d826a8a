import type { GuardProblem } from '../../../kernel/message-guard.ts';
import type { MessagePurpose } from '../../../kernel/message-purposes.ts';
import type { Proposal } from '../../agreements/rules/offer-near.ts';
import type { Intent, QuestionTopic } from '../../debts/rules/intents.ts';
import type { ScoredDebt, ScoreInput } from '../../debts/rules/score.ts';
import type { MessageFacts } from '../rules/message-facts.ts';

/** Those after `last` follow what the debtor or the client's staff has done, and not from the place in the sequence. */
export type StepKind =
  | 'first'
  | 'reminder'
  | 'last'
  | 'after_promise'
  | 'after_dispute'
  | 'after_said_paid'
  /** A reminder of a bill that is not due yet, which is no step of the sequence. */
  | 'before_due';
export type Tone = 'friendly' | 'neutral' | 'firm';

/** One contact of the sequence. The file `policies/sequence.json` holds the sequence itself. */
export interface ContactStep {
  readonly kind: StepKind;
  readonly tone: Tone;
  /** How many reminders came before it in the sequence. Wordings take turns by it. */
  readonly earlierReminders?: number;
  /** The client's own words for the step, which replace the product's where the guard lets them pass. */
  readonly wording?: OwnWording | null;
}

/** The contact before the due date. Its words are the product's own, and neither a client nor a model writes others. */
export const DUE_REMINDER: ContactStep = { kind: 'before_due', tone: 'friendly', wording: null };

export interface OwnWording {
  readonly version: number;
  readonly text: string;
  /** For channels that take short texts; null for the product's. */
  readonly short: string | null;
}

export interface WordingProblem {
  readonly member: 'text' | 'short';
  readonly problem: GuardProblem;
}

/** Checks own words before they are saved. Their placeholders are known to be right. */
export interface WordingGuard {
  fill(
    wording: Pick<OwnWording, 'text' | 'short'>,
    debt: DebtFacts,
  ): { readonly text: string; readonly short: string | null };
  problems(wording: Pick<OwnWording, 'text' | 'short'>, debt: DebtFacts): readonly WordingProblem[];
}

/**
 * Decides how a message may be answered, whatever its content. `exhausted`: no further contact is planned, and the
 * debtor may still write and pay.
 */
export type Situation = 'open' | 'exhausted' | 'opted_out' | 'wrong_person' | 'paid' | 'closed';

/** What the agent knows of a debt. */
export interface DebtFacts extends MessageFacts {
  readonly debtId: string;
  readonly situation: Situation;
}

/** The offers that a person has, for the understanding of an answer to them. */
export interface OffersInTalk {
  /** Those that can be accepted, in the order of their numbers. */
  readonly standing: readonly { readonly number: number; readonly instalments: number }[];
  /** Those of them that our last message has listed, in its order. */
  readonly listed: readonly number[];
}

export interface Turn {
  readonly from: 'debtor' | 'creditor';
  readonly text: string;
  readonly at: number;
}

export interface Conversation {
  readonly debtId: string;
  readonly debtorName: string;
  /** The debtor's local date at the moment of the message. */
  readonly today: string;
  readonly isBusinessDay: (date: string) => boolean;
  /** Oldest first, without the message that is being understood or answered. */
  readonly turns: readonly Turn[];
  /** Absent where the client offers nothing: then nobody can accept or propose anything. */
  readonly offers?: OffersInTalk | null;
}

export interface Understanding {
  readonly intent: Intent;
  /** The local date of a promise, when one was named. */
  readonly date: string | null;
  /** 0 to 1. */
  readonly confidence: number;
  /** Further intents of the same message, the strongest first. */
  readonly also: readonly Intent[];
  /** The topics of the debtor's questions in their order; empty when the message asks nothing. */
  readonly topics: readonly QuestionTopic[];
  /** The message reports a death: it is treated as a wrong person and has a kinder answer. */
  readonly mentionsDeath: boolean;
  /** The offer that the message accepts; only with the intent `accept_offer`. */
  readonly offerNumber?: number;
  /** What the message says is possible; only with the intent `propose`. */
  readonly proposal?: Proposal;
  /** The message speaks of taking an offer: one that cannot be accepted any more, or it does not say for certain which. */
  readonly offerOpen?: 'ended' | 'unclear';
}

/** What the words of one message say about whether a machine wrote it. */
export interface AutomaticWords {
  /** `yes`: the words suffice. `perhaps`: a person may write so too, so another sign has to support them. */
  readonly automatic: 'yes' | 'perhaps' | 'no';
  /** True when the debtor asks for silence in it, beside what a machine says of its own. */
  readonly asksForSilence: boolean;
}

/** The approved template that replaces the text where free text is not allowed (WhatsApp beyond 24 hours). */
export interface MessageTemplate {
  /** The name by which the channel knows the template. It ends with the version of the wording. */
  readonly name: string;
  /** Values of `{{1}}`, `{{2}}` … in order. */
  readonly parameters: readonly string[];
}

export interface AgentMessage {
  readonly purpose: Exclude<MessagePurpose, 'receipt'>;
  readonly text: string;
  /** The same for a channel whose capability `texts` is `short`: at most two segments of an SMS. */
  readonly short: string;
  /** Null for a text that is only sent as an answer to a message. */
  readonly template: MessageTemplate | null;
  /** Set when `text` is the client's own wording. `productText` says what the approved template says. */
  readonly own?: { readonly version: number; readonly productText: string; readonly isShortOwn: boolean };
}

/**
 * The message took too long to read, is too long, or ended the thread that read it. A second attempt would fail again,
 * so a person has to read the message.
 */
export class NotUnderstoodError extends Error {
  readonly failure: 'timed_out' | 'crashed' | 'too_long';

  constructor(failure: NotUnderstoodError['failure']) {
    super(`The message was not understood: ${failure}`);
    this.failure = failure;
  }
}

/** The rules, the language model and the guard over both implement this. When the model fails, the rules answer. */
export interface CollectionAgent {
  score(debts: readonly ScoreInput[]): Promise<ScoredDebt[]>;
  compose(step: ContactStep, debt: DebtFacts, history: readonly Turn[]): Promise<AgentMessage>;
  /**
   * `message` is one turn: several messages of a turn are joined by line ends, up to `MAX_UNDERSTOOD` characters.
   * `NotUnderstoodError` is the only error that the content of a message can cause.
   */
  understand(message: string, conversation: Conversation): Promise<Understanding>;
  /** Reads one message. `NotUnderstoodError` is the only error that its content can cause. */
  automaticWords(message: string): Promise<AutomaticWords>;
  reply(understanding: Understanding, debt: DebtFacts, conversation: Conversation): Promise<AgentMessage>;
}
