import type { AutomaticWords, Turn, Understanding } from '../../../messaging/ports/collection-agent.ts';

/** A conversation without its function, because functions cannot be sent to a thread. */
export interface HandedConversation {
  readonly debtId: string;
  readonly debtorName: string;
  readonly today: string;
  readonly turns: readonly Turn[];
  /** One character for each day from `from` on: `1` is a business day. */
  readonly days: { readonly from: string; readonly business: string };
}

/** The task of a ready thread. The thread gets the next one only after its answer. */
export type Task =
  | { readonly kind: 'understand'; readonly message: string; readonly conversation: HandedConversation }
  | { readonly kind: 'automatic_words'; readonly message: string };

export type Result =
  | { readonly kind: 'understood'; readonly understanding: Understanding }
  | { readonly kind: 'automatic_words'; readonly words: AutomaticWords };

/** The messages of a thread. It sends `ready` once, when its files are read and its expressions compiled. */
export type Answer = { readonly kind: 'ready' } | Result | { readonly kind: 'failed' };
