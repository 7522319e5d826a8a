import type { EntityManager } from '@mikro-orm/postgresql';
import type { ExpressionBuilder } from 'kysely';
import { REIMPORTABLE_DEBT_STATUSES } from '../../domain/debt-status.ts';
import { queriesIn, type Tables } from './builder.ts';
import { isRow } from './is-row.ts';

/** Returns whether the client has a debt that has ended, so that an import may continue it. */
export async function hasEndedDebts(em: EntityManager, clientId: string): Promise<boolean> {
  const ended = await queriesIn(em)
    .selectFrom('debts')
    .select('id')
    .where('clientId', '=', clientId)
    .where('status', 'in', REIMPORTABLE_DEBT_STATUSES)
    .limit(1)
    .executeTakeFirst();
  return ended !== undefined;
}

/** Selects ended debts, in the sandbox or outside of it like the row `fresh`. */
const endedDebts = (from: ExpressionBuilder<Tables & { fresh: Tables['debts'] }, 'fresh'>) =>
  from
    .selectFrom('debts as ended')
    .select(['ended.id', 'ended.identityId', 'ended.promisedFor', 'ended.saidPaidAt', 'ended.createdAt'])
    .whereRef('ended.sandbox', '=', 'fresh.sandbox')
    .where('ended.status', 'in', REIMPORTABLE_DEBT_STATUSES);

/**
 * Links the imported debts of a campaign, from a position on, with the ended debts that they continue: they get the same
 * identity, the promise, the claim of payment and the codes that can still be paid. Each of the two ways to be the same
 * debt is a look-up in an index; one condition with `or` would compare all debts with each other.
 */
export const continueEndedDebts = (em: EntityManager, campaignId: string, afterPosition: number) =>
  queriesIn(em)
    .with('pairs', (queries) =>
      queries
        .selectFrom('debts as fresh')
        .innerJoinLateral(
          (from) =>
            from
              .selectFrom(
                endedDebts(from)
                  .where(({ ref }) =>
                    isRow(
                      [ref('ended.invoiceKey'), ref('ended.clientId')],
                      [ref('fresh.invoiceKey'), ref('fresh.clientId')],
                    ),
                  )
                  .unionAll(
                    endedDebts(from)
                      .where(({ ref }) =>
                        isRow(
                          [
                            ref('ended.debtorCpf'),
                            ref('ended.clientId'),
                            ref('ended.originalAmountCentavos'),
                            ref('ended.dueDate'),
                          ],
                          [
                            ref('fresh.debtorCpf'),
                            ref('fresh.clientId'),
                            ref('fresh.originalAmountCentavos'),
                            ref('fresh.dueDate'),
                          ],
                        ),
                      )
                      .where(({ eb, or }) =>
                        or([eb('ended.invoiceKey', 'is', null), eb('fresh.invoiceKey', 'is', null)]),
                      ),
                  )
                  .as('either'),
              )
              .selectAll('either')
              .orderBy('either.createdAt', 'desc')
              .limit(1)
              .as('before'),
          (join) => join.onTrue(),
        )
        .select(['fresh.id as freshId', 'before.id as endedId', 'before.identityId'])
        .select(['before.promisedFor', 'before.saidPaidAt'])
        .where('fresh.campaignId', '=', campaignId)
        .where('fresh.position', '>', afterPosition),
    )
    .with('linked', (queries) =>
      queries
        .updateTable('debts')
        .from('pairs')
        .set(({ ref }) => ({
          identityId: ref('pairs.identityId'),
          promisedFor: ref('pairs.promisedFor'),
          saidPaidAt: ref('pairs.saidPaidAt'),
        }))
        .whereRef('debts.id', '=', 'pairs.freshId')
        .returning('debts.id'),
    )
    .updateTable('charges')
    .from('pairs')
    .set(({ ref }) => ({ debtId: ref('pairs.freshId') }))
    .whereRef('charges.debtId', '=', 'pairs.endedId')
    .where('charges.status', '=', 'PENDING')
    .execute();
