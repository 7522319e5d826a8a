import { ROLES_OF_RIGHT } from '../../../kernel/member-rights.ts';
import { anyOf, prepared, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';

const WORKING_ROLES = ROLES_OF_RIGHT.work;
/** Far more people than one company has at work on its debts. */
const MOST = 1_000;

/** Lists the members who may work on debts, by name. */
export const WORKING_MEMBERS = prepared('working_members', (queries, { clientId }: { readonly clientId: string }) =>
  queries
    .selectFrom('members')
    .select(['id', 'name'])
    .where('clientId', '=', clientId)
    .where('leftAt', 'is', null)
    .where('role', 'in', [...WORKING_ROLES])
    .orderBy('name')
    .orderBy('id')
    .limit(MOST),
);

/**
 * Finds a member of the client who may work on debts. Whoever changes roles or removes members locks the client's row, so
 * the answer stays true until the end of this transaction. It is called before any other row is locked.
 */
export async function findWorkingMember(tx: Tx, clientId: string, memberId: string) {
  await queriesIn(tx).selectFrom('clients').select('id').where('id', '=', clientId).forShare().execute();
  return queriesIn(tx)
    .selectFrom('members')
    .select(['id', 'name'])
    .where('id', '=', memberId)
    .where('clientId', '=', clientId)
    .where('leftAt', 'is', null)
    .where('role', '=', anyOf(WORKING_ROLES, 'text').$castTo<(typeof WORKING_ROLES)[number]>())
    .executeTakeFirst();
}
