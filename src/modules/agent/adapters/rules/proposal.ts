import { lastDayOfMonth, partsOf } from '../../../../kernel/calendar.ts';
import { parsePortugueseDate } from '../../../../kernel/portuguese-dates.ts';
import type { Proposal } from '../../../agreements/rules/offer-near.ts';
import type { Conversation } from '../../../messaging/ports/collection-agent.ts';
import { MAX_PROPOSAL_LENGTH, monthlyProposal } from './monthly-amount.ts';
import { isCount, numberIn, offerPattern } from './offer-words.ts';
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

export interface ProposalSaid {
  readonly proposal: Proposal;
  /** What the message says beside it. */
  readonly beside: string;
}

/**
 * Returns what the debtor says is possible: an amount for each month, a number of instalments, a day of the first
 * payment. A day alone, and that something is too dear, answer only a message that has just listed offers: at other times
 * a day is a promise, and what is dear is the debt.
 */
export function proposalIn(message: string, conversation: Today, hasListed: boolean): ProposalSaid | null {
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
