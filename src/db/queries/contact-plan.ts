import type { EntityManager } from '@mikro-orm/postgresql';
import { type NotNull, sql } from 'kysely';
import { LIVE_DEBT_STATUSES } from '../../domain/debt-status.ts';
import { NOW, queriesIn } from './builder.ts';

/** Selects debts with their campaigns and clients, as `DebtContext` describes them. */
const debtContexts = (em: EntityManager) =>
  queriesIn(em)
    .selectFrom('debts')
    .innerJoin('campaigns', 'campaigns.id', 'debts.campaignId')
    .innerJoin('clients', 'clients.id', 'debts.clientId')
    .select(['debts.id', 'debts.clientId', 'debts.campaignId', 'debts.status', 'debts.sandbox', 'debts.debtorName'])
    .select(['debts.debtorPhone', 'debts.debtorCpf', 'debts.originalAmountCentavos as amountCentavos'])
    .select(['debts.dueDate', 'debts.invoiceId', 'debts.step', 'debts.nextContactAt', 'debts.promisedFor'])
    .select(['debts.saidPaidAt', 'debts.clockOffsetMs', 'debts.lastEventAt', 'debts.score'])
    .select(['campaigns.status as campaignStatus', 'clients.status as clientStatus', 'clients.name as clientName'])
    .select(['clients.contactEmail', 'clients.cnpj as clientCnpj', 'clients.address as clientAddress'])
    .select((row) => [
      row('debts.wrongPersonAt', 'is not', null).$castTo<boolean>().as('wrongPerson'),
      row('debts.erasedAt', 'is not', null).$castTo<boolean>().as('erased'),
      row
        .case()
        .when('debts.status', '=', 'PAID')
        .then(
          row
            .selectFrom('receipts')
            .select('receipts.protocol')
            .whereRef('receipts.debtId', '=', 'debts.id')
            .where((receipt) =>
              receipt.or([receipt('receipts.pdf', 'is not', null), receipt('receipts.shortenedAt', 'is not', null)]),
            )
            .orderBy('receipts.issuedAt')
            .limit(1)
            .$asScalar(),
        )
        .end()
        .as('receiptProtocol'),
    ]);

interface Page {
  readonly campaignId: string;
  /** The last debt of the previous page. */
  readonly after: { readonly score: number; readonly id: string } | null;
  readonly limit: number;
}

/**
 * Returns the queued debts of a campaign that have a score. This statement is where the order of first contacts stands:
 * the highest score first, and equal scores by id so that two runs agree.
 */
export function debtsToContact(em: EntityManager, { campaignId, after, limit }: Page) {
  const queued = debtContexts(em)
    .where('debts.campaignId', '=', campaignId)
    .where('debts.status', '=', 'QUEUED')
    .where('debts.scoredAt', 'is not', null);
  const page =
    after === null
      ? queued
      : queued.where(({ eb, refTuple, tuple }) =>
          eb(refTuple('debts.score', 'debts.id'), '<', tuple(after.score, after.id)),
        );
  return page
    .orderBy('debts.score', 'desc')
    .orderBy('debts.id', 'desc')
    .limit(limit)
    .$narrowType<{ score: NotNull }>()
    .execute();
}

export const storeFirstContacts = (
  em: EntityManager,
  contacts: readonly { readonly debtId: string; readonly at: Date }[],
) =>
  queriesIn(em)
    .updateTable('debts')
    .from(
      sql<{ id: string; at: Date }>`unnest(
        ${contacts.map(({ debtId }) => debtId)}::uuid[],
        ${contacts.map(({ at }) => at)}::timestamptz[]
      )`.as<'planned'>(sql`planned (id, at)`),
    )
    .set(({ ref }) => ({ nextContactAt: ref('planned.at') }))
    .whereRef('debts.id', '=', 'planned.id')
    .execute();

/** Returns whether live debts are left, and the status of the campaign or null when it does not exist. */
export const workLeft = (em: EntityManager, campaignId: string) =>
  queriesIn(em)
    .selectNoFrom(({ exists, selectFrom }) => [
      exists(
        selectFrom('debts').select('id').where('campaignId', '=', campaignId).where('status', 'in', LIVE_DEBT_STATUSES),
      ).as('live'),
      selectFrom('campaigns').select('status').where('id', '=', campaignId).as('status'),
    ])
    .executeTakeFirstOrThrow();

/** A completed campaign runs again when one of its debts is to be collected again. */
export const runCampaignAgain = (em: EntityManager, campaignId: string) =>
  queriesIn(em)
    .updateTable('campaigns')
    .set({ status: 'RUNNING', updatedAt: NOW })
    .where('id', '=', campaignId)
    .where('status', '=', 'COMPLETED')
    .execute();
