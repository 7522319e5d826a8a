import type { SearchDebtsBody } from '../../api/client.ts';
import { type DebtStatus, STATUS_GROUPS } from '../../texts/words.ts';

export type DebtSort = NonNullable<SearchDebtsBody['sort']>;
export type SortKey = Exclude<DebtSort, `-${string}`>;
export type GroupKey = (typeof STATUS_GROUPS)[number]['key'];

/** What is searched for, without the sort and the page. Absent members do not filter. */
export type DebtFilter = Pick<SearchDebtsBody, 'q' | 'campaignId' | 'status' | 'dueFrom' | 'dueTo' | 'sandbox'>;
export type DebtSearch = DebtFilter & { readonly sort: DebtSort };

/** The filters as they stand in the address. The searched text never does. */
export const FILTER_NAMES = ['grupo', 'situacao', 'de', 'ate', 'teste', 'campanha', 'ordem'] as const;
export type FilterName = (typeof FILTER_NAMES)[number];
export type FilterValues = Readonly<Record<FilterName, string>>;

export const SORT_KEYS = ['createdAt', 'name', 'amount', 'dueDate', 'status', 'nextContactAt'] as const;

const GROUPS: readonly { readonly key: string; readonly statuses: readonly DebtStatus[] }[] = STATUS_GROUPS;
export const ALL_STATUSES: readonly DebtStatus[] = GROUPS.flatMap(({ statuses }) => statuses);

export const directionOf = (sort: DebtSort): 'ascending' | 'descending' =>
  sort.startsWith('-') ? 'descending' : 'ascending';
export const sortKeyOf = (sort: DebtSort): SortKey => sort.replace('-', '') as SortKey;

const isSort = (text: string): text is DebtSort => SORT_KEYS.some((key) => text === key || text === `-${key}`);

/** Debts without a next contact come last in both directions, so only the other orders are each other's opposite. */
export function oppositeOf(sort: DebtSort): DebtSort | null {
  if (sortKeyOf(sort) === 'nextContactAt') return null;
  return (sort.startsWith('-') ? sort.slice(1) : `-${sort}`) as DebtSort;
}

/** A first press sorts upwards, the next one downwards. */
export const pressedSort = (key: SortKey, now: DebtSort): DebtSort => (now === key ? `-${key}` : key);

const listOf = (text: string): readonly string[] => (text === '' ? [] : text.split(','));

/** The statuses of an address: whole groups and single ones, each once, in the order of the groups. */
export function statusesOf({ grupo, situacao }: Pick<FilterValues, 'grupo' | 'situacao'>): readonly DebtStatus[] {
  const groups = listOf(grupo);
  const named = new Set<string>([
    ...listOf(situacao),
    ...GROUPS.filter(({ key }) => groups.includes(key)).flatMap(({ statuses }) => statuses),
  ]);
  return ALL_STATUSES.filter((status) => named.has(status));
}

/** The one group whose statuses are exactly the chosen ones, as the chart marks it. */
export const groupOf = (chosen: readonly DebtStatus[]): GroupKey | undefined =>
  STATUS_GROUPS.find(
    ({ statuses }) => statuses.length === chosen.length && statuses.every((status) => chosen.includes(status)),
  )?.key;

export const isWhole = (group: readonly DebtStatus[], chosen: readonly DebtStatus[]): boolean =>
  group.every((status) => chosen.includes(status));

/** Adds the statuses, or removes them when all of them are chosen. */
export function toggled(chosen: readonly DebtStatus[], statuses: readonly DebtStatus[]): readonly DebtStatus[] {
  const next = isWhole(statuses, chosen)
    ? chosen.filter((status) => !statuses.includes(status))
    : [...chosen, ...statuses];
  return ALL_STATUSES.filter((status) => next.includes(status));
}

/** How chosen statuses stand in the address: as a list of them alone. */
export const statusValues = (chosen: readonly DebtStatus[]): Pick<FilterValues, 'grupo' | 'situacao'> => ({
  grupo: '',
  situacao: chosen.join(','),
});

const DAY = /^[12]\d{3}-\d\d-\d\d$/;
const dayOf = (text: string): string | undefined =>
  DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The API takes a text of 1 to 100 characters. */
const MAX_TEXT_LENGTH = 100;
const searchedText = (text: string): string => [...text.trim()].slice(0, MAX_TEXT_LENGTH).join('');

export interface Scope {
  /** The campaign of the screen, when it shows one. */
  readonly campaignId?: string | undefined;
}

/** The search of an address and a text. What an address cannot mean is left out. */
export function searchOf(values: FilterValues, text: string, { campaignId }: Scope): DebtSearch {
  const q = searchedText(text);
  const status = statusesOf(values);
  const dueFrom = dayOf(values.de);
  const dueTo = dayOf(values.ate);
  const campaign = campaignId ?? (UUID.test(values.campanha) ? values.campanha : undefined);
  return {
    ...(q !== '' && { q }),
    ...(campaign !== undefined && { campaignId: campaign }),
    ...(status.length > 0 && { status: [...status] }),
    ...(dueFrom !== undefined && { dueFrom }),
    ...(dueTo !== undefined && { dueTo }),
    ...(campaignId === undefined && values.teste !== '' && { sandbox: values.teste === 'sim' }),
    sort: isSort(values.ordem) ? values.ordem : campaignId === undefined ? '-createdAt' : 'createdAt',
  };
}

export const filterOf = ({ sort: _sort, ...filter }: DebtSearch): DebtFilter => filter;

/** Whether anything but the campaign of the screen hides debts. */
export const isFiltered = (search: DebtSearch, { campaignId }: Scope): boolean =>
  Object.keys(filterOf(search)).some((name) => name !== 'campaignId' || campaignId === undefined);
