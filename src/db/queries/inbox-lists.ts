import { sql } from 'kysely';
import type { InboxReason } from '../../domain/inbox-reasons.ts';
import { NOW, prepared } from './builder.ts';
import { DEBT_COLUMNS } from './debt-lists.ts';

export type InboxState = 'open' | 'snoozed';

interface InboxPage {
  readonly clientId: string;
  readonly reason?: InboxReason | undefined;
  /** The last item of the page before. */
  readonly afterSince: Date;
  readonly afterId: string;
  readonly limit: number;
}

/** Lists items, the longest wait first, each with what the person has written last to this client. */
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
            .whereRef('written.debtorCpf', '=', 'debts.debtorCpf')
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
      .select(['inbox_items.snoozedUntil', 'message.at as messageAt', 'message.channel as messageChannel'])
      .select(['message.text as messageText', 'message.intent as messageIntent'])
      .where('inbox_items.clientId', '=', params.clientId)
      .where('inbox_items.closedAt', 'is', null)
      .$if(byReason, (query) => query.where('inbox_items.reason', '=', sql<InboxReason>`${params.reason}`))
      .where(({ eb, or }) =>
        state === 'snoozed'
          ? eb('inbox_items.snoozedUntil', '>', NOW)
          : or([eb('inbox_items.snoozedUntil', 'is', null), eb('inbox_items.snoozedUntil', '<=', NOW)]),
      )
      .where(({ eb, refTuple, tuple }) =>
        eb(refTuple('inbox_items.since', 'inbox_items.id'), '>', tuple(params.afterSince, params.afterId)),
      )
      .orderBy('inbox_items.since')
      .orderBy('inbox_items.id')
      .limit(params.limit),
  );

const LISTS = {
  open: { all: inboxList('open', false), ofReason: inboxList('open', true) },
  snoozed: { all: inboxList('snoozed', false), ofReason: inboxList('snoozed', true) },
};

/** Each set of filters has its own statement, so that each uses its own index. */
export const inboxListWith = (state: InboxState, reason: InboxReason | undefined) =>
  LISTS[state][reason === undefined ? 'all' : 'ofReason'];

export type InboxRow = ReturnType<typeof LISTS.open.all.rowsOf>[number];

/** Counts the open items of a client by reason. An index that has only open items answers it. */
export const INBOX_COUNTS = prepared('count_inbox', (queries, { clientId }: { readonly clientId: string }) =>
  queries
    .selectFrom('inbox_items')
    .select('reason')
    .select(({ fn }) => fn.countAll<number>().as('items'))
    .where('clientId', '=', clientId)
    .where('closedAt', 'is', null)
    .where(({ eb, or }) => or([eb('snoozedUntil', 'is', null), eb('snoozedUntil', '<=', NOW)]))
    .groupBy('reason'),
);
