import { lastDayOfMonth, partsOf } from '../../../../kernel/calendar.ts';
import { parsePortugueseDate } from '../../../../kernel/portuguese-dates.ts';
import type { Proposal } from '../../../agreements/rules/offer-near.ts';
import type { Intent } from '../../../debts/rules/intents.ts';
import type { Conversation, Understanding } from '../../../messaging/ports/collection-agent.ts';
import { MAX_PROPOSAL_LENGTH, monthlyProposal } from './monthly-amount.ts';
import { besideOffers, isCount, numberIn, offerPattern, offerTaken } from './offer-words.ts';
import { readable } from './spelling.ts';

const COUNT = offerPattern('proposes-count');
const WISHED_DAY = offerPattern('proposes-day');
const DAY = offerPattern('day');
const TOO_DEAR = offerPattern('too-dear');

/** The count stands at the end of what is matched, behind words that may be numbers too. */
const COUNT_AT_END = /(?:\d{1,2}|\p{L}{2,6}) ?(?:x|vez|vezes|parcelas|prestacoes)?$/u;

/** Returns the one number of instalments that is wished; null when there is none, or several. */
function countIn(normal: string): number | null {
  const counts = new Set([...normal.matchAll(COUNT)].map(([said]) => numberIn(COUNT_AT_END.exec(said)?.[0] ?? said)));
  const [only] = counts;
  return counts.size === 1 && isCount(only!) ? only! : null;
}

type Today = Pick<Conversation, 'today' | 'isBusinessDay'>;

/** Returns the date of the one day that is named. A day that a month lacks is its last; no month has a 32nd. */
function dayIn(message: string, normal: string, conversation: Today): string | null {
  const days = new Set([...normal.matchAll(DAY)].map(([said]) => said));
  const date = days.size === 1 ? parsePortugueseDate(message, conversation) : null;
  if (date === null) return null;
  const [said] = days;
  const named = said!.endsWith('util') ? null : numberIn(said!);
  const isNamed = named === null || partsOf(date).day === named || (named > 28 && named < 32 && isLastDay(date));
  return isNamed ? date : null;
}

const isLastDay = (date: string): boolean => {
  const { year, month, day } = partsOf(date);
  return lastDayOfMonth(year, month) === day;
};

interface ProposalSaid {
  readonly proposal: Proposal;
  /** What the message says beside it. */
  readonly beside: string;
}

/**
 * Returns what the debtor says is possible: an amount for each month, a number of instalments, a day of the first
 * payment. A day alone, and that something is too dear, answer only a message that has just listed offers: at other times
 * a day is a promise, and what is dear is the debt.
 */
function proposalIn(message: string, conversation: Today, hasListed: boolean): ProposalSaid | null {
  if (message.length > MAX_PROPOSAL_LENGTH) return null;
  const normal = readable(message);
  const amount = monthlyProposal(message);
  const count = countIn(normal);
  const isFirst = amount !== null || count !== null;
  const wishesDay = isFirst || (hasListed && normal.search(WISHED_DAY) >= 0);
  const firstDay = wishesDay ? dayIn(message, normal, conversation) : null;
  const isCheaper = !isFirst && hasListed && normal.search(TOO_DEAR) >= 0;
  if (!isFirst && firstDay === null && !isCheaper) return null;
  const beside = [COUNT, WISHED_DAY, DAY, TOO_DEAR].reduce(
    (rest, pattern) => rest.replace(pattern, ' '),
    amount?.beside ?? normal,
  );
  return {
    proposal: {
      ...(amount !== null && { monthlyCentavos: amount.centavos }),
      ...(count !== null && { count }),
      ...(firstDay !== null && { firstDay }),
      ...(isCheaper && { isCheaper }),
    },
    beside: beside.trim(),
  };
}

/** What always wins over an offer. Hardship wins when the debtor says more than that only so much is possible. */
const STOPS: readonly Intent[] = ['opt_out', 'wrong_person', 'dispute'];
const TO_A_PERSON: readonly Intent[] = ['hardship', 'human'];
/** The least probability at which what stands beside an offer counts. */
const SURE = 0.6;
/** What else of the message is answered beside the offer. */
const ANSWERED_TOO: readonly Intent[] = ['question', 'already_paid'];

type Understand = (message: string) => Understanding;

/**
 * Understands a message as an answer to offers, where the client makes any; null when it is none. In doubt it is a wish
 * to negotiate, which is answered by the offers once more and binds nobody.
 */
export function understandOffers(
  message: string,
  conversation: Pick<Conversation, 'offers' | 'today' | 'isBusinessDay'>,
  understood: Understanding,
  understand: Understand,
): Understanding | null {
  const { offers } = conversation;
  if (offers == null || understood.intent === 'opt_out' || understood.also.includes('opt_out')) return null;
  const taken = offerTaken(message, offers);
  if (taken?.kind === 'named') return { ...answered(understood), intent: 'accept_offer', offerNumber: taken.number };
  if (taken?.kind === 'count') return { ...answered(understood), intent: 'propose', proposal: { count: taken.count } };
  if (taken !== null) return { ...answered(understood), intent: 'negotiate', offerOpen: taken.kind };
  if (understood.mentionsDeath) return null;
  const said = proposalIn(message, conversation, offers.listed.length > 0);
  if (said !== null && isProposed(said, understood, understand)) {
    return { ...answered(understood), intent: 'propose', proposal: said.proposal };
  }
  const beside = offers.standing.length === 0 ? null : besideOffers(message);
  if (beside === null || !isFree(beside, understood, understand)) return null;
  return { ...answered(understood), intent: 'negotiate', offerOpen: 'unclear' };
}

/** What comes before a proposal that names no amount. Whoever has no money at all needs a person, and no other plan. */
const BEFORE_OTHERS: readonly Intent[] = [...STOPS, 'already_paid', 'human'];

/** Whether a message proposes what was found in it. */
function isProposed({ proposal, beside }: ProposalSaid, whole: Understanding, understand: Understand): boolean {
  if (!isFree(beside, whole, understand)) return false;
  if (proposal.monthlyCentavos !== undefined) return true;
  const stops = proposal.isCheaper === true ? [...BEFORE_OTHERS, 'hardship'] : BEFORE_OTHERS;
  return !stops.includes(whole.intent);
}

/** Whether nothing beside the words about an offer stops it. */
function isFree(beside: string, whole: Understanding, understand: Understand): boolean {
  const rest = understand(beside);
  if (STOPS.includes(rest.intent) && rest.confidence >= SURE) return false;
  return !(TO_A_PERSON.includes(rest.intent) && rest.confidence >= SURE && whole.intent === rest.intent);
}

const answered = (understood: Understanding): Understanding => {
  const also = [understood.intent, ...understood.also].filter((intent) => ANSWERED_TOO.includes(intent));
  const topics = understood.topics.filter((topic) => topic !== 'unknown');
  return {
    intent: 'negotiate',
    date: null,
    confidence: 1,
    also: topics.length === 0 ? also.filter((intent) => intent !== 'question') : also,
    topics,
    mentionsDeath: false,
  };
};
