import { sql } from 'kysely';
import { prepared, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { Author } from '../../accounts/rules/author.ts';

/** The members who have the case of a debt open now, except the one who asks. */
export const othersViewing = (debtId: unknown, memberId: unknown) =>
  sql<readonly Author[]>`(select coalesce(json_agg(json_build_object('id', members.id, 'name', members.name)
      order by members.name, members.id), '[]')
    from case_viewers join members on members.id = case_viewers.member_id
    where case_viewers.debt_id = ${debtId} and case_viewers.until > quita_now() and members.left_at is null
      and members.id is distinct from ${memberId}::uuid)`;

/** Says that the member of this transaction has the debt open, in place of another one. False for an unknown debt. */
export async function viewDebt(tx: Tx, debtId: string): Promise<boolean> {
  const row = await queriesIn(tx)
    .insertInto('case_viewers')
    .columns(['clientId', 'debtId', 'until'])
    .expression((queries) =>
      queries
        .selectFrom('debts')
        .select(['debts.clientId', 'debts.id', sql<Date>`quita_now() + interval '2 minutes'`.as('until')])
        .where('debts.id', '=', debtId),
    )
    .onConflict((conflict) =>
      conflict
        .column('memberId')
        .doUpdateSet(({ ref }) => ({ debtId: ref('excluded.debtId'), until: ref('excluded.until') })),
    )
    .returning('debtId')
    .executeTakeFirst();
  return row !== undefined;
}

/** Who works on a debt now: the member who has its case, and those who have it open, except the one who asks. */
export const WORKERS_OF_DEBT = prepared(
  'workers_of_debt',
  (queries, { debtId, memberId }: { readonly debtId: string; readonly memberId: string | null }) =>
    queries.selectNoFrom([
      othersViewing(sql`${debtId}::uuid`, memberId).as('viewing'),
      sql<Author | null>`(select json_build_object('id', members.id, 'name', members.name) from inbox_items
        join members on members.id = inbox_items.assignee_id
        where inbox_items.debt_id = ${debtId}::uuid and inbox_items.closed_at is null limit 1)`.as('assignee'),
    ]),
);
