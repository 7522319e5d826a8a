import { sql } from 'kysely';
import { queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';

/** The number of sources that are kept of one e-mail. Those with the earliest last login are deleted. */
const SOURCES_KEPT = 50;

/** Stores the sources of a login with a correct password. */
export const rememberSources = (
  tx: Tx,
  { emailHash, sources }: { readonly emailHash: string; readonly sources: readonly string[] },
) =>
  queriesIn(tx)
    .with('seen', (queries) =>
      queries
        .insertInto('login_sources')
        .columns(['emailHash', 'sourceHash', 'lastLoginAt'])
        .expression((from) =>
          from
            .selectFrom(sql<{ source: string }>`unnest(${sources}::text[])`.as<'given'>(sql`given(source)`))
            .select([sql<string>`${emailHash}::text`.as('email'), 'source', sql<Date>`clock_timestamp()`.as('at')]),
        )
        .onConflict((conflict) =>
          conflict
            .columns(['emailHash', 'sourceHash'])
            .doUpdateSet((row) => ({ lastLoginAt: row.ref('excluded.lastLoginAt') })),
        ),
    )
    .deleteFrom('login_sources')
    .where('emailHash', '=', emailHash)
    .where('sourceHash', '<>', sql<string>`all(${sources}::text[])`)
    .where('sourceHash', 'in', (from) =>
      from
        .selectFrom('login_sources')
        .select('sourceHash')
        .where('emailHash', '=', emailHash)
        .orderBy('lastLoginAt', 'desc')
        .offset(SOURCES_KEPT),
    )
    .execute();

export const forgetSources = (tx: Tx, emailHash: string) =>
  queriesIn(tx).deleteFrom('login_sources').where('emailHash', '=', emailHash).execute();
