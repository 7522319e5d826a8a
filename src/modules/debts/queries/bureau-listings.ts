import { sql } from 'kysely';
import type { LocalDate } from '../../../kernel/calendar.ts';
import type { DebtRef } from '../../../kernel/ports/collection-workflows.ts';
import { prepared, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { idsOfRows } from './debts.ts';

/** The listings that stand of a debt, by whichever of its rows they were recorded. */
const STANDS_OF = (debtId: string) =>
  sql<boolean>`bureau_listings.removed_on is null and bureau_listings.debt_id in ${idsOfRows(debtId)}`;

/** Returns the debt's current row when a listing of the debt stands. */
export const listedDebt = async (tx: Tx, debtId: string): Promise<DebtRef | undefined> =>
  (await LISTED_DEBT.run(tx, { debtId }))[0];

const LISTED_DEBT = prepared('listed_debt', (queries, { debtId }: { readonly debtId: string }) =>
  queries
    .selectFrom('debts as named')
    .innerJoin('debts as current', 'current.identityId', 'named.identityId')
    .select(['current.id', 'current.clientId', 'current.campaignId', 'current.sandbox', 'current.clockOffsetMs'])
    .where('named.id', '=', debtId)
    .where('current.continuedBy', 'is', null)
    .where(({ exists, selectFrom }) => exists(selectFrom('bureau_listings').select('id').where(STANDS_OF(debtId)))),
);

interface NewListing {
  readonly id: string;
  readonly clientId: string;
  readonly debtId: string;
  readonly bureau: string;
  readonly listedOn: LocalDate;
  readonly notifiedOn: LocalDate;
}

export const insertListing = (tx: Tx, listing: NewListing) =>
  queriesIn(tx).insertInto('bureau_listings').values(listing).execute();

/** Returns the listings of the debt that stand. */
export const standingListings = (tx: Tx, debtId: string) =>
  queriesIn(tx)
    .selectFrom('bureau_listings')
    .select(['id', 'bureau', 'listedOn', 'removeBy'])
    .where(STANDS_OF(debtId))
    .orderBy('createdAt')
    .orderBy('id')
    .execute();

export const endListing = (tx: Tx, listingId: string, removedOn: LocalDate) =>
  queriesIn(tx).updateTable('bureau_listings').set({ removedOn }).where('id', '=', listingId).execute();

export interface Removal {
  /** Until when the listings that stand have to be removed. */
  readonly removeBy: Date;
  /** When the staff are told of them next, by the debt's own clock; null once there is nothing more to tell. */
  readonly remindAt: Date | null;
}

/** Sets what is to become of the listings that stand; null when nothing asks for their removal. */
export const setRemoval = (tx: Tx, debtId: string, removal: Removal | null) =>
  queriesIn(tx)
    .updateTable('bureau_listings')
    .set(removal ?? { removeBy: null, remindAt: null })
    .where(STANDS_OF(debtId))
    .execute();

/** The workflow of the listings is about to tell the staff of them. It is found by this moment when it is lost. */
export const setRemindAt = (tx: Tx, debtId: string, remindAt: Date) =>
  queriesIn(tx).updateTable('bureau_listings').set({ remindAt }).where(STANDS_OF(debtId)).execute();

const CAME_AT = sql<Date>`coalesce(charges.paid_at, charges.approved_at, charges.underpaid_at)`;

/** When the newest agreement about the debt beside it was accepted that is kept, or was to the end; null without one. */
const AGREED_AT = sql<Date | null>`(select agreements.accepted_at
  from debts as agreed join agreement_debts as one on one.debt_id = agreed.id
    join agreements on agreements.id = one.agreement_id
  where agreed.identity_id = debts.identity_id and agreements.status in ('ACTIVE', 'COMPLETED')
  order by agreements.created_at desc, agreements.id desc limit 1)`;

/**
 * Returns when what asks for the removal happened: the acceptance of the agreement by which the debt is paid, or the last
 * money that was owed. The money of that agreement begins no term again. Neither does what came twice; it pays the debt
 * only where what came before it went back.
 */
export async function removalBegan(tx: Tx, debtId: string): Promise<Date | null> {
  const found = await queriesIn(tx)
    .selectFrom('debts')
    .select(
      sql<Date | null>`coalesce(${AGREED_AT},
        (select coalesce(max(${CAME_AT}) filter (where not charges.duplicate), min(${CAME_AT}))
          from debts as part join charges on charges.debt_id = part.id
          where part.identity_id = debts.identity_id and charges.agreement_id is null and charges.paid_centavos > 0
            and charges.charged_back_at is null))`.as('began'),
    )
    .where('id', '=', debtId)
    .executeTakeFirst();
  return found?.began ?? null;
}
