import { type Kysely, sql } from 'kysely';
import { prepared, queriesIn, type Tables } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { agreesWith, type ReceiptTerms } from './receipt-search.ts';

interface ReceiptPage {
  readonly clientId: string;
  readonly campaignId: string | null;
  readonly debtId: string | null;
  readonly from: Date;
  readonly to: Date;
  /** The last receipt of the page before. */
  readonly beforeAt: Date;
  readonly beforeId: string;
  readonly limit: number;
}

/** The Termo states the whole amount that settled its debt; the receipt of a part, what was paid. */
const SETTLED_CENTAVOS = sql<number>`coalesce(charges.settled_centavos, charges.paid_centavos)`.as('amountCentavos');

const IS_ISSUED = sql<boolean>`(receipts.pdf is not null or receipts.shortened_at is not null)`;

/** Selects issued receipts of a client, the newest first. */
const issuedReceipts = (queries: Kysely<Tables>, page: ReceiptPage) =>
  queries
    .selectFrom('receipts')
    .innerJoin('debts', 'debts.id', 'receipts.debtId')
    .innerJoin('charges', 'charges.id', 'receipts.chargeId')
    .select(['receipts.id', 'receipts.protocol', 'receipts.kind', 'receipts.debtId', 'receipts.chargeId as paymentId'])
    .select(['receipts.issuedAt', 'receipts.revokedAt', 'receipts.restoredAt', 'receipts.revokedReason'])
    .select(['debts.campaignId', 'debts.debtorName', 'debts.sandbox'])
    .select(SETTLED_CENTAVOS)
    // A shortened receipt keeps its version in its facts.
    .select(
      sql<number>`coalesce(receipts.template_version, (receipts.facts #>> '{document,templateVersion}')::int)`.as(
        'templateVersion',
      ),
    )
    .select(
      sql<boolean>`exists (select from receipt_deliveries where receipt_deliveries.receipt_id = receipts.id
        and receipt_deliveries.way = 'message' and receipt_deliveries.state in ('sent', 'unknown'))`.as('sent'),
    )
    .where('receipts.clientId', '=', page.clientId)
    .where('receipts.issuedAt', '>=', page.from)
    .where('receipts.issuedAt', '<', page.to)
    .where(sql<boolean>`(receipts.issued_at, receipts.id) < (${page.beforeAt}, ${page.beforeId})`)
    .where(IS_ISSUED)
    .orderBy('receipts.issuedAt', 'desc')
    .orderBy('receipts.id', 'desc')
    .limit(page.limit);

const receiptList = (name: string, of: 'client' | 'campaign' | 'debt') =>
  prepared(name, (queries, page: ReceiptPage) =>
    issuedReceipts(queries, page)
      .$if(of === 'campaign', (query) => query.where('debts.campaignId', '=', sql<string>`${page.campaignId}`))
      .$if(of === 'debt', (query) =>
        query
          .where('receipts.debtId', '=', sql<string>`${page.debtId}`)
          .where(sql<boolean>`debts.campaign_id = coalesce(${page.campaignId}::uuid, debts.campaign_id)`),
      ),
  );

const ALL = receiptList('list_receipts', 'client');
const OF_CAMPAIGN = receiptList('list_receipts_campaign', 'campaign');
const OF_DEBT = receiptList('list_receipts_debt', 'debt');

export const receiptListWith = ({ campaignId, debtId }: Pick<ReceiptPage, 'campaignId' | 'debtId'>) =>
  debtId !== null ? OF_DEBT : campaignId === null ? ALL : OF_CAMPAIGN;
export type ListedReceipt = ReturnType<typeof ALL.rowsOf>[number];

/** Lists those issued receipts that agree with the terms of a search, the newest first. */
export function pageOfFoundReceipts(tx: Tx, page: ReceiptPage, terms: ReceiptTerms) {
  const queries = queriesIn(tx);
  const { clientId, campaignId, debtId } = page;
  let query = issuedReceipts(queries, page).where(
    agreesWith(queries, clientId, { terms, debtId: sql`receipts.debt_id` }),
  );
  if (campaignId !== null) query = query.where('debts.campaignId', '=', campaignId);
  if (debtId !== null) query = query.where('receipts.debtId', '=', debtId);
  return query.execute();
}

interface Issue {
  readonly clientId: string;
  readonly campaignId: string | undefined;
  readonly sandbox: boolean | undefined;
  readonly from: Date;
  readonly before: Date;
  readonly limit: number;
}

/** Lists the receipts that were issued within a time, in its order. */
export function receiptsIssuedWithin(tx: Tx, issue: Issue) {
  const { clientId, campaignId, sandbox, from, before, limit } = issue;
  let query = queriesIn(tx)
    .selectFrom('receipts')
    .innerJoin('debts', 'debts.id', 'receipts.debtId')
    .innerJoin('charges', 'charges.id', 'receipts.chargeId')
    .select(['receipts.protocol', 'receipts.kind', 'receipts.issuedAt', 'receipts.revokedAt', 'receipts.restoredAt'])
    .select(['debts.debtorName', 'debts.invoiceId', 'debts.sandbox', SETTLED_CENTAVOS])
    .where('receipts.clientId', '=', clientId)
    .where('receipts.issuedAt', '>=', from)
    .where('receipts.issuedAt', '<', before)
    .where(IS_ISSUED)
    .orderBy('receipts.issuedAt')
    .orderBy('receipts.id')
    .limit(limit);
  if (campaignId !== undefined) query = query.where('debts.campaignId', '=', campaignId);
  if (sandbox !== undefined) query = query.where('debts.sandbox', '=', sandbox);
  return query.execute();
}

export type IssuedReceiptRow = Awaited<ReturnType<typeof receiptsIssuedWithin>>[number];
