import { type Kysely, type RawBuilder, sql } from 'kysely';
import { DEBT_STATUSES, type DebtStatus } from '../../../kernel/debt-status.ts';
import type { SearchTerms } from '../../../kernel/search-terms.ts';
import { anyOf, prepared, queriesIn, type Tables } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { TERMS_OF_DEBT } from '../../terms/queries/late-payment-terms.ts';
import type { DebtSort } from '../rules/debt-sorts.ts';
import type { InboxReason } from '../rules/inbox-reasons.ts';
import { AGREED_OF_DEBT, CREDITS_OF_DEBT } from './debt-context.ts';
import { DEBT_COLUMNS } from './debt-lists.ts';
import { debtsThatMatch } from './debt-terms.ts';
import { ofPersonOf } from './person-requests.ts';
import { RECEIPT_OF_DEBT } from './receipt-of-debt.ts';

/** The debts of a client that agree with each of the given conditions. */
export interface DebtSelection {
  readonly clientId: string;
  readonly terms?: SearchTerms | undefined;
  readonly campaignId?: string | undefined;
  readonly statuses?: readonly DebtStatus[] | undefined;
  readonly dueFrom?: string | undefined;
  readonly dueTo?: string | undefined;
  readonly sandbox?: boolean | undefined;
  /** Only these debts. */
  readonly ids?: readonly string[] | undefined;
}

export function selectedDebts(queries: Kysely<Tables>, selection: DebtSelection) {
  const { clientId, terms, campaignId, statuses, dueFrom, dueTo, sandbox, ids } = selection;
  let query = queries.selectFrom('debts').where('debts.clientId', '=', clientId);
  if (terms !== undefined) query = query.where('debts.id', 'in', debtsThatMatch(queries, clientId, terms));
  if (campaignId !== undefined) query = query.where('debts.campaignId', '=', campaignId);
  if (statuses !== undefined) query = query.where('debts.status', '=', sql<DebtStatus>`any(${statuses}::text[])`);
  if (dueFrom !== undefined) query = query.where('debts.dueDate', '>=', dueFrom);
  if (dueTo !== undefined) query = query.where('debts.dueDate', '<=', dueTo);
  if (sandbox !== undefined) query = query.where('debts.sandbox', '=', sandbox);
  if (ids !== undefined) query = query.where('debts.id', '=', anyOf(ids, 'uuid'));
  return query;
}

/** A value by which debts are sorted, with the type in which a cursor gives it back. */
type SortColumn = readonly [expression: RawBuilder<unknown>, type: string];

const noContact = (descending: boolean) => sql.lit(descending ? '-infinity' : 'infinity');

/** Debts without a next contact come last in both directions. */
const nextContact = (descending: boolean): SortColumn => [
  sql`coalesce(debts.next_contact_at, ${noContact(descending)}::timestamptz)`,
  'timestamptz',
];

const STATUS_LIST = sql.raw(DEBT_STATUSES.map((status) => `'${status}'`).join(', '));

const SORT_COLUMNS: Readonly<Record<DebtSort['by'], (descending: boolean) => readonly SortColumn[]>> = {
  // All debts of one import have the same moment.
  createdAt: () => [
    [sql`debts.created_at`, 'timestamptz'],
    [sql`debts.position`, 'int'],
  ],
  dueDate: () => [[sql`debts.due_date`, 'date']],
  amount: () => [[sql`debts.original_amount_centavos`, 'bigint']],
  name: () => [[sql`debts.name_key collate "C"`, 'text']],
  status: () => [[sql`array_position(array[${STATUS_LIST}], debts.status)`, 'int']],
  nextContactAt: (descending) => [nextContact(descending)],
};

const ID: SortColumn = [sql`debts.id`, 'uuid'];

const columnsOf = ({ by, descending }: DebtSort): readonly SortColumn[] => [...SORT_COLUMNS[by](descending), ID];

const orderOf = (sort: DebtSort) =>
  sql.join(columnsOf(sort).map(([expression]) => (sort.descending ? sql`${expression} desc` : expression)));

export type CursorValue = string | number;

/** The values of the last debt of the page before, in the order of the sort's columns, and its id. */
function isAfter(sort: DebtSort, last: readonly CursorValue[]) {
  const columns = columnsOf(sort);
  const row = sql.join(columns.map(([expression]) => expression));
  const values = sql.join(columns.map(([, type], index) => sql`${last[index]}::${sql.raw(type)}`));
  return sort.descending ? sql<boolean>`(${row}) < (${values})` : sql<boolean>`(${row}) > (${values})`;
}

const HOLD_REASONS: readonly InboxReason[] = ['hardship', 'negotiate', 'human', 'said_paid', 'underpaid'];

/** What searches and exports show beside the columns of other lists. */
const MORE_COLUMNS = [
  'debts.sandbox',
  'debts.nextContactAt',
  'person_requests.promisedFor',
  'campaigns.name as campaignName',
  'debts.continuedBy',
  'debts.clockOffsetMs',
  // What decides how much is owed, beside the published indices, which all debts share.
  TERMS_OF_DEBT.as('terms'),
  CREDITS_OF_DEBT.as('credits'),
  AGREED_OF_DEBT.as('agreed'),
  sql<InboxReason | null>`case when debts.status = 'ON_HOLD' then (
    select inbox_items.reason from inbox_items where inbox_items.debt_id = debts.id and inbox_items.closed_at is null
      and inbox_items.reason in (${sql.raw(HOLD_REASONS.map((reason) => `'${reason}'`).join(', '))})
    order by inbox_items.since desc, inbox_items.id limit 1) end`.as('holdReason'),
  RECEIPT_OF_DEBT.as('receiptProtocol'),
] as const;

interface DebtPage {
  readonly sort: DebtSort;
  readonly after?: readonly CursorValue[] | undefined;
  readonly limit: number;
}

/** Lists a page of the selected debts, with the values by which they are sorted. */
export const pageOfSelectedDebts = (tx: Tx, selection: DebtSelection, { sort, after, limit }: DebtPage) =>
  selectedDebts(queriesIn(tx), selection)
    .innerJoin('campaigns', 'campaigns.id', 'debts.campaignId')
    .leftJoin('person_requests', (join) => join.on((eb) => ofPersonOf(eb)))
    .select(DEBT_COLUMNS)
    .select(MORE_COLUMNS)
    .select(['debts.createdAt', 'debts.nameKey'])
    .$if(after !== undefined, (query) => query.where(isAfter(sort, after ?? [])))
    .orderBy(orderOf(sort))
    .limit(limit)
    .execute();

/** Counts the selected debts, at most `limit` of them. */
export async function countSelectedDebts(tx: Tx, selection: DebtSelection, limit: number): Promise<number> {
  const queries = queriesIn(tx);
  const { total } = await queries
    .selectFrom(selectedDebts(queries, selection).select(sql.lit(1).as('one')).limit(limit).as('selected'))
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

const ID_LENGTH = 36;

/** The ids of many debts in the order of a sort, as one text, because many small rows would block the event loop. */
export class SelectedIds {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  get count(): number {
    return this.#text.length / ID_LENGTH;
  }

  *portions(size: number): Generator<string[]> {
    for (let from = 0; from < this.count; from += size) {
      const upTo = Math.min(from + size, this.count);
      yield Array.from({ length: upTo - from }, (_, at) =>
        this.#text.slice((from + at) * ID_LENGTH, (from + at + 1) * ID_LENGTH),
      );
    }
  }
}

/** Returns the ids of the selected debts, at most `limit` of them. */
export async function idsOfSelectedDebts(
  tx: Tx,
  selection: DebtSelection,
  { sort, limit }: Pick<DebtPage, 'sort' | 'limit'>,
): Promise<SelectedIds> {
  const queries = queriesIn(tx);
  const { ids } = await queries
    .selectFrom(
      selectedDebts(queries, selection)
        .select('debts.id')
        .select(sql<number>`row_number() over (order by ${orderOf(sort)})`.as('place'))
        .orderBy('place')
        .limit(limit)
        .as('selected'),
    )
    .select(sql<string>`coalesce(string_agg(selected.id::text, '' order by selected.place), '')`.as('ids'))
    .executeTakeFirstOrThrow();
  return new SelectedIds(ids);
}

/** What an office asks of the agreement that decides what is owed of a debt. */
interface AgreementOfDebt {
  readonly protocol: string;
  /** When the first instalment is due that is not paid; null once the agreement has ended. */
  readonly nextDueDate: string | null;
  /** When its money came last. */
  readonly paidAt: string | null;
}

const AGREEMENT_OF_DEBT = sql<AgreementOfDebt | null>`case when debts.agreement_id is not null then (
  select jsonb_build_object('protocol', agreements.protocol, 'paidAt', money.paid_at,
    'nextDueDate', case when agreements.status = 'ACTIVE' then (
      select min(due.on_day) from (
        select one ->> 'dueDate' as on_day, sum((one ->> 'amountCentavos')::bigint) over (
          order by (one ->> 'number')::int) as up_to
        from jsonb_array_elements(agreements.instalments) as one) as due
      where due.up_to > money.centavos) end)
  from agreements cross join lateral (
    select coalesce(sum(greatest(0, paid.paid_centavos - paid.refunded_centavos))
        filter (where paid.charged_back_at is null), 0) as centavos, max(paid.paid_at) as paid_at
    from charges as paid where paid.agreement_id = agreements.id and paid.paid_centavos > 0) as money
  where agreements.id = debts.agreement_id) end`;

/**
 * Money that went back is not kept; the moment is the one of the last payment. The money of an agreement counts by what
 * the debt gets of it.
 */
const EXPORTED_COLUMNS = [
  AGREEMENT_OF_DEBT.as('agreement'),
  sql<number | null>`(select sum(charges.paid_centavos - charges.refunded_centavos) from charges
    where charges.debt_id = debts.id and charges.agreement_id is null and charges.paid_centavos > 0
      and charges.charged_back_at is null)::bigint`.as('paidCentavos'),
  sql<Date | null>`(select max(coalesce(charges.paid_at, charges.approved_at, charges.underpaid_at)) from charges
    where charges.debt_id = debts.id and charges.agreement_id is null and charges.paid_centavos > 0)`.as('paidAt'),
  // One message may be about several debts of a person; it belongs to one of them, by which an index finds it.
  sql<Date | null>`(select max(messages.at) from debts as others join messages on messages.debt_id = others.id
    where others.client_id = debts.client_id and others.debtor_tax_id = debts.debtor_tax_id
    and (messages.debt_id = debts.id or debts.id = any (messages.also_about))
    and messages.direction = 'out' and messages.purpose in ('collection', 'reminder', 'agreement')
    and messages.delivery is distinct from 'failed')`.as('lastContactAt'),
] as const;

/** Reads a portion of an export, in no order. */
export const EXPORTED_DEBTS = prepared(
  'export_debts',
  (queries, { clientId, ids }: { readonly clientId: string; readonly ids: readonly string[] }) =>
    queries
      .selectFrom('debts')
      .innerJoin('campaigns', 'campaigns.id', 'debts.campaignId')
      .leftJoin('person_requests', (join) => join.on((eb) => ofPersonOf(eb)))
      .select(DEBT_COLUMNS)
      .select(MORE_COLUMNS)
      .select(EXPORTED_COLUMNS)
      .where('debts.clientId', '=', clientId)
      .where('debts.id', '=', anyOf(ids, 'uuid')),
);

export type ExportedDebtRow = ReturnType<typeof EXPORTED_DEBTS.rowsOf>[number];
export type FoundDebtRow = Awaited<ReturnType<typeof pageOfSelectedDebts>>[number];
