import { type NotNull, sql } from 'kysely';
import { RUNNING_DEBT_STATUSES } from '../../../kernel/debt-status.ts';
import { anyOf, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { debtContexts } from '../../debts/queries/debt-context.ts';

/** What the campaign's workflow has yet to plan. A pause of the gate takes the moment from a debt that was planned. */
export const UNPLANNED = sql<boolean>`debts.status = 'QUEUED' and debts.next_contact_at is null and debts.paused_at is null`;

interface Page {
  readonly campaignId: string;
  /** Only debts behind this position; absent for all. */
  readonly behind?: number | undefined;
  /** The last debt of the previous page. */
  readonly after: { readonly score: number; readonly id: string } | null;
  readonly limit: number;
}

/**
 * Returns the queued debts of a campaign that have a score. This statement defines the order of first contacts: the
 * highest score comes first, and equal scores are ordered by id so that two runs agree.
 */
export async function debtsToContact(tx: Tx, { campaignId, behind, after, limit }: Page) {
  const few = behind === undefined ? null : await fewQueuedBehind(tx, campaignId, behind);
  return debtContexts(tx)
    .where('debts.campaignId', '=', campaignId)
    .where('debts.status', '=', 'QUEUED')
    .where('debts.scoredAt', 'is not', null)
    .$if(few !== null, (query) => query.where('debts.id', '=', anyOf(few ?? [], 'uuid')))
    .$if(few === null && behind !== undefined, (query) => query.where('debts.position', '>', behind ?? 0))
    .$if(after !== null, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('debts.score', 'debts.id'), '<', tuple(after?.score ?? 0, after?.id ?? '')),
      ),
    )
    .orderBy('debts.score', 'desc')
    .orderBy('debts.id', 'desc')
    .limit(limit)
    .$narrowType<{ score: NotNull }>()
    .execute();
}

/** So many debts are quicker to find by their positions than by reading the campaign in the order of its scores. */
const FEW = 2_000;

/** Returns the queued debts behind a position, or null when they are many. */
async function fewQueuedBehind(tx: Tx, campaignId: string, behind: number): Promise<string[] | null> {
  const found = await queriesIn(tx)
    .selectFrom('debts')
    .select('id')
    .where('campaignId', '=', campaignId)
    .where('status', '=', 'QUEUED')
    .where('position', '>', behind)
    .orderBy('position')
    .limit(FEW + 1)
    .execute();
  return found.length > FEW ? null : found.map(({ id }) => id);
}

/**
 * Stores the moments of first contacts. Returns the debts whose workflow may run already: whatever starts it before the
 * plan, also a notification about a code, has left an entry on the timeline. The stored rows are asked, because the entry
 * may have come since the debts were read.
 */
export async function storeFirstContacts(
  tx: Tx,
  contacts: readonly { readonly debtId: string; readonly at: Date }[],
): Promise<ReadonlySet<string>> {
  const stored = await queriesIn(tx)
    .updateTable('debts')
    .from(
      sql<{ id: string; at: Date }>`unnest(
        ${contacts.map(({ debtId }) => debtId)}::uuid[],
        ${contacts.map(({ at }) => at)}::timestamptz[]
      )`.as<'planned'>(sql`planned (id, at)`),
    )
    .set(({ ref }) => ({ nextContactAt: ref('planned.at') }))
    .whereRef('debts.id', '=', 'planned.id')
    .returning(['debts.id', 'debts.lastEventAt'])
    .execute();
  return new Set(stored.filter(({ lastEventAt }) => lastEventAt !== null).map(({ id }) => id));
}

/**
 * Returns whether live debts are left, the status of the campaign or null when it does not exist, and the position of
 * the first debt that has no plan yet.
 */
export const workLeft = (tx: Tx, campaignId: string) =>
  queriesIn(tx)
    .selectNoFrom(({ exists, selectFrom }) => [
      exists(
        selectFrom('debts')
          .select('id')
          .where('campaignId', '=', campaignId)
          .where('status', 'in', RUNNING_DEBT_STATUSES),
      ).as('live'),
      selectFrom('campaigns').select('status').where('id', '=', campaignId).as('status'),
      selectFrom('debts')
        .select('position')
        .where('campaignId', '=', campaignId)
        .where(UNPLANNED)
        .orderBy('position')
        .limit(1)
        .as('unplanned'),
    ])
    .executeTakeFirstOrThrow();

/** Returns the campaign when debts of it have no plan yet. */
export const campaignWithUnplanned = (tx: Tx, campaignId: string) =>
  queriesIn(tx)
    .selectFrom('campaigns')
    .select(['clientId', 'sandbox', 'launchedAt'])
    .where('id', '=', campaignId)
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('debts').select('debts.id').where('debts.campaignId', '=', campaignId).where(UNPLANNED)),
    )
    .executeTakeFirst();
