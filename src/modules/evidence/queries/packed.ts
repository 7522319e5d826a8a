import { sql } from 'kysely';
import { prepared, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { addressOfCreditor, cnpjOfCreditor, nameOfCreditor } from '../../debts/queries/creditor.ts';

/** What a pack says of the debt. Locks nothing. */
export const debtOfPack = (tx: Tx, debtId: string) =>
  queriesIn(tx)
    .selectFrom('debts')
    .innerJoin('clients', 'clients.id', 'debts.clientId')
    .innerJoin('campaigns', 'campaigns.id', 'debts.campaignId')
    .select(['debts.id', 'debts.status', 'debts.sandbox', 'debts.debtorName', 'debts.debtorTaxId', 'debts.debtorPhone'])
    .select(['debts.invoiceId', 'debts.description', 'debts.originalAmountCentavos', 'debts.dueDate'])
    .select(['debts.createdAt', 'debts.erasedAt', 'debts.timelinePurgedAt', 'campaigns.launchedAt'])
    .select([
      nameOfCreditor('debts').as('creditorName'),
      cnpjOfCreditor('debts').as('creditorCnpj'),
      addressOfCreditor('debts').as('creditorAddress'),
    ])
    .where('debts.id', '=', debtId)
    .executeTakeFirst();

/** The protocols of the receipts that are kept, and of the agreements. */
export const documentsOfPack = async (tx: Tx, debtId: string) => ({
  receipts: await queriesIn(tx)
    .selectFrom('receipts')
    .select('protocol')
    .where('debtId', '=', debtId)
    .where('pdf', 'is not', null)
    .orderBy('issuedAt')
    .orderBy('id')
    .execute(),
  agreements: await queriesIn(tx)
    .selectFrom('agreements')
    .innerJoin('agreement_debts', 'agreement_debts.agreementId', 'agreements.id')
    .select(['agreements.id', 'agreements.protocol'])
    .where('agreement_debts.debtId', '=', debtId)
    .orderBy('agreements.acceptedAt')
    .orderBy('agreements.id')
    .execute(),
});

/** The versions of the rules by which the contacts of a debt were decided. */
export const rulesOfPack = (tx: Tx, debtId: string) =>
  queriesIn(tx)
    .selectFrom(({ selectFrom }) =>
      selectFrom('evidence_lines')
        .select(sql<{ id: string; version: string; ownVersion?: number } | null>`content::jsonb -> 'pack'`.as('pack'))
        .where('debtId', '=', debtId)
        .where('kind', '=', 'verdict')
        .where('content', 'is not', null)
        .distinct()
        .as('used'),
    )
    .select('used.pack')
    .where('used.pack', 'is not', null)
    .execute();

export const ownRulesOfPack = (tx: Tx, versions: readonly number[]) =>
  queriesIn(tx)
    .selectFrom('client_rules')
    .select(['version', 'rules', 'createdAt'])
    .where('version', '=', sql<number>`any(${versions}::int[])`)
    .orderBy('version')
    .execute();

/** A page of the messages that the timeline of a debt names, in its order. */
export const MESSAGES_OF_PACK = prepared(
  'evidence_messages',
  (queries, { debtId, after, limit }: { readonly debtId: string; readonly after: number; readonly limit: number }) =>
    queries
      .with(
        (cte) => cte('entries').materialized(),
        (from) =>
          from
            .selectFrom('debt_events')
            .select(['seq', sql<string>`(data ->> 'messageId')::uuid`.as('messageId')])
            .where('debtId', '=', debtId)
            .where('kind', 'in', ['message_sent', 'message_received'])
            .where('seq', '>', sql<number>`${after}::bigint`)
            .orderBy('seq')
            .limit(sql<number>`${limit}::int`),
      )
      .selectFrom('entries')
      .leftJoin('messages', 'messages.id', 'entries.messageId')
      .leftJoin('debts', 'debts.id', 'messages.debtId')
      .select(['entries.seq', 'messages.id', 'messages.at', 'messages.direction', 'messages.channel'])
      .select(['messages.purpose', 'messages.text', 'messages.textVersion', 'messages.delivery', 'messages.failure'])
      .select(['messages.intent', 'messages.automatic', 'messages.staff', 'messages.triedChannels'])
      .select(sql<string | null>`coalesce(messages.phone, nullif(debts.debtor_phone, ''))`.as('phone'))
      .orderBy('entries.seq'),
);
