import { formatPlainDate } from '../../format.ts';
import { DEBTS } from '../../texts/debts.ts';
import { DEBT_STATUS, STATUS_GROUPS } from '../../texts/words.ts';
import { type DebtSearch, isWhole, type Scope } from './search.ts';

/** What hides debts now, in words, so that no filter is forgotten. */
export function activeFilters(search: DebtSearch, { campaignId }: Scope): readonly string[] {
  const { q, status, dueFrom, dueTo, sandbox } = search;
  const words = DEBTS.active;
  return [
    ...(q == null ? [] : [words.text(q)]),
    ...(status == null ? [] : [words.status(statusWords(status).join(', '))]),
    ...(dueFrom == null ? [] : [words.from(formatPlainDate(dueFrom))]),
    ...(dueTo == null ? [] : [words.to(formatPlainDate(dueTo))]),
    ...(sandbox == null ? [] : [sandbox ? words.test : words.real]),
    ...(search.campaignId == null || campaignId !== undefined ? [] : [words.campaign]),
  ];
}

/** A whole group by its name, other statuses one by one. */
function statusWords(chosen: NonNullable<DebtSearch['status']>): readonly string[] {
  const groups = STATUS_GROUPS.filter(({ statuses }) => isWhole(statuses, chosen));
  const named = new Set<string>(groups.flatMap(({ statuses }) => statuses));
  return [
    ...groups.map(({ label }) => label.toLowerCase()),
    ...chosen.filter((status) => !named.has(status)).map((status) => DEBT_STATUS[status].label.toLowerCase()),
  ];
}
