import { LRUCache } from 'lru-cache';

export interface BudgetLimits {
  readonly maxCalls: number;
  readonly maxTokens: number;
}

export interface ConversationBudget {
  /** Takes one call of the budget. Returns false when the conversation has used up its calls or tokens. */
  takeCall(conversationId: string): boolean;
  addTokens(conversationId: string, tokens: number): void;
}

const KEPT_CONVERSATIONS = 10_000;

/**
 * The budget is in the memory of the worker. A restart grants a new one, which costs a few calls and harms no debtor.
 */
export const createConversationBudget = (limits: BudgetLimits): ConversationBudget => {
  const used = new LRUCache<string, { calls: number; tokens: number }>({ max: KEPT_CONVERSATIONS });
  const of = (id: string): { calls: number; tokens: number } => {
    const entry = used.get(id) ?? { calls: 0, tokens: 0 };
    used.set(id, entry);
    return entry;
  };
  return {
    takeCall: (id) => {
      const entry = of(id);
      if (entry.calls >= limits.maxCalls || entry.tokens >= limits.maxTokens) return false;
      entry.calls += 1;
      return true;
    },
    addTokens: (id, tokens) => {
      of(id).tokens += tokens;
    },
  };
};
