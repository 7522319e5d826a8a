import { sql } from 'kysely';
import { OPEN_DEBT_STATUSES } from '../../../kernel/debt-status.ts';
import { anyOf, NOW, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { EndedByPayment, EndedClaim } from '../rules/ended-by-payment.ts';
import type { InboxReason } from '../rules/inbox-reasons.ts';
import { ofPersonOf, type PersonOfClient } from './person-requests.ts';

/** Returns the items for which the debt stands in the inbox for one of these reasons. */
export const openItemsFor = (tx: Tx, debtId: string, reasons: readonly InboxReason[]) =>
  queriesIn(tx)
    .selectFrom('inbox_items')
    .select(['id', 'reason'])
    .where('debtId', '=', debtId)
    .where('closedAt', 'is', null)
    .where('reason', '=', anyOf(reasons, 'text').$castTo<InboxReason>())
    .orderBy('id')
    .execute();

/**
 * Returns for what the debt of these closed items would still stand in the inbox: not for what came up again and was ended
 * since. `isDecided` says that staff have decided the same since about another debt of the person. The end of a debt that
 * was paid or stopped decides nothing about the person.
 */
export const undecidedItems = (tx: Tx, itemIds: readonly string[]) =>
  queriesIn(tx)
    .selectFrom('inbox_items as item')
    .innerJoin('debts as own', 'own.id', 'item.debtId')
    .select([
      'item.reason',
      sql<boolean>`exists (select from debts as other join inbox_items as later on later.debt_id = other.id
        where other.client_id = own.client_id and other.debtor_tax_id = own.debtor_tax_id
          and other.sandbox = own.sandbox and other.status not in ('PAID', 'STOPPED')
          and later.reason = item.reason and later.closed_at > item.closed_at)`.as('isDecided'),
    ])
    .where('item.id', '=', anyOf(itemIds, 'uuid'))
    .where(
      sql<boolean>`not exists (select from inbox_items as later where later.debt_id = item.debt_id
        and later.reason = item.reason and later.closed_at > item.closed_at)`,
    )
    .execute();

/** Returns the claim that ends with this transaction. */
export const endedClaim = async (tx: Tx, saidPaidAt: Date): Promise<EndedClaim> => {
  const { endedAt } = await queriesIn(tx)
    .selectNoFrom(sql<string>`${NOW}::text`.as('endedAt'))
    .executeTakeFirstOrThrow();
  return { saidPaidAt: saidPaidAt.toISOString(), endedAt };
};

/**
 * Returns whether an ended claim of the person would still wait for a payment: a debt of the person is open, the person has
 * claimed nothing since, and staff have decided about no claim since.
 */
export async function wouldStillWait(
  tx: Tx,
  { clientId, debtorTaxId, sandbox }: PersonOfClient,
  { endedAt }: EndedClaim,
): Promise<boolean> {
  const open = await queriesIn(tx)
    .selectFrom('debts')
    .leftJoin('person_requests', (join) => join.on((eb) => ofPersonOf(eb)))
    .select('debts.id')
    .where('debts.clientId', '=', clientId)
    .where('debts.debtorTaxId', '=', debtorTaxId)
    .where('debts.sandbox', '=', sandbox)
    .where('debts.status', 'in', OPEN_DEBT_STATUSES)
    .where('person_requests.saidPaidAt', 'is', null)
    .where(
      sql<boolean>`not exists (select from debts as other join inbox_items as later on later.debt_id = other.id
        where other.client_id = debts.client_id and other.debtor_tax_id = debts.debtor_tax_id
          and other.sandbox = debts.sandbox and other.status not in ('PAID', 'STOPPED')
          and later.reason = 'said_paid' and later.closed_at > ${endedAt}::timestamptz)`,
    )
    .limit(1)
    .executeTakeFirst();
  return open !== undefined;
}

/** Returns what a payment of an agreement has ended of one of its debts. */
export async function endedByInstalment(tx: Tx, debtId: string, paymentId: string): Promise<EndedByPayment | null> {
  const row = await queriesIn(tx)
    .selectFrom('debt_events')
    .select(sql<EndedByPayment | null>`data -> 'ended'`.as('ended'))
    .where('debtId', '=', debtId)
    .where('kind', '=', 'instalment_paid')
    .where(sql<string>`data ->> 'paymentId'`, '=', paymentId)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.ended ?? null;
}
