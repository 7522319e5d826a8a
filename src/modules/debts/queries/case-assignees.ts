import { sql } from 'kysely';
import { ROLES_OF_RIGHT } from '../../../kernel/member-rights.ts';
import { anyOf, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';

/** Who has the open case of a debt: an item that is opened beside others belongs to the same member. */
export const assigneeOfCase = (debtId: unknown) =>
  sql<string | null>`(select items.assignee_id from inbox_items as items
    where items.debt_id = ${debtId} and items.closed_at is null and items.assignee_id is not null limit 1)`;

/** Returns who has the case of a debt; undefined when the debt has no open item. The caller has locked the debt. */
export const openCase = (tx: Tx, debtId: string) =>
  queriesIn(tx)
    .selectFrom('inbox_items')
    .leftJoin('members', 'members.id', 'inbox_items.assigneeId')
    .select(['inbox_items.assigneeId', 'members.name as assigneeName'])
    .where('debtId', '=', debtId)
    .where('closedAt', 'is', null)
    .orderBy('inbox_items.assigneeId')
    .limit(1)
    .executeTakeFirst();

/** Gives the open items of a debt to a member, or to nobody. */
export const assignInboxItems = (tx: Tx, debtId: string, assigneeId: string | null) =>
  queriesIn(tx)
    .updateTable('inbox_items')
    .set({ assigneeId })
    .where('debtId', '=', debtId)
    .where('closedAt', 'is', null)
    .where('assigneeId', 'is distinct from', assigneeId)
    .execute();

/** Gives the open items of members who have left, or may not work on debts any more, back to nobody. */
export const releaseInboxItems = (tx: Tx, clientId: string) =>
  queriesIn(tx)
    .updateTable('inbox_items')
    .set({ assigneeId: null })
    .where('clientId', '=', clientId)
    .where('closedAt', 'is', null)
    .where('assigneeId', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('members')
            .select('members.id')
            .whereRef('members.id', '=', 'inbox_items.assigneeId')
            .where('members.leftAt', 'is', null)
            .where('members.role', '=', anyOf(ROLES_OF_RIGHT.work, 'text').$castTo<'agent'>()),
        ),
      ),
    )
    .execute();
