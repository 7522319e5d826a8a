import type { Event } from '../api/client.ts';

const AGREEMENT = ['agreements', 'dashboard', 'campaigns', 'statistics', 'debts', 'debt', 'inbox'] as const;

/** Each kind of change makes these queries stale; the first word of a query's key is what it is about. */
const STALE: Readonly<Record<string, readonly string[]>> = {
  'debt.imported': ['dashboard', 'campaigns', 'campaign', 'statistics', 'debts'],
  'debt.status_changed': ['dashboard', 'campaigns', 'statistics', 'debts', 'debt', 'inbox', 'agreements'],
  'debt.contacted': ['dashboard', 'statistics', 'debt', 'outbox'],
  'debt.message_received': ['debt', 'inbox', 'outbox', 'dashboard'],
  'payment.approved': ['dashboard', 'campaigns', 'statistics', 'debts', 'debt'],
  'payment.duplicate': ['debt', 'inbox', 'dashboard'],
  'payment.refunded': ['debt', 'inbox', 'dashboard'],
  'receipt.issued': ['receipts', 'debt', 'debts'],
  'receipt.revoked': ['receipts', 'debt'],
  'agreement.accepted': AGREEMENT,
  'agreement.instalment_paid': AGREEMENT,
  'agreement.broken': AGREEMENT,
  'agreement.completed': AGREEMENT,
  'campaign.status_changed': ['campaigns', 'campaign', 'dashboard', 'statistics'],
};

/** The first words of the queries that these events make stale, and the debts and campaigns that they are about. */
export function staleAfter(events: readonly Pick<Event, 'type' | 'debtId' | 'campaignId'>[]): {
  readonly topics: ReadonlySet<string>;
  readonly ids: ReadonlySet<string>;
} {
  const topics = new Set(events.flatMap(({ type }) => STALE[type] ?? []));
  const ids = new Set(events.flatMap(({ debtId, campaignId }) => [debtId, campaignId].filter((id) => id !== null)));
  return { topics, ids };
}

/** A query of one debt or campaign is stale only when an event is about it; its key is `[topic, id, …]`. */
export function isStale(key: readonly unknown[], { topics, ids }: ReturnType<typeof staleAfter>): boolean {
  const [topic, id] = key;
  if (typeof topic !== 'string' || !topics.has(topic)) return false;
  return typeof id !== 'string' || !ONE_OF.has(topic) || ids.has(id);
}

/**
 * What shows debts or counts them. All of it is stale after a decision of this person, without waiting for the events:
 * `queries.invalidateQueries({ predicate: showsDebts })`.
 */
const SHOWING_DEBTS = new Set([
  'debts',
  'debt',
  'statistics',
  'campaign',
  'campaigns',
  'dashboard',
  'inbox',
  'agreements',
]);

export const showsDebts = ({ queryKey: [topic] }: { readonly queryKey: readonly unknown[] }): boolean =>
  SHOWING_DEBTS.has(String(topic));

const ONE_OF = new Set(['debt', 'campaign', 'statistics', 'outbox']);
