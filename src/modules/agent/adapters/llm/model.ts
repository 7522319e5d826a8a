import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModel } from 'ai';

export interface LlmEndpoint {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly model: string;
}

export const createLlmModel = ({ baseUrl, apiKey, model }: LlmEndpoint): LanguageModel =>
  createOpenAICompatible({
    name: 'llm',
    baseURL: baseUrl,
    supportsStructuredOutputs: true,
    ...(apiKey === undefined ? {} : { apiKey }),
  })(model);
