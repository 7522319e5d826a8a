import { INTENTS, type Intent } from '../../domain/intents.ts';
import { understoodTexts } from '../../domain/understood-text.ts';
import {
  type CollectionAgent,
  type Conversation,
  NotUnderstoodError,
  type Understanding,
} from '../../ports/collection-agent.ts';

export interface UnderstoodTurn {
  readonly understood: Understanding;
  /** Some of it could not be read: a person has to look. */
  readonly needsPerson: boolean;
}

/** Of a turn that is longer, the newest texts are read; a person sees the rest. */
const MOST_TEXTS = 24;

/** Who would be hurt most by being misread comes first. */
const GRAVEST_FIRST: readonly Intent[] = [
  'wrong_person',
  'opt_out',
  'dispute',
  'hardship',
  'human',
  'already_paid',
  'promise',
  'negotiate',
  'wants_to_pay',
  'question',
  'other',
];

const UNREAD: Understanding = {
  intent: 'human',
  date: null,
  confidence: 0,
  also: [],
  topics: [],
  mentionsDeath: false,
};

/** Combines what several texts of one turn want: the gravest intent is the main one, the others are said besides. */
const together = (parts: readonly Understanding[]): Understanding => {
  const wanted = new Set(parts.flatMap(({ intent, also }) => [intent, ...also]));
  const asked = new Set(parts.map(({ intent }) => intent));
  if (wanted.has('opt_out')) asked.add('opt_out');
  const intent = GRAVEST_FIRST.find((each) => asked.has(each)) ?? 'other';
  const also = INTENTS.filter((each) => wanted.has(each) && each !== intent && each !== 'other');
  const promises = intent === 'promise' || also.includes('promise');
  const dates = parts.map(({ date }) => date).filter((date) => date !== null);
  return {
    intent,
    date: promises ? (dates.sort().at(-1) ?? null) : null,
    confidence: Math.min(...parts.map(({ confidence }) => confidence)),
    also,
    topics: [...new Set(parts.flatMap(({ topics }) => topics))],
    mentionsDeath: parts.some(({ mentionsDeath }) => mentionsDeath),
  };
};

/** What has been read moves the debt only to where nobody is written to: the part that was not read may ask for it. */
const STAYS_SILENT: readonly Intent[] = ['wrong_person', 'opt_out', 'dispute'];

/**
 * Understands all that a turn says, in texts of a bounded length. One that cannot be read does not keep the others from
 * being obeyed; what is left of the turn then counts as asking for a person, which holds the debt.
 */
export async function understandTurn(
  agent: Pick<CollectionAgent, 'understand'>,
  messages: readonly string[],
  conversation: Conversation,
): Promise<UnderstoodTurn> {
  const texts = understoodTexts(messages);
  const read: Understanding[] = [];
  let needsPerson = texts.length > MOST_TEXTS;
  for (const text of texts.slice(-MOST_TEXTS)) {
    try {
      read.push(await agent.understand(text, conversation));
    } catch (error) {
      if (!(error instanceof NotUnderstoodError)) throw error;
      needsPerson = true;
    }
  }
  if (read.length === 1 && !needsPerson) return { understood: read[0]!, needsPerson };
  const understood = read.length === 0 ? UNREAD : together(read);
  if (!needsPerson || STAYS_SILENT.includes(understood.intent)) return { understood, needsPerson };
  const also = [understood.intent, ...understood.also].filter((each) => each !== 'human' && each !== 'other');
  return { understood: { ...understood, intent: 'human', date: null, also, topics: [] }, needsPerson };
}
