import { type Kysely, type RawBuilder, sql } from 'kysely';
import { IS_AWAKE, prepared, type Tables } from '../../../platform/database/queries/builder.ts';
import type { InboxReason, InboxState } from '../rules/inbox-reasons.ts';
import { othersViewing } from './case-viewers.ts';
import { DEBT_COLUMNS } from './debt-lists.ts';

/** What a page is made of: each set has its own statement, so that each uses its own index. */
interface InboxFilter {
  readonly state: InboxState;
  readonly byReason: boolean;
  readonly byAssignee: boolean;
  /** The items of a person follow each other, at the place of the most urgent one. */
  readonly byPerson: boolean;
}

interface InboxPage {
  readonly clientId: string;
  readonly reason?: InboxReason | undefined;
  /** Null: items that nobody has. */
  readonly assigneeId?: string | null | undefined;
  /** Who asks: a member does not see itself among those who have a case open. */
  readonly memberId: string | null;
  /** The place of the last item of the page before. */
  readonly afterOthers: boolean;
  readonly afterSince: Date;
  readonly afterId: string;
  /** The place of the most urgent item of the same person; it counts only with `byPerson`. */
  readonly firstOthers: boolean;
  readonly firstSince: Date;
  readonly firstId: string;
  readonly limit: number;
}

const IS_SNOOZED = sql<boolean>`inbox_items.snoozed_until > quita_now()`;
/** The states exclude each other: a snoozed item is hidden also when the staff have answered. */
const IS_IN: Readonly<Record<InboxState, RawBuilder<boolean>>> = {
  open: IS_AWAKE,
  snoozed: IS_SNOOZED,
  waiting: sql<boolean>`inbox_items.waiting_until > quita_now()
    and (inbox_items.snoozed_until is null or inbox_items.snoozed_until <= quita_now())`,
};
const IS_OTHER = sql<boolean>`inbox_items.reason <> 'disputed'`;

const IS_OF_ASSIGNEE = (assigneeId: InboxPage['assigneeId']) =>
  sql<boolean>`inbox_items.assignee_id is not distinct from ${assigneeId}::uuid`;

/** Erased debts of different persons have the same empty CPF. */
const PERSON = sql`case when debts.erased_at is null then debts.debtor_tax_id else debts.id::text end, debts.sandbox`;
/** The value that a column has in the most urgent item of the same person. */
const ofFirst = <Value>(column: RawBuilder<Value>) =>
  sql<Value>`first_value(${column}) over (partition by ${PERSON} order by ${IS_OTHER}, inbox_items.since, inbox_items.id)`;

const placeAfter = (place: InboxPage) =>
  sql`(${place.afterOthers}::boolean, ${place.afterSince}::timestamptz, ${place.afterId}::uuid)`;

/** The open items of a filter, each with its place and that of the person. */
const itemsOf = ({ state, byReason, byAssignee, byPerson }: InboxFilter, queries: Kysely<Tables>, params: InboxPage) =>
  queries
    .selectFrom('inbox_items')
    .innerJoin('debts', 'debts.id', 'inbox_items.debtId')
    .selectAll('inbox_items')
    .select(IS_OTHER.as('isOther'))
    .select((byPerson ? ofFirst(IS_OTHER) : IS_OTHER).as('firstOthers'))
    .select((byPerson ? ofFirst(sql<Date>`inbox_items.since`) : sql<Date>`inbox_items.since`).as('firstSince'))
    .select((byPerson ? ofFirst(sql<string>`inbox_items.id`) : sql<string>`inbox_items.id`).as('firstId'))
    .where('inbox_items.clientId', '=', params.clientId)
    .where('inbox_items.closedAt', 'is', null)
    .$if(byReason, (query) => query.where('inbox_items.reason', '=', sql<InboxReason>`${params.reason}`))
    .$if(byAssignee, (query) => query.where(IS_OF_ASSIGNEE(params.assigneeId)))
    .where(IS_IN[state])
    .$if(!byPerson, (query) =>
      query
        .where(
          byReason
            ? sql<boolean>`(inbox_items.since, inbox_items.id) > (${params.afterSince}::timestamptz, ${params.afterId}::uuid)`
            : sql<boolean>`(${IS_OTHER}, inbox_items.since, inbox_items.id) > ${placeAfter(params)}`,
        )
        .$if(!byReason, (ordered) => ordered.orderBy(IS_OTHER))
        .orderBy('inbox_items.since')
        .orderBy('inbox_items.id')
        .limit(params.limit),
    );

const nameOf = ({ state, byReason, byAssignee, byPerson }: InboxFilter): string =>
  ['list_inbox', state, byReason && 'reason', byAssignee && 'assignee', byPerson && 'person'].filter(Boolean).join('_');

/** Lists items, disputes first and then the longest wait, each with what the person has written last to this client. */
const inboxList = (filter: InboxFilter) =>
  prepared(nameOf(filter), (queries, params: InboxPage) =>
    queries
      .selectFrom(itemsOf(filter, queries, params).as('items'))
      .innerJoin('debts', 'debts.id', 'items.debtId')
      .leftJoin('members as assignee', 'assignee.id', 'items.assigneeId')
      .leftJoinLateral(
        (from) =>
          from
            .selectFrom('messages')
            .innerJoin('debts as written', 'written.id', 'messages.debtId')
            .select(['messages.at', 'messages.channel', 'messages.text', 'messages.intent'])
            .whereRef('written.debtorTaxId', '=', 'debts.debtorTaxId')
            .whereRef('written.clientId', '=', 'debts.clientId')
            .whereRef('written.sandbox', '=', 'debts.sandbox')
            // Erased debts of different persons have the same empty CPF.
            .where('debts.erasedAt', 'is', null)
            .where('messages.direction', '=', 'in')
            .where('messages.automatic', '=', false)
            .orderBy('messages.createdAt', 'desc')
            .limit(1)
            .as('message'),
        (join) => join.onTrue(),
      )
      .select(DEBT_COLUMNS)
      .select(['debts.sandbox', 'debts.erasedAt', 'items.id as itemId', 'items.reason', 'items.since', 'items.dueAt'])
      .select(['items.firstOthers', 'items.firstSince', 'items.firstId'])
      .select(['items.snoozedUntil', 'message.at as messageAt', 'message.channel as messageChannel'])
      .select(['message.text as messageText', 'message.intent as messageIntent'])
      .select(['items.assigneeId', 'assignee.name as assigneeName'])
      .select(othersViewing(sql.ref('debts.id'), params.memberId).as('viewing'))
      .$if(filter.byPerson, (query) =>
        query.where(
          sql<boolean>`(items.first_others, items.first_since, items.first_id, items.is_other, items.since, items.id)
            > (${params.firstOthers}::boolean, ${params.firstSince}::timestamptz, ${params.firstId}::uuid,
               ${params.afterOthers}::boolean, ${params.afterSince}::timestamptz, ${params.afterId}::uuid)`,
        ),
      )
      .orderBy('items.firstOthers')
      .orderBy('items.firstSince')
      .orderBy('items.firstId')
      .orderBy('items.isOther')
      .orderBy('items.since')
      .orderBy('items.id')
      .limit(params.limit),
  );

const lists = new Map<string, ReturnType<typeof inboxList>>();

export function inboxListWith(filter: InboxFilter): ReturnType<typeof inboxList> {
  const name = nameOf(filter);
  const known = lists.get(name) ?? inboxList(filter);
  lists.set(name, known);
  return known;
}

export type InboxRow = ReturnType<ReturnType<typeof inboxList>['rowsOf']>[number];

/**
 * Counts the items of a client by state and reason. An index that has only items that are not closed finds them; a client
 * has few of those.
 */
const inboxCounts = (byAssignee: boolean) =>
  prepared(
    byAssignee ? 'count_inbox_assignee' : 'count_inbox',
    (queries, { clientId, assigneeId }: Pick<InboxPage, 'clientId' | 'assigneeId'>) =>
      queries
        .selectFrom('inbox_items')
        .select('reason')
        .select(
          sql<InboxState>`case when ${IS_SNOOZED} then 'snoozed' when ${IS_AWAKE} then 'open' else 'waiting' end`.as(
            'state',
          ),
        )
        .select(({ fn }) => fn.countAll<number>().as('items'))
        .where('clientId', '=', clientId)
        .where('closedAt', 'is', null)
        .$if(byAssignee, (query) => query.where(IS_OF_ASSIGNEE(assigneeId)))
        .groupBy(['reason', 'state']),
  );

export const INBOX_COUNTS = { all: inboxCounts(false), ofAssignee: inboxCounts(true) };
