import { generateText, type LanguageModel, Output } from 'ai';
import { z } from 'zod';
import { INTENTS, type Intent, QUESTION_TOPICS } from '../../../debts/rules/intents.ts';
import type { CollectionAgent, DebtFacts, Turn, Understanding } from '../../../messaging/ports/collection-agent.ts';
import { collectionBody, withSignature } from '../../../messaging/texts/collection-bodies.ts';
import { saysOptOutToday } from '../../../messaging/texts/known-facts.ts';
import { carriesOptOut, replyTemplate, withOptOutLine } from '../../../messaging/texts/replies.ts';
import { fillTemplate, messageValues, placeholdersOf } from '../../../messaging/texts/values.ts';
import type { ConversationBudget } from './budget.ts';
import { UNDERSTAND_PROMPT } from './prompts/understand-v2.ts';
import { WRITE_PROMPT } from './prompts/write-v1.ts';
import { redact } from './redact.ts';

/** Why the answer of a model was not used, for the metrics. */
type LlmFailure = 'budget' | 'timeout' | 'provider' | 'answer';

class LlmUnusable extends Error {
  readonly failure: LlmFailure;

  constructor(failure: LlmFailure, cause?: unknown) {
    super(`The model was not used: ${failure}`, { cause });
    this.failure = failure;
  }
}

interface AskDeps {
  readonly model: LanguageModel;
  readonly budget: ConversationBudget;
  readonly timeoutMs: number;
}

const MAX_OUTPUT_TOKENS = 500;

/**
 * Asks one question and expects one structured answer. There is no retry, because the rules answer sooner than a second
 * try.
 */
const ask = async <T>(
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

const understandingSchema = z.object({
  intent: z.enum(INTENTS),
  also: z.array(z.enum(INTENTS)).max(INTENTS.length),
  date: z.string().nullable(),
  topics: z.array(z.enum(QUESTION_TOPICS)).max(QUESTION_TOPICS.length),
  confidence: z.number().min(0).max(1),
});

const textSchema = z.object({ text: z.string().min(1).max(1500) });

export interface LlmAgentOptions extends AskDeps {
  /** The agent that answers when the model does not. */
  readonly fallback: CollectionAgent;
  readonly onFallback?: (failure: LlmFailure) => void;
}

const TURNS_SHOWN = 6;
const MAX_TURN_LENGTH = 1_000;

/** Replies whose wording is fixed, so that the model must not reword them. */
const FIXED: readonly Intent[] = ['opt_out', 'wrong_person'];

const shown = (turns: readonly Turn[], debtorName: string): { from: string; text: string }[] =>
  turns
    .slice(-TURNS_SHOWN)
    .map(({ from, text }) => ({ from, text: redact(text.slice(0, MAX_TURN_LENGTH), debtorName) }));

/**
 * The model sees only placeholders. The values are filled in here, and a text that lost or gained a placeholder is not
 * used.
 */
const reworded = async (
  deps: AskDeps,
  template: string,
  debt: Pick<DebtFacts, 'debtId' | 'debtorName'>,
  turns: readonly Turn[],
): Promise<string> => {
  const { text } = await ask(deps, {
    conversationId: debt.debtId,
    instructions: WRITE_PROMPT,
    input: { template, earlier: shown(turns, debt.debtorName) },
    schema: textSchema,
  });
  const wanted = placeholdersOf(template).sort().join();
  if (placeholdersOf(text).sort().join() !== wanted) throw new LlmUnusable('answer');
  return text.trim();
};

export const createLlmAgent = (options: LlmAgentOptions): CollectionAgent => {
  const { fallback, onFallback } = options;

  const orFallback = async <T>(attempt: () => Promise<T>, instead: () => Promise<T>): Promise<T> => {
    try {
      return await attempt();
    } catch (error) {
      onFallback?.(error instanceof LlmUnusable ? error.failure : 'answer');
      return await instead();
    }
  };

  return {
    score: async (debts) => await fallback.score(debts),

    compose: async (step, debt, history) => {
      const template = await fallback.compose(step, debt, history);
      const { kind, tone, earlierReminders } = step;
      // A model might write of what is owed, which nothing is yet.
      if (kind === 'before_due') return template;
      return await orFallback(
        async () => {
          const { body: own } = collectionBody(kind, tone, debt, earlierReminders);
          const body = await reworded(options, own, debt, history);
          return { ...template, text: fillTemplate(withSignature(body, debt), messageValues(debt)) };
        },
        async () => template,
      );
    },

    understand: async (message, conversation) =>
      await orFallback<Understanding>(
        async () => {
          const { debtId, debtorName, today, turns, offers } = conversation;
          const answer = await ask(options, {
            conversationId: debtId,
            instructions: UNDERSTAND_PROMPT,
            input: {
              today,
              earlier: shown(turns, debtorName),
              offers: offers?.standing ?? [],
              message: redact(message.slice(0, MAX_TURN_LENGTH), debtorName),
            },
            schema: understandingSchema,
          });
          const byRules = await fallback.understand(message, conversation);
          return {
            ...answer,
            also: [...new Set(answer.also)].filter((intent) => intent !== answer.intent && intent !== 'other'),
            topics: answer.intent === 'question' && answer.topics.length === 0 ? (['unknown'] as const) : answer.topics,
            mentionsDeath: answer.intent === 'wrong_person' && byRules.mentionsDeath,
          };
        },
        async () => await fallback.understand(message, conversation),
      ),

    // A model costs a call, and whether a machine has written is not a matter of understanding.
    automaticWords: fallback.automaticWords,

    reply: async (understanding, debt, conversation) => {
      const template = await fallback.reply(understanding, debt, conversation);
      const optOutSaid = saysOptOutToday(conversation);
      const request = { ...understanding, situation: debt.situation, optOutSaid };
      const isAgreed = debt.offered?.kind === 'accepted' || debt.offered?.kind === 'agreed';
      if (FIXED.includes(understanding.intent) || debt.situation !== 'open' || isAgreed) return template;
      return await orFallback(
        async () => {
          const body = await reworded(options, replyTemplate(request, debt), debt, conversation.turns);
          const whole = carriesOptOut(request) ? withOptOutLine(body) : body;
          return { ...template, text: fillTemplate(whole, messageValues(debt, understanding.date)) };
        },
        async () => template,
      );
    },
  };
};
