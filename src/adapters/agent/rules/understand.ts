import { INTENTS, type Intent } from '../../../domain/intents.ts';
import { parsePortugueseDate } from '../../../domain/portuguese-dates.ts';
import type { Conversation, Understanding } from '../../../ports/collection-agent.ts';
import { ruleHits } from './hand-rules.ts';
import { type IntentModel, intentModel, type Ranked, rankIntents } from './intent-model.ts';
import { asksForSilence, speaksOfContact } from './opt-out.ts';
import { readable } from './spelling.ts';
import { topicsOf } from './topics.ts';

/** Below it nothing was understood. */
const LEAST = 0.25;
/** Silence that no rule saw is taken from the classifier only when it is this sure and the message speaks of contact. */
const SURE_OF_SILENCE = 0.8;
const SECOND = 0.25;
const CLAUSE = 0.6;

const EMPTY: Understanding = { intent: 'other', date: null, confidence: 0, also: [], topics: [], mentionsDeath: false };

const choose = (normal: string, ranked: readonly Ranked[], silence: boolean, somebodyElse: boolean): Ranked => {
  const first = ranked[0]!;
  if (silence) {
    // The number of somebody else falls silent for good as a wrong person; the debtor has asked for nothing.
    return { intent: somebodyElse ? 'wrong_person' : 'opt_out', probability: 1 };
  }
  const unsure = first.probability < SURE_OF_SILENCE || !speaksOfContact(normal);
  const second = ranked[1]!;
  const likely =
    first.intent === 'opt_out' && unsure
      ? { intent: second.intent, probability: second.probability / (1 - first.probability + 1e-9) }
      : first;
  return likely.probability < LEAST ? { intent: 'other', probability: likely.probability } : likely;
};

interface Clause {
  readonly text: string;
  /** The intents of the clause alone, the likeliest first. */
  readonly ranked: readonly Ranked[];
}

/** A message has as many clauses as somebody types full stops; no more than this are weighed one by one. */
const MOST_CLAUSES = 60;

const clausesOf = (message: string, model: IntentModel): Clause[] => {
  const texts = message
    .split(/[\n.!?;,]+|\b(?:mas|por[eé]m|s[oó] que|e tamb[eé]m)\b/i)
    .filter((clause) => /\p{L}/u.test(clause));
  if (texts.length < 2) return [];
  // What is said last is what people come to; the beginning tells who speaks.
  const weighed =
    texts.length > MOST_CLAUSES ? [...texts.slice(0, MOST_CLAUSES / 2), ...texts.slice(-MOST_CLAUSES / 2)] : texts;
  return weighed.map((text) => ({ text, ranked: rankIntents(readable(text), model) }));
};

/** A rule alone is not enough: in a long story some clause always looks like one of a stranger. */
const saysSomebodyElse = (clauses: readonly Clause[], ranked: readonly Ranked[], byRule: boolean): boolean =>
  ranked.some(({ intent, probability }) => intent === 'wrong_person' && probability >= (byRule ? 0.15 : 0.5)) ||
  clauses.some((clause) => {
    // A name alone is how people sign.
    if (clause.text.trim().split(/\s+/).length < 3) return false;
    const [first] = clause.ranked;
    return first!.intent === 'wrong_person' && first!.probability >= 0.85;
  });

/** What a person at the creditor has to see: it goes before a question or a greeting of the same message. */
const TO_A_PERSON: readonly Intent[] = ['dispute', 'hardship', 'human', 'negotiate'];
const SURE_OF_CLAUSE = 0.9;

const wishBeside = (clauses: readonly Clause[], date: string | null): Ranked | undefined => {
  // A day that is promised counts whatever is asked beside it; `se eu pagar sexta` promises nothing.
  const wishes: readonly Intent[] = date === null ? TO_A_PERSON : [...TO_A_PERSON, 'promise'];
  return clauses
    .filter(({ text }) => !/^\s*(?:e )?(?:se|caso)\b/i.test(text))
    .map(({ ranked }) => ranked[0]!)
    .find(({ intent, probability }) => wishes.includes(intent) && probability >= SURE_OF_CLAUSE);
};

const furtherIntents = (clauses: readonly Clause[], ranked: readonly Ranked[]): Intent[] => {
  const found = new Set<Intent>(ranked.filter(({ probability }) => probability >= SECOND).map(({ intent }) => intent));
  for (const { ranked: ofClause } of clauses) {
    const [first] = ofClause;
    if (first!.probability >= CLAUSE) found.add(first!.intent);
  }
  return INTENTS.filter((intent) => found.has(intent) && intent !== 'other' && intent !== 'opt_out');
};

/** `vou fazer amanhã` promises; `amanhã te respondo` does not. */
const COMMITS =
  /\b(?:vou fazer|faco|faremos|mando|consigo|resolvo|acerto|deposito|transfiro|da certo|so|pode ser|quito)\b/;
const PUTS_OFF = /\b(?:fal\w+|vejo|ver|respond\w+|lig\w+|avis\w+|cham\w+|olh\w+|confer\w+|convers\w+)\b/;

const asksForDay = (conversation: Conversation): boolean =>
  /em que dia/i.test(conversation.turns.findLast((turn) => turn.from === 'creditor')?.text ?? '');

export const understandByRules = (
  message: string,
  conversation: Conversation,
  model = intentModel(),
): Understanding => {
  const normal = readable(message);
  if (normal === '') return EMPTY;
  const hits = ruleHits(normal);
  const silence = asksForSilence(message);
  const ranked = rankIntents(normal, model);
  const date = parsePortugueseDate(message, conversation);
  const strangerRule = hits.some(({ intent }) => intent === 'wrong_person');
  const clauses = clausesOf(message, model);
  const somebodyElse = silence && saysSomebodyElse(clauses, ranked, strangerRule);
  const chosen = choose(normal, ranked, silence, somebodyElse);
  const answersDay =
    date !== null && asksForDay(conversation) && ['other', 'question', 'wants_to_pay'].includes(chosen.intent);
  const commits = date !== null && chosen.intent === 'other' && COMMITS.test(normal) && !PUTS_OFF.test(normal);
  const beside = chosen.intent === 'question' || chosen.intent === 'other' ? wishBeside(clauses, date) : undefined;
  const intent: Intent = answersDay || commits ? 'promise' : (beside?.intent ?? chosen.intent);
  const further = furtherIntents(clauses, ranked).filter((each) => each !== intent);
  const also: Intent[] = silence && intent !== 'opt_out' ? ['opt_out', ...further] : further;
  const asks = intent === 'question' || also.includes('question');
  const topics = asks ? topicsOf(normal) : [];
  return {
    intent,
    date: intent === 'promise' || also.includes('promise') ? date : null,
    confidence: chosen.probability,
    also,
    topics: intent === 'question' && topics.length === 0 ? ['unknown'] : topics,
    mentionsDeath: intent === 'wrong_person' && hits.some(({ name }) => name === 'death'),
  };
};
