import { type AliasableExpression, type Kysely, sql } from 'kysely';
import { LIVE_DEBT_STATUSES } from '../../../kernel/debt-status.ts';
import { queriesIn, type Tables } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { MAY_BE_SENT } from '../../receipts/queries/receipt-deliveries.ts';
import type { Wanted } from './lost-workflows.ts';

/** What waits for a workflow of the debt, since a moment of real time. */
interface Waiting {
  readonly debtId: string;
  /** The agreement whose workflow is to do it; null where the debt's is. */
  readonly agreementId: string | null;
  readonly since: Date;
}

const NO_AGREEMENT = sql<string | null>`null::uuid`.as('agreementId');

/** The moment in real time of one by the debt's own clock. */
const realTime = (moment: string) =>
  sql<Date>`${sql.ref(moment)} - make_interval(secs => debts.clock_offset_ms / 1000.0)`.as('since');

/** Each search reads a partial index that has rows only while something waits. */
const SEARCHES = {
  /** A provider has told of something that nobody has asked about. */
  payment: (queries) =>
    queries
      .selectFrom('payment_notifications as notified')
      .innerJoin('charges', 'charges.id', 'notified.chargeId')
      .select(['charges.debtId', 'charges.agreementId', 'notified.createdAt as since'])
      .where('notified.handledAt', 'is', null),
  /** The debtor has written. */
  message: (queries) =>
    queries
      .selectFrom('messages')
      .select(['debtId', NO_AGREEMENT, 'createdAt as since'])
      .where('direction', '=', 'in')
      .where('handledAt', 'is', null),
  /** Staff have written. Whether it is still sent is decided by the workflow. */
  staffMessage: (queries) =>
    queries
      .selectFrom('messages')
      .select(['debtId', NO_AGREEMENT, 'createdAt as since'])
      .where('staff', '=', true)
      .where('delivery', 'in', ['waiting', 'booked']),
  /** A receipt is to be sent, or its sending was interrupted. */
  receipt: (queries) =>
    queries
      .selectFrom('receipt_deliveries')
      .innerJoin('debts', 'debts.id', 'receipt_deliveries.debtId')
      .select(['receipt_deliveries.debtId', NO_AGREEMENT, realTime('receipt_deliveries.due_at')])
      .where('receipt_deliveries.state', 'in', ['waiting', 'booked'])
      .where('debts.status', '=', 'PAID')
      .where(MAY_BE_SENT),
  /** A channel could not deliver a message that it had accepted. A live debt is found as one that is late. */
  failedMessage: (queries) =>
    queries
      .selectFrom('messages')
      .innerJoin('debts', 'debts.id', 'messages.debtId')
      .select(['messages.debtId', NO_AGREEMENT, 'messages.createdAt as since'])
      .where('messages.isUndoDue', '=', true)
      .where('debts.status', 'not in', LIVE_DEBT_STATUSES),
  /** Staff are to be told of a listing that has to be removed. */
  listing: (queries) =>
    queries
      .selectFrom('bureau_listings')
      .innerJoin('debts as listed', 'listed.id', 'bureau_listings.debtId')
      .innerJoin('debts', 'debts.identityId', 'listed.identityId')
      .select(['debts.id as debtId', NO_AGREEMENT, realTime('bureau_listings.remind_at')])
      .where('bureau_listings.removedOn', 'is', null)
      .where('bureau_listings.remindAt', 'is not', null)
      .where('debts.continuedBy', 'is', null),
} as const satisfies Readonly<Record<string, (queries: Kysely<Tables>) => AliasableExpression<Waiting>>>;

export type WaitingKind = keyof typeof SEARCHES;
export const WAITING_KINDS = Object.keys(SEARCHES) as WaitingKind[];

/**
 * Returns the debts for which this has waited since before that moment, whatever their status; without one, however
 * lately.
 */
export const debtsWithWaiting = (tx: Tx, kind: WaitingKind, { campaignId, overdueSince }: Wanted) => {
  const queries = queriesIn(tx);
  const waiting: AliasableExpression<Waiting> = SEARCHES[kind](queries);
  return queries
    .selectFrom(waiting.as('waiting'))
    .innerJoin('debts', 'debts.id', 'waiting.debtId')
    .innerJoin('campaigns', 'campaigns.id', 'debts.campaignId')
    .select(['debts.id', 'debts.clientId', 'debts.campaignId', 'debts.sandbox', 'debts.clockOffsetMs'])
    .select(['campaigns.clocksHeld as clockHeld', 'waiting.agreementId'])
    .select(({ fn }) => fn.min('waiting.since').as('since'))
    .$if(overdueSince !== null, (query) => query.where('waiting.since', '<', overdueSince!))
    .$if(campaignId !== null, (query) => query.where('debts.campaignId', '=', campaignId))
    .groupBy(['debts.id', 'campaigns.id', 'waiting.agreementId'])
    .orderBy('since')
    .limit(MAX_AT_ONCE)
    .execute();
};

/** The schedule finds the others in its next run. */
const MAX_AT_ONCE = 1_000;
