import { addDays, dateOf, partsOf } from '../../../../kernel/calendar.ts';
import { MAX_UNDERSTOOD } from '../../../../kernel/understood-text.ts';
import type { Conversation } from '../../../messaging/ports/collection-agent.ts';
import type { HandedConversation } from './messages.ts';

/** Covers 99 business days and the whole next month. A later date counts as no promise, so no more days are needed. */
const DAYS_AHEAD = 460;

export const handConversation = ({ isBusinessDay, turns, ...facts }: Conversation): HandedConversation => {
  const { year, month } = partsOf(facts.today);
  const from = dateOf(year, month, 1);
  let business = '';
  for (let day = 0, date = from; day < DAYS_AHEAD; day += 1, date = addDays(date, 1))
    business += isBusinessDay(date) ? '1' : '0';
  return {
    ...facts,
    turns: turns.map((turn) => ({ ...turn, text: turn.text.slice(0, MAX_UNDERSTOOD) })),
    days: { from, business },
  };
};

const DAY_MS = 86_400_000;

export const takeConversation = ({ days, ...facts }: HandedConversation): Conversation => ({
  ...facts,
  isBusinessDay: (date) => days.business[(Date.parse(date) - Date.parse(days.from)) / DAY_MS] === '1',
});
