import type { QuestionTopic } from '../../../debts/rules/intents.ts';
import { familiesOf } from '../lexicon/lexicon.ts';

const TOPICS = familiesOf('topics').map(({ name, source }) => ({
  topic: name as QuestionTopic,
  pattern: new RegExp(source()),
}));

/** Returns the topics of a question in the order in which they are asked, and none when it names none that we know. */
export const topicsOf = (normal: string): QuestionTopic[] =>
  TOPICS.map(({ topic, pattern }) => ({ topic, at: normal.search(pattern) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)
    .map(({ topic }) => topic);
