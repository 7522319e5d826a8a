import type { Turn, Understanding } from '../../../ports/collection-agent.ts';

/** A conversation without its function, because functions cannot be sent to a thread. */
export interface HandedConversation {
  readonly debtId: string;
  readonly debtorName: string;
  readonly today: string;
  readonly turns: readonly Turn[];
  /** One character for each day from `from` on: `1` is a business day. */
  readonly days: { readonly from: string; readonly business: string };
}

/** The message to a ready thread. The thread gets the next one only after its answer. */
export interface Task {
  readonly message: string;
  readonly conversation: HandedConversation;
}

/** The messages of a thread. It sends `ready` once, when its files are read and its expressions compiled. */
export type Answer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'understood'; readonly understanding: Understanding }
  | { readonly kind: 'failed' };
