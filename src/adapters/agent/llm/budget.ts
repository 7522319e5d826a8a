export interface BudgetLimits {
  readonly maxCalls: number;
  readonly maxTokens: number;
}

export interface ConversationBudget {
  /** False when the conversation has used up its calls or tokens; otherwise one call is taken. */
  takeCall(conversationId: string): boolean;
  addTokens(conversationId: string, tokens: number): void;
}

const KEPT_CONVERSATIONS = 10_000;

/** Kept in the worker's memory: a restart grants a new budget, which costs a few calls and no debtor anything. */
export const createConversationBudget = (limits: BudgetLimits): ConversationBudget => {
  const used = new Map<string, { calls: number; tokens: number }>();
  const of = (id: string): { calls: number; tokens: number } => {
    const entry = used.get(id) ?? { calls: 0, tokens: 0 };
    used.delete(id);
    used.set(id, entry);
    if (used.size > KEPT_CONVERSATIONS) used.delete(used.keys().next().value!);
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
