import type { Intent, QuestionTopic } from '../domain/intents.ts';
import type { ScoredDebt, ScoreInput } from '../domain/score.ts';

export type StepKind = 'first' | 'reminder' | 'after_promise' | 'last';
export type Tone = 'friendly' | 'neutral' | 'firm';

/** One contact of the sequence; the sequence itself is data of the engine. */
export interface ContactStep {
  readonly kind: StepKind;
  readonly tone: Tone;
}

export interface Creditor {
  readonly name: string;
  /** Null only where nobody real is contacted: a sandbox launch needs neither. */
  readonly cnpj: string | null;
  readonly address: string | null;
  /** Where a person of the creditor reads mail; the only e-mail that a text may name. */
  readonly email: string | null;
}

/** What decides how a message may be answered, whatever it says. */
/** `exhausted`: nobody writes first any more, and the debtor may still write, and pay. */
export type Situation = 'open' | 'exhausted' | 'opted_out' | 'wrong_person' | 'paid' | 'closed';

/** All that a text may say. Nothing else ever leaves: no CPF is here, and of the name only the first is written. */
export interface DebtFacts {
  readonly debtId: string;
  readonly debtorName: string;
  readonly creditor: Creditor;
  readonly amountCentavos: number;
  /** Local dates are `YYYY-MM-DD`. */
  readonly dueDate: string;
  readonly invoiceId: string | null;
  readonly checkoutUrl: string;
  /** The Pix code of a live charge, when there is one. */
  readonly brCode: string | null;
  readonly receiptUrl: string | null;
  readonly situation: Situation;
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
}

export interface Understanding {
  readonly intent: Intent;
  /** The local date of a promise, when one was named. */
  readonly date: string | null;
  /** 0 to 1. */
  readonly confidence: number;
  /** Further intents of the same message, the strongest first. */
  readonly also: readonly Intent[];
  /** Asked about, in the order asked; empty when nothing is. */
  readonly topics: readonly QuestionTopic[];
  /** News of a death: a kinder answer to what is treated as a wrong person. */
  readonly mentionsDeath: boolean;
}

/** The approved template that stands for the text where free text is not allowed (WhatsApp beyond 24 hours). */
export interface MessageTemplate {
  readonly name: string;
  readonly version: number;
  /** Values of `{{1}}`, `{{2}}` … in order. */
  readonly parameters: readonly string[];
}

export type MessagePurpose = 'collection' | 'reply' | 'opt_out_confirmation';

export interface AgentMessage {
  readonly purpose: MessagePurpose;
  readonly text: string;
  /** Null for what only ever answers a message. */
  readonly template: MessageTemplate | null;
}

/**
 * The message took too long to read, is too long, or ended the thread that read it. A person has to look; to try again
 * would fail again.
 */
export class NotUnderstoodError extends Error {
  readonly failure: 'timed_out' | 'crashed' | 'too_long';

  constructor(failure: NotUnderstoodError['failure']) {
    super(`The message was not understood: ${failure}`);
    this.failure = failure;
  }
}

/** Both brains and the guard over them are this. A brain that fails answers by the rules instead. */
export interface CollectionAgent {
  score(debts: readonly ScoreInput[]): Promise<ScoredDebt[]>;
  compose(step: ContactStep, debt: DebtFacts, history: readonly Turn[]): Promise<AgentMessage>;
  /**
   * `message` is one turn: a burst of several messages comes joined by line ends, at most `MOST_UNDERSTOOD` long.
   * Throws `NotUnderstoodError` and nothing else that is about the message.
   */
  understand(message: string, conversation: Conversation): Promise<Understanding>;
  reply(understanding: Understanding, debt: DebtFacts, conversation: Conversation): Promise<AgentMessage>;
}
