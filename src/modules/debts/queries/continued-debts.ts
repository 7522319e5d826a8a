import { type ExpressionBuilder, sql } from 'kysely';
import { REIMPORTABLE_DEBT_STATUSES } from '../../../kernel/debt-status.ts';
import type { PaymentStatus } from '../../../kernel/payment-status.ts';
import { anyOf, NOW, queriesIn, type Tables } from '../../../platform/database/queries/builder.ts';
import { isRow } from '../../../platform/database/queries/is-row.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { takenTermsId } from '../../terms/queries/late-payment-terms.ts';
import { assigneeOfCase } from './case-assignees.ts';

/**
 * Returns whether the client has a debt that has ended, so that an import may continue it. It asks the counts, because no
 * index finds a client's debts by their status.
 */
export async function hasEndedDebts(tx: Tx, clientId: string): Promise<boolean> {
  const ended = await queriesIn(tx)
    .selectFrom('campaign_status_counts')
    .select('clientId')
    .where('clientId', '=', clientId)
    .where('status', 'in', REIMPORTABLE_DEBT_STATUSES)
    .groupBy('clientId')
    .having(({ fn }) => fn.sum('debts'), '>', 0)
    .executeTakeFirst();
  return ended !== undefined;
}

/**
 * Selects the current rows of other debts, in the sandbox or outside of it like the row `fresh`. All that are like it had
 * ended when the import compared its debts with them. One that has not ended any more is found too, and before the others:
 * the import has to see that it is paid, or collected again.
 */
const otherDebts = (from: ExpressionBuilder<Tables & { fresh: Tables['debts'] }, 'fresh'>) =>
  from
    .selectFrom('debts as ended')
    .select(({ eb }) => [
      'ended.id',
      'ended.createdAt',
      eb('ended.status', 'in', REIMPORTABLE_DEBT_STATUSES).as('hasEnded'),
    ])
    .whereRef('ended.sandbox', '=', 'fresh.sandbox')
    .whereRef('ended.id', '<>', 'fresh.id')
    .where('ended.continuedBy', 'is', null);

/**
 * Returns the imported debts of a campaign, from a position on, with the ended debts that they continue. Each of the
 * ways to be the same debt is a look-up in an index; one condition with `or` would compare all debts with each other.
 */
const pairsOf = (tx: Tx, campaignId: string, afterPosition: number) =>
  queriesIn(tx)
    .selectFrom('debts as fresh')
    .innerJoinLateral(
      (from) => {
        const given = ({ ref }: typeof from) => [
          ref('fresh.debtorTaxId'),
          ref('fresh.clientId'),
          ref('fresh.originalAmountCentavos'),
          ref('fresh.dueDate'),
        ];
        const withoutInvoice = (query: ReturnType<typeof otherDebts>) =>
          query.where(({ eb, or }) => or([eb('ended.invoiceKey', 'is', null), eb('fresh.invoiceKey', 'is', null)]));
        const ofInvoice = otherDebts(from).where(({ ref }) =>
          isRow([ref('ended.invoiceKey'), ref('ended.clientId')], [ref('fresh.invoiceKey'), ref('fresh.clientId')]),
        );
        const asItIs = withoutInvoice(otherDebts(from)).where(({ ref }) =>
          isRow(
            [
              ref('ended.debtorTaxId'),
              ref('ended.clientId'),
              ref('ended.originalAmountCentavos'),
              ref('ended.dueDate'),
            ],
            given(from),
          ),
        );
        const asImported = withoutInvoice(otherDebts(from)).where(({ ref }) =>
          isRow(
            [
              ref('ended.debtorTaxId'),
              ref('ended.clientId'),
              ref('ended.importedAmountCentavos'),
              ref('ended.importedDueDate'),
            ],
            given(from),
          ),
        );
        return from
          .selectFrom(ofInvoice.unionAll(asItIs).unionAll(asImported).as('either'))
          .selectAll('either')
          .orderBy('either.hasEnded')
          .orderBy('either.createdAt', 'desc')
          .limit(1)
          .as('before');
      },
      (join) => join.onTrue(),
    )
    .select(['fresh.id as freshId', 'before.id as endedId'])
    .where('fresh.campaignId', '=', campaignId)
    .where('fresh.position', '>', afterPosition);

/**
 * Makes the imported debts of a campaign, from a position on, the current rows of the ended debts that they continue. They
 * get the same identity and the items of the inbox. A code of another amount than is open now is replaced. The caller holds
 * the client's lock of imports. Returns false when such a debt was paid, or is collected again, since the caller compared
 * its debts with it: the import has to be done again.
 */
export async function continueEndedDebts(tx: Tx, campaignId: string, afterPosition: number): Promise<boolean> {
  // The earlier row stops being the current one before the new row joins it: a debt has one current row at any moment.
  const continued = await queriesIn(tx)
    .with(
      (cte) => cte('pairs').materialized(),
      () => pairsOf(tx, campaignId, afterPosition),
    )
    // Two rows of one import may look like the same ended debt. The first one continues it.
    .with('chosen', (queries) =>
      queries
        .selectFrom('pairs')
        .innerJoin('debts as fresh', 'fresh.id', 'pairs.freshId')
        .select(['pairs.endedId', 'pairs.freshId'])
        .distinctOn('pairs.endedId')
        .orderBy('pairs.endedId')
        .orderBy('fresh.position'),
    )
    .with('continued', (queries) =>
      queries
        .updateTable('debts')
        .from('chosen')
        .set(({ ref }) => ({ continuedBy: ref('chosen.freshId') }))
        .whereRef('debts.id', '=', 'chosen.endedId')
        .where('debts.status', 'in', REIMPORTABLE_DEBT_STATUSES)
        .returning('debts.id'),
    )
    .selectFrom('chosen')
    .leftJoin('continued', 'continued.id', 'chosen.endedId')
    .select(['chosen.endedId', 'continued.id as continuedId'])
    .execute();
  if (continued.length === 0) return true;
  if (continued.some(({ continuedId }) => continuedId === null)) return false;
  const endedIds = continued.map(({ endedId }) => endedId);
  await joinEndedDebts(tx, endedIds);
  await moveInboxItems(tx, endedIds);
  await supersedeOtherAmounts(tx, endedIds);
  return true;
}

/**
 * An unchanged file has the amount and the due date from before a correction, so that the correction holds on; other
 * values are news. The rest of a broken agreement stays owed as it was agreed.
 */
const joinEndedDebts = (tx: Tx, endedIds: readonly string[]) => {
  const isUnchanged = sql<boolean>`(ended.imported_amount_centavos = debts.original_amount_centavos
    and ended.imported_due_date = debts.due_date)`;
  return queriesIn(tx)
    .updateTable('debts')
    .from('debts as ended')
    .set(({ ref }) => ({
      identityId: ref('ended.identityId'),
      agreementId: ref('ended.agreementId'),
      originalAmountCentavos: sql<number>`case when ${isUnchanged} then ended.original_amount_centavos
        else debts.original_amount_centavos end`,
      dueDate: sql<string>`case when ${isUnchanged} then ended.due_date else debts.due_date end`,
      // In a launched campaign the row has taken the terms of the due date that the file says.
      termsId: sql<string | null>`case when ${isUnchanged} and debts.status = 'QUEUED'
        then ${takenTermsId('ended.due_date', 'ended.client_id')} else debts.terms_id end`,
      importedAmountCentavos: sql<number | null>`case when ${isUnchanged} then ended.imported_amount_centavos end`,
      importedDueDate: sql<string | null>`case when ${isUnchanged} then ended.imported_due_date end`,
    }))
    .whereRef('debts.id', '=', 'ended.continuedBy')
    .where('ended.id', '=', anyOf(endedIds, 'uuid'))
    .execute();
};

/** An unreachable debt that goes on waits for nothing; what money asks of the client goes on with it. */
async function moveInboxItems(tx: Tx, endedIds: readonly string[]): Promise<void> {
  await queriesIn(tx)
    .updateTable('inbox_items')
    .set({ closedAt: NOW })
    .where('debtId', '=', anyOf(endedIds, 'uuid'))
    .where('reason', '=', 'undelivered')
    .where('closedAt', 'is', null)
    .execute();
  await queriesIn(tx)
    .updateTable('inbox_items')
    .from('debts as ended')
    .set(({ ref }) => ({ debtId: ref('ended.continuedBy').$notNull() }))
    .whereRef('ended.id', '=', 'inbox_items.debtId')
    .where('inbox_items.debtId', '=', anyOf(endedIds, 'uuid'))
    .where('inbox_items.closedAt', 'is', null)
    .execute();
}

/** Replaces the codes that ask for another amount than is open, as a correction of the amount does. */
const supersedeOtherAmounts = (tx: Tx, endedIds: readonly string[]) =>
  queriesIn(tx)
    .updateTable('charges')
    .from('debts as ended')
    .innerJoin('debts as current', 'current.id', 'ended.continuedBy')
    .innerJoin('debts as row', 'row.identityId', 'current.identityId')
    .set({
      supersededAt: NOW,
      status: sql<PaymentStatus>`case when charges.provider_payment_id is null then 'CANCELLED' else charges.status end`,
      askAt: sql<Date | null>`case when charges.provider_payment_id is null then charges.ask_at else ${NOW} end`,
      updatedAt: NOW,
    })
    .whereRef('row.id', '=', 'charges.debtId')
    .where('ended.id', '=', anyOf(endedIds, 'uuid'))
    .where('charges.status', '=', 'PENDING')
    .where('charges.supersededAt', 'is', null)
    .where('charges.underpaidAt', 'is', null)
    // What is open of an agreed rest does not change.
    .where('current.agreementId', 'is', null)
    .where(
      sql<boolean>`charges.amount_centavos - charges.asked_fine_centavos - charges.asked_interest_centavos
          - charges.asked_correction_centavos <> current.original_amount_centavos - coalesce((
        select sum(part.principal_centavos)
        from debts as other join charges as part on part.debt_id = other.id
        where other.identity_id = current.identity_id and part.underpaid_at is not null), 0)`,
    )
    .execute();

/** Returns the debts of a campaign with the real rows that they continue although they are of the sandbox by now. */
const sandboxRowsOfRealDebts = (tx: Tx, campaignId: string) =>
  queriesIn(tx)
    .selectFrom('debts as fresh')
    .innerJoin('debts as ended', 'ended.identityId', 'fresh.identityId')
    .select(['fresh.id', 'ended.id as endedId', 'ended.identityId'])
    .whereRef('ended.continuedBy', '=', 'fresh.id')
    .where('fresh.campaignId', '=', campaignId)
    .where('fresh.sandbox', '=', true)
    .where('ended.sandbox', '=', false)
    .execute();

/**
 * A draft that might have become real has continued real debts. Its launch into the sandbox makes it debts of their own,
 * and the earlier rows are the current ones again.
 */
export async function separateSandboxRows(tx: Tx, campaignId: string): Promise<void> {
  const rows = await sandboxRowsOfRealDebts(tx, campaignId);
  if (rows.length === 0) return;
  await queriesIn(tx)
    .updateTable('debts')
    .set({ identityId: sql<string>`gen_random_uuid()`, agreementId: null, updatedAt: NOW })
    .where(
      'id',
      '=',
      anyOf(
        rows.map(({ id }) => id),
        'uuid',
      ),
    )
    .execute();
  await makeCurrentAgain(
    tx,
    rows.map(({ endedId }) => endedId),
  );
}

/** An import that continued these rows is undone: they are the current rows of their debts, and wait for what they did. */
export async function makeCurrentAgain(tx: Tx, endedIds: readonly string[]): Promise<void> {
  if (endedIds.length === 0) return;
  const ended = queriesIn(tx).selectFrom('debts').where('debts.id', '=', anyOf(endedIds, 'uuid'));
  await queriesIn(tx)
    .updateTable('inbox_items')
    .from('debts as ended')
    .set(({ ref }) => ({ debtId: ref('ended.id') }))
    .whereRef('ended.continuedBy', '=', 'inbox_items.debtId')
    .where('ended.id', '=', anyOf(endedIds, 'uuid'))
    .where('inbox_items.closedAt', 'is', null)
    .execute();
  await queriesIn(tx)
    .updateTable('debts')
    .set({ continuedBy: null })
    .where('id', '=', anyOf(endedIds, 'uuid'))
    .execute();
  await queriesIn(tx)
    .insertInto('inbox_items')
    .columns(['clientId', 'debtId', 'reason', 'assigneeId'])
    .expression(
      ended
        .select(['debts.clientId', 'debts.id', sql.lit('undelivered').as('reason')])
        .select(assigneeOfCase(sql.ref('debts.id')).as('assigneeId'))
        .where('debts.status', '=', 'UNREACHABLE'),
    )
    .onConflict((conflict) => conflict.columns(['debtId', 'reason']).where('closedAt', 'is', null).doNothing())
    .execute();
}
