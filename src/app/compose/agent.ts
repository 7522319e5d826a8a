import { createGuardedAgent } from '../../modules/agent/adapters/guarded/guarded-agent.ts';
import { createConversationBudget } from '../../modules/agent/adapters/llm/budget.ts';
import { createLlmAgent } from '../../modules/agent/adapters/llm/llm-agent.ts';
import { createLlmModel } from '../../modules/agent/adapters/llm/model.ts';
import { createRulesAgent } from '../../modules/agent/adapters/rules/rules-agent.ts';
import {
  createUnderstandingThreads,
  type UnderstandingThreads,
} from '../../modules/agent/adapters/threads/understanding-threads.ts';
import type { CollectionAgent } from '../../modules/messaging/ports/collection-agent.ts';
import type { Config } from '../../platform/config/index.ts';
import type { Logger } from '../../platform/runtime/logger.ts';

/** When a model takes longer than this, the rules answer in its place. */
const LLM_TIMEOUT_MS = 15_000;
/**
 * The limit of one conversation. It allows a long conversation and bounds the cost of one that is not meant seriously.
 */
const LLM_BUDGET = { maxCalls: 40, maxTokens: 60_000 };

/** Creates the threads that read messages, for all roles of the process. They start with the first message. */
export const openUnderstanding = (logger: Logger): UnderstandingThreads =>
  createUnderstandingThreads({
    onFailure: (failure) => logger.warn({ failure }, 'a message was not understood, a person has to look'),
  });

/** Composes the agent that the configuration names. The guard checks it, and the rules answer when it fails. */
export function composeAgent(
  config: Config,
  logger: Logger,
  understanding: Pick<UnderstandingThreads, 'understand' | 'automaticWords'>,
): CollectionAgent {
  const rules = createRulesAgent(understanding);
  return createGuardedAgent({
    brain: config.agent === 'llm' ? composeLlm(config, rules, logger) : rules,
    rules,
    onRefused: (problems) =>
      logger.warn({ problems }, 'a text was refused by the guard, its template was sent instead'),
  });
}

function composeLlm(config: Config, fallback: CollectionAgent, logger: Logger): CollectionAgent {
  const { llmBaseUrl: baseUrl, llmApiKey: apiKey, llmModel: model } = config;
  if (baseUrl === undefined || model === undefined) throw new Error('AGENT=llm needs LLM_BASE_URL and LLM_MODEL');
  return createLlmAgent({
    model: createLlmModel({ baseUrl, model, apiKey }),
    fallback,
    budget: createConversationBudget(LLM_BUDGET),
    timeoutMs: LLM_TIMEOUT_MS,
    onFallback: (failure) => logger.warn({ failure }, 'the model did not answer, the rules do'),
  });
}
