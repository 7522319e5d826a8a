import { type Insertable, type Kysely, sql } from 'kysely';
import { prepared, queriesIn, type Tables } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { nameOfMember } from './member-names.ts';

type NewEntry = Required<Omit<Insertable<Tables['audit_log']>, 'seq' | 'at' | 'memberId'>> & {
  /** For a login, of which no member was known when the request came. */
  readonly memberId?: string;
};

/** It returns nothing, because a role may not read entries that do not belong to the current client. */
export const insertAuditEntry = (tx: Tx, entry: NewEntry) =>
  queriesIn(tx).insertInto('audit_log').values(entry).execute();

/** The entries of one client in a period, the newest first. */
interface AuditPage {
  readonly clientId: string;
  /** The first moment, and the first one after the period. */
  readonly from: Date;
  readonly to: Date;
  /** The page begins behind this entry. */
  readonly beforeAt: Date;
  /** Its number, as text, because cursors contain it as text. */
  readonly before: string;
  readonly limit: number;
}

const COLUMNS = [
  sql<string>`audit_log.seq::text`.as('seq'),
  'at',
  'actor',
  'action',
  'target',
  'ip',
  'details',
  'memberId',
  nameOfMember('audit_log.member_id').as('memberName'),
] as const;

const ofPage = (queries: Kysely<Tables>, { clientId, from, to, beforeAt, before, limit }: AuditPage) =>
  queries
    .selectFrom('audit_log')
    .select(COLUMNS)
    .where('audit_log.clientId', '=', clientId)
    .where('audit_log.at', '>=', from)
    .where('audit_log.at', '<', to)
    .where(sql<boolean>`(audit_log.at, audit_log.seq) < (${beforeAt}::timestamptz, ${before}::bigint)`)
    .orderBy('audit_log.at', 'desc')
    .orderBy('audit_log.seq', 'desc')
    .limit(limit);

export const AUDIT_OF_CLIENT = prepared('list_audit', (queries, page: AuditPage) => ofPage(queries, page));

/**
 * The same for some actions alone. Each action is read by itself from the index, at most as many entries as the page has,
 * so that rare actions among a million entries are found as fast as others.
 */
export const AUDIT_OF_ACTIONS = prepared(
  'list_audit_of_actions',
  (queries, page: AuditPage & { readonly actions: readonly string[] }) =>
    queries
      .selectFrom(sql<{ readonly wanted: string }>`unnest(${page.actions}::text[])`.as<'actions'>(sql`actions(wanted)`))
      .innerJoinLateral(
        (lateral) =>
          ofPage(lateral as unknown as Kysely<Tables>, page)
            .whereRef('audit_log.action', '=', sql.ref('actions.wanted'))
            .as('entry'),
        (join) => join.onTrue(),
      )
      .select(['entry.seq', 'entry.at', 'entry.actor', 'entry.action', 'entry.target', 'entry.ip', 'entry.details'])
      .select(['entry.memberId', 'entry.memberName'])
      .orderBy('entry.at', 'desc')
      .orderBy(sql`entry.seq::bigint`, 'desc')
      .limit(page.limit),
);

export type AuditRow = ReturnType<(typeof AUDIT_OF_CLIENT)['rowsOf']>[number];
