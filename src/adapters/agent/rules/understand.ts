import type { Intent } from '../../../domain/intents.ts';
import { parsePortugueseDate } from '../../../domain/portuguese-dates.ts';
import { normalizePortuguese } from '../../../domain/portuguese-text.ts';
import type { Conversation, Understanding } from '../../../ports/collection-agent.ts';
import { PRIORITY, ruleHits } from './hand-rules.ts';
import { asksForSilence } from './opt-out.ts';
import { topicsOf } from './topics.ts';

export const understandByRules = (message: string, conversation: Conversation): Understanding => {
  const normal = normalizePortuguese(message);
  const date = parsePortugueseDate(message, conversation);
  const found = new Set<Intent>(ruleHits(normal).map((hit) => hit.intent));
  if (asksForSilence(normal)) found.add('opt_out');
  if (date !== null && !found.has('already_paid')) found.add('promise');
  const [intent = 'other', ...also] = PRIORITY.filter((name) => found.has(name));
  const topics = intent === 'question' || also.includes('question') ? topicsOf(normal) : [];
  return {
    intent,
    date: intent === 'promise' || also.includes('promise') ? date : null,
    confidence: found.size === 0 ? 0.3 : 0.7,
    also: also.filter((name) => name !== 'other'),
    topics: intent === 'question' && topics.length === 0 ? ['unknown'] : topics,
    mentionsDeath: ruleHits(normal).some((hit) => hit.name === 'death'),
  };
};
