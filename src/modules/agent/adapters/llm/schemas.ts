import { z } from 'zod';
import { INTENTS, QUESTION_TOPICS } from '../../../debts/rules/intents.ts';

export const understandingSchema = z.object({
  intent: z.enum(INTENTS),
  also: z.array(z.enum(INTENTS)).max(INTENTS.length),
  date: z.string().nullable(),
  topics: z.array(z.enum(QUESTION_TOPICS)).max(QUESTION_TOPICS.length),
  confidence: z.number().min(0).max(1),
});

export const textSchema = z.object({ text: z.string().min(1).max(1500) });
