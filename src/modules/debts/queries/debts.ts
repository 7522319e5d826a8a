import { sql } from 'kysely';
import { prepared, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';

/** The ids of all rows of a debt, whichever of them is named: it may have been imported again. */
export const idsOfRows = (debtId: string) => sql<string>`(
  select part.id from debts as named join debts as part on part.identity_id = named.identity_id
  where named.id = ${debtId}::uuid)`;

/** Returns the id of the row of a debt that is collected, shown and paid, whichever of its rows is named. */
export async function currentRowOf(tx: Tx, debtId: string): Promise<string | undefined> {
  const [row] = await readCurrentRow.run(tx, { debtId });
  return row?.id;
}
const readCurrentRow = prepared('debt_current_row', (queries, { debtId }: { readonly debtId: string }) =>
  queries
    .selectFrom('debts as named')
    .innerJoin('debts as current', 'current.identityId', 'named.identityId')
    .select('current.id')
    .where('current.continuedBy', 'is', null)
    .where('named.id', '=', debtId),
);

export const raiseClockOffset = (tx: Tx, debtId: string, offsetMs: number) =>
  queriesIn(tx)
    .updateTable('debts')
    .set({ clockOffsetMs: offsetMs })
    .where('id', '=', debtId)
    .where('clockOffsetMs', '<', offsetMs)
    .execute();

export const OWNER_OF_DEBT = prepared('checkout_owner', (queries, { debtId }: { readonly debtId: string }) =>
  queries.selectFrom('debts').select('clientId').where('id', '=', debtId),
);

export const isSandboxDebt = async (tx: Tx, debtId: string): Promise<boolean | undefined> =>
  (await queriesIn(tx).selectFrom('debts').select('sandbox').where('id', '=', debtId).executeTakeFirst())?.sandbox;

export const markAsSandboxDebt = (tx: Tx, debtId: string) =>
  queriesIn(tx)
    .updateTable('debts')
    .set({ sandbox: true })
    .where('id', '=', debtId)
    .where('sandbox', '=', false)
    .execute();

/** Returns what changes when the debtor may press a button of the page once more. */
export const stateOfButtons = (tx: Tx, debtId: string) =>
  queriesIn(tx)
    .selectFrom('debts')
    .select('step')
    .select((debt) =>
      debt
        .selectFrom('debt_events')
        .select(({ fn }) => fn.countAll<number>().as('changes'))
        .where('debt_events.debtId', '=', debtId)
        .where('debt_events.kind', '=', 'status_changed')
        .as('changes'),
    )
    .where('id', '=', debtId)
    .executeTakeFirstOrThrow();
