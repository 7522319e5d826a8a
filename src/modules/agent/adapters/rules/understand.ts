import { parsePortugueseDate } from '../../../../kernel/portuguese-dates.ts';
import { INTENTS, type Intent, type QuestionTopic } from '../../../debts/rules/intents.ts';
import type { Conversation, Understanding } from '../../../messaging/ports/collection-agent.ts';
import { expressionsOf, familiesOf } from '../lexicon/lexicon.ts';
import { ruleHits } from './hand-rules.ts';
import { type IntentModel, intentModel, type Ranked, rankIntents } from './intent-model.ts';
import { asksForSilence, speaksOfContact } from './opt-out.ts';
import { readable } from './spelling.ts';
import { understandOffers } from './understand-offers.ts';

const TOPICS = familiesOf('topics').map(({ name, source }) => ({
  topic: name as QuestionTopic,
  pattern: new RegExp(source()),
}));

/** Returns the topics of a question in the order in which they are asked, and none when it names none that we know. */
const topicsOf = (normal: string): QuestionTopic[] =>
  TOPICS.map(({ topic, pattern }) => ({ topic, at: normal.search(pattern) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)
    .map(({ topic }) => topic);

/** The least probability of an intent: below it the message counts as not understood (`other`). */
const LEAST = 0.25;
/**
 * The least probability at which the classifier alone may take a message for a request for silence. The message must
 * also mention contact, because a wrong opt-out stops a collection for good.
 */
const SURE_OF_SILENCE = 0.8;
/** The least probability of what is left when a request for silence is not believed: a weaker one is a guess. */
const SURE_OF_REST = 0.6;
/** The least probability of a second intent of the whole message. */
const SECOND = 0.25;
/** The least probability at which the intent of one clause counts as a further intent of the message. */
const CLAUSE = 0.6;

const EMPTY: Understanding = { intent: 'other', date: null, confidence: 0, also: [], topics: [], mentionsDeath: false };

const choose = (normal: string, ranked: readonly Ranked[], silence: boolean, somebodyElse: boolean): Ranked => {
  const first = ranked[0]!;
  if (silence) {
    // A wrong person silences the number for good. The debtor, who may have another number, has asked for nothing.
    return { intent: somebodyElse ? 'wrong_person' : 'opt_out', probability: 1 };
  }
  const unsure = first.probability < SURE_OF_SILENCE || !speaksOfContact(normal);
  const second = ranked[1]!;
  const disbelieved = first.intent === 'opt_out' && unsure;
  const likely = disbelieved
    ? { intent: second.intent, probability: second.probability / (1 - first.probability + 1e-9) }
    : first;
  const least = disbelieved ? SURE_OF_REST : LEAST;
  return likely.probability < least ? { intent: 'other', probability: likely.probability } : likely;
};

interface Clause {
  readonly text: string;
  /** The intents of this clause alone, the most probable first. */
  readonly ranked: readonly Ranked[];
}

/** The most clauses that are classified one by one, because a message may consist of hundreds of full stops. */
const MAX_CLAUSES = 60;

const clausesOf = (message: string, model: IntentModel): Clause[] => {
  const texts = message
    .split(/[\n.!?;,]+|\b(?:mas|por[eé]m|s[oó] que|e tamb[eé]m)\b/i)
    .filter((clause) => /\p{L}/u.test(clause));
  if (texts.length < 2) return [];
  // The first clauses tell who writes, and the last ones what the writer wants, so both ends are kept.
  const weighed =
    texts.length > MAX_CLAUSES ? [...texts.slice(0, MAX_CLAUSES / 2), ...texts.slice(-MAX_CLAUSES / 2)] : texts;
  return weighed.map((text) => ({ text, ranked: rankIntents(readable(text), model) }));
};

/**
 * True when somebody else than the debtor writes. A rule alone is not enough, because in a long story some clause
 * always
 * looks as if a stranger had written it.
 */
const saysSomebodyElse = (clauses: readonly Clause[], ranked: readonly Ranked[], byRule: boolean): boolean =>
  ranked.some(({ intent, probability }) => intent === 'wrong_person' && probability >= (byRule ? 0.15 : 0.5)) ||
  clauses.some((clause) => {
    // A clause of one or two words is often a signature.
    if (clause.text.trim().split(/\s+/).length < 3) return false;
    const [first] = clause.ranked;
    return first!.intent === 'wrong_person' && first!.probability >= 0.85;
  });

/** Intents that a person at the creditor has to see. They take precedence over a question or a greeting beside them. */
const TO_A_PERSON: readonly Intent[] = ['dispute', 'hardship', 'human', 'negotiate'];
const SURE_OF_CLAUSE = 0.9;

const requestBeside = (clauses: readonly Clause[], date: string | null): Ranked | undefined => {
  // A promised day counts whatever else the message asks. A condition (`se eu pagar sexta`) promises nothing.
  const candidates: readonly Intent[] = date === null ? TO_A_PERSON : [...TO_A_PERSON, 'promise'];
  return clauses
    .filter(({ text }) => !/^\s*(?:e )?(?:se|caso)\b/i.test(text))
    .map(({ ranked }) => ranked[0]!)
    .find(({ intent, probability }) => candidates.includes(intent) && probability >= SURE_OF_CLAUSE);
};

const furtherIntents = (clauses: readonly Clause[], ranked: readonly Ranked[]): Intent[] => {
  const found = new Set<Intent>(ranked.filter(({ probability }) => probability >= SECOND).map(({ intent }) => intent));
  for (const { ranked: ofClause } of clauses) {
    const [first] = ofClause;
    if (first!.probability >= CLAUSE) found.add(first!.intent);
  }
  return INTENTS.filter((intent) => found.has(intent) && intent !== 'other' && intent !== 'opt_out');
};

const PROMISES = expressionsOf('promises');

/** `vou fazer amanhã` promises a payment; `amanhã te respondo` only puts off the answer. */
const commitsToPay = (normal: string): boolean =>
  PROMISES.get('commits')!.test(normal) && !PROMISES.get('puts-off')!.test(normal);

const DATA_REQUESTS = expressionsOf('data-requests');

/**
 * The law gives everybody a look at what is held of them, so that who asks for that is answered by where it is seen. Who
 * speaks of paying is answered by how, and a threat to go to court stays one.
 */
const asksForData = (normal: string, { intent }: Ranked): boolean => {
  const finds = (name: string): boolean => DATA_REQUESTS.get(name)!.test(normal);
  if (intent === 'dispute') return finds('asks-alone');
  return (intent === 'other' || intent === 'wants_to_pay') && finds('asks') && !finds('of-paying');
};

const asksForDay = (conversation: Conversation): boolean =>
  /em que dia/i.test(conversation.turns.findLast((turn) => turn.from === 'creditor')?.text ?? '');

export const understandByRules = (
  message: string,
  conversation: Conversation,
  model = intentModel(),
): Understanding => {
  const understand = (text: string): Understanding => understandAlone(text, conversation, model);
  const understood = understand(message);
  return understandOffers(message, conversation, understood, understand) ?? understood;
};

/** Understands a message without regard to offers. */
const understandAlone = (message: string, conversation: Conversation, model: IntentModel): Understanding => {
  const normal = readable(message);
  if (normal === '') return EMPTY;
  const hits = ruleHits(normal);
  const silence = asksForSilence(message);
  const ranked = rankIntents(normal, model);
  const date = parsePortugueseDate(message, conversation);
  const strangerRule = hits.some(({ intent }) => intent === 'wrong_person');
  const clauses = clausesOf(message, model);
  const somebodyElse = silence && saysSomebodyElse(clauses, ranked, strangerRule);
  const likely = choose(normal, ranked, silence, somebodyElse);
  const chosen: Ranked = asksForData(normal, likely) ? { ...likely, intent: 'question' } : likely;
  const answersDay =
    date !== null && asksForDay(conversation) && ['other', 'question', 'wants_to_pay'].includes(chosen.intent);
  const commits = date !== null && chosen.intent === 'other' && commitsToPay(normal);
  const beside = chosen.intent === 'question' || chosen.intent === 'other' ? requestBeside(clauses, date) : undefined;
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
