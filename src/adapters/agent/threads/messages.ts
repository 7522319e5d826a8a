import type { Turn, Understanding } from '../../../ports/collection-agent.ts';

/** A conversation as it reaches a thread: without the function that no thread can be handed. */
export interface HandedConversation {
  readonly debtId: string;
  readonly debtorName: string;
  readonly today: string;
  readonly turns: readonly Turn[];
  /** One character for each day from `from` on: `1` is a business day. */
  readonly days: { readonly from: string; readonly business: string };
}

/** To a thread that is ready; it gets the next one only after its answer. */
export interface Task {
  readonly message: string;
  readonly conversation: HandedConversation;
}

/** `ready` comes once, when everything is read and compiled. */
export type Answer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'understood'; readonly understanding: Understanding }
  | { readonly kind: 'failed' };
