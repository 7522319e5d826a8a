import { type NotNull, sql } from 'kysely';
import { anyOf, prepared, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { LASTING_KINDS } from '../../debts/rules/timeline-entry.ts';
import type { ErasureDuty } from '../rules/erasure-duties.ts';

/** Adopts what the chain of a debt lacks. The routine is in `src/platform/database/routines/evidence.sql`. */
export const completeChain = (tx: Tx, debtId: string) =>
  queriesIn(tx).selectNoFrom(sql<unknown>`complete_evidence(${debtId}::uuid)`.as('completed')).execute();

/** A page of a chain, in its order and as a pack writes it. The contents are canonical JSON. */
export const LINES_OF_DEBT = prepared(
  'evidence_lines_of_debt',
  (
    queries,
    {
      debtId,
      after,
      last,
      limit,
    }: { readonly debtId: string; readonly after: number; readonly last: number; readonly limit: number },
  ) =>
    queries
      .selectFrom('evidence_lines')
      .select(['seq', 'at', 'kind', 'content', 'erasedAt', 'erasedFor'])
      .select([
        sql<string>`encode(content_hash, 'hex')`.as('contentHash'),
        sql<string>`encode(hash, 'hex')`.as('hash'),
        sql<string | null>`encode(salt, 'hex')`.as('salt'),
      ])
      .where('debtId', '=', debtId)
      .where('seq', '>', sql<number>`${after}::int`)
      .where('seq', '<=', sql<number>`${last}::int`)
      .orderBy('seq')
      .limit(sql<number>`${limit}::int`),
);

export type StoredLine = ReturnType<typeof LINES_OF_DEBT.rowsOf>[number];

export const headOfChain = (tx: Tx, debtId: string) =>
  queriesIn(tx)
    .selectFrom('evidence_lines')
    .select(['seq', sql<string>`encode(hash, 'hex')`.as('hash')])
    .where('debtId', '=', debtId)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();

/** How many lines there are of each kind. */
export const countsOfChain = (tx: Tx, debtId: string) =>
  queriesIn(tx)
    .selectFrom('evidence_lines')
    .select(['kind', sql<number>`count(*)::int`.as('lines')])
    .where('debtId', '=', debtId)
    .groupBy('kind')
    .orderBy('kind')
    .execute();

/** What was erased of a chain: when, by which duty, and how much. */
export const erasuresOfChain = (tx: Tx, debtId: string) =>
  queriesIn(tx)
    .selectFrom('evidence_lines')
    .select(['erasedAt as at', 'erasedFor as duty', sql<number>`count(*)::int`.as('lines')])
    .where('debtId', '=', debtId)
    .where('content', 'is', null)
    .groupBy(['erasedAt', 'erasedFor'])
    .orderBy('erasedAt')
    .$narrowType<{ at: NotNull; duty: NotNull }>()
    .execute();

const ERASURE = (duty: ErasureDuty) =>
  ({ salt: null, content: null, erasedAt: sql<Date>`quita_now()::timestamptz(3)`, erasedFor: duty }) as const;

/** Lines in which somebody's words stand: a message, a note, a reason, or what staff wrote about a payment. */
const HAS_WORDS = sql<boolean>`(kind in ('message_sent', 'message_received', 'note') or content like '%"note":%'
  or kind = 'status_changed' and content like '%"reason":%')`;

/**
 * Deletes the contents in which somebody's words stand, with their salts, so that nobody can guess them from their hashes.
 * Entries that have ids, numbers and names of rules alone stay whole, as the timeline keeps them. A message may speak of
 * other debts of the person, whose chains lose its words too.
 */
export async function eraseWords(tx: Tx, debtIds: readonly string[]): Promise<void> {
  const lines = queriesIn(tx).updateTable('evidence_lines').set(ERASURE('erasure')).where('content', 'is not', null);
  await lines.where('debtId', '=', anyOf(debtIds, 'uuid')).where(HAS_WORDS).execute();
  await lines
    .where('debtId', 'in', (from) =>
      from
        .selectFrom('messages')
        .select(sql<string>`unnest(messages.also_about)`.as('id'))
        .where('messages.debtId', '=', anyOf(debtIds, 'uuid')),
    )
    .where('kind', '=', 'message_sent')
    .where(sql<string>`(content::jsonb ->> 'messageId')::uuid`, 'in', (from) =>
      from.selectFrom('messages').select('messages.id').where('messages.debtId', '=', anyOf(debtIds, 'uuid')),
    )
    .execute();
}

/** Deletes the contents of all entries that the timeline does not keep, and all words. */
export const eraseExpired = (tx: Tx, debtIds: readonly string[]) =>
  queriesIn(tx)
    .updateTable('evidence_lines')
    .set(ERASURE('retention'))
    .where('debtId', '=', anyOf(debtIds, 'uuid'))
    .where('content', 'is not', null)
    .where(({ eb, or }) => or([eb('kind', 'not in', [...LASTING_KINDS, 'imported', 'scored']), HAS_WORDS]))
    .execute();
