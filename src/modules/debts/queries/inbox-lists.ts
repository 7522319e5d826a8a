import { type RawBuilder, sql } from 'kysely';
import { IS_AWAKE, prepared } from '../../../platform/database/queries/builder.ts';
import type { InboxReason, InboxState } from '../rules/inbox-reasons.ts';
import { DEBT_COLUMNS } from './debt-lists.ts';

interface InboxPage {
  readonly clientId: string;
  readonly reason?: InboxReason | undefined;
  /** The last item of the page before; whether it is a dispute counts only without `reason`. */
  readonly afterOthers: boolean;
  readonly afterSince: Date;
  readonly afterId: string;
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

/** Lists items, disputes first and then the longest wait, each with what the person has written last to this client. */
const inboxList = (state: InboxState, byReason: boolean) =>
  prepared(`list_inbox_${state}${byReason ? '_reason' : ''}`, (queries, params: InboxPage) =>
    queries
      .selectFrom('inbox_items')
      .innerJoin('debts', 'debts.id', 'inbox_items.debtId')
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
      .select(['debts.sandbox', 'inbox_items.id as itemId', 'inbox_items.reason', 'inbox_items.since'])
      .select('inbox_items.dueAt')
      .select(['inbox_items.snoozedUntil', 'message.at as messageAt', 'message.channel as messageChannel'])
      .select(['message.text as messageText', 'message.intent as messageIntent'])
      .where('inbox_items.clientId', '=', params.clientId)
      .where('inbox_items.closedAt', 'is', null)
      .$if(byReason, (query) => query.where('inbox_items.reason', '=', sql<InboxReason>`${params.reason}`))
      .where(IS_IN[state])
      .where(
        byReason
          ? sql<boolean>`(inbox_items.since, inbox_items.id) > (${params.afterSince}::timestamptz, ${params.afterId}::uuid)`
          : sql<boolean>`(${IS_OTHER}, inbox_items.since, inbox_items.id)
              > (${params.afterOthers}::boolean, ${params.afterSince}::timestamptz, ${params.afterId}::uuid)`,
      )
      .$if(!byReason, (query) => query.orderBy(IS_OTHER))
      .orderBy('inbox_items.since')
      .orderBy('inbox_items.id')
      .limit(params.limit),
  );

const LISTS = {
  open: { all: inboxList('open', false), ofReason: inboxList('open', true) },
  snoozed: { all: inboxList('snoozed', false), ofReason: inboxList('snoozed', true) },
  waiting: { all: inboxList('waiting', false), ofReason: inboxList('waiting', true) },
};

/** Each set of filters has its own statement, so that each uses its own index. */
export const inboxListWith = (state: InboxState, reason: InboxReason | undefined) =>
  LISTS[state][reason === undefined ? 'all' : 'ofReason'];

export type InboxRow = ReturnType<typeof LISTS.open.all.rowsOf>[number];

/**
 * Counts the items of a client by state and reason. An index that has only items that are not closed finds them; a client
 * has few of those.
 */
export const INBOX_COUNTS = prepared('count_inbox', (queries, { clientId }: { readonly clientId: string }) =>
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
    .groupBy(['reason', 'state']),
);
