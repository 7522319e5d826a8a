import { generateText, type LanguageModel, Output } from 'ai';
import type { z } from 'zod';
import type { ConversationBudget } from './budget.ts';

/** Why the answer of a model was not used, for the metrics. */
export type LlmFailure = 'budget' | 'timeout' | 'provider' | 'answer';

export class LlmUnusable extends Error {
  readonly failure: LlmFailure;

  constructor(failure: LlmFailure, cause?: unknown) {
    super(`The model was not used: ${failure}`, { cause });
    this.failure = failure;
  }
}

export interface AskDeps {
  readonly model: LanguageModel;
  readonly budget: ConversationBudget;
  readonly timeoutMs: number;
}

const MAX_OUTPUT_TOKENS = 500;

/**
 * Asks one question and expects one structured answer. There is no retry, because the rules answer sooner than a second
 * try.
 */
export const ask = async <T>(
  { model, budget, timeoutMs }: AskDeps,
  question: {
    readonly conversationId: string;
    readonly instructions: string;
    readonly input: unknown;
    readonly schema: z.ZodType<T>;
  },
): Promise<T> => {
  if (!budget.takeCall(question.conversationId)) throw new LlmUnusable('budget');
  const abortSignal = AbortSignal.timeout(timeoutMs);
  try {
    const result = await generateText({
      model,
      instructions: question.instructions,
      prompt: JSON.stringify(question.input),
      output: Output.object({ schema: question.schema }),
      temperature: 0,
      maxOutputTokens: MAX_OUTPUT_TOKENS,
      maxRetries: 0,
      abortSignal,
    });
    budget.addTokens(question.conversationId, result.usage.totalTokens ?? 0);
    return question.schema.parse(result.output);
  } catch (error) {
    if (abortSignal.aborted) throw new LlmUnusable('timeout');
    const named = error instanceof Error ? error.name : '';
    throw new LlmUnusable(/NoObject|NoOutput|Zod|JSON|TypeValidation/.test(named) ? 'answer' : 'provider');
  }
};
