import { type QueryCreator, sql } from 'kysely';
import { RECEIPT_DUTY_YEARS } from '../../../kernel/retention-periods.ts';
import { prepared, queriesIn, type Tables } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { ReceiptFacts } from '../tables/receipt.ts';

/**
 * The moment until which a receipt is kept whole. A sandbox receipt is not kept, because it proves nothing. The tables
 * `receipts`, `charges` and `debts` have to be joined.
 */
export const DUTY_ENDS = sql<Date>`(case when debts.sandbox then receipts.issued_at
  else greatest(coalesce(charges.paid_at, charges.approved_at), receipts.issued_at)
    + make_interval(years => ${sql.lit(RECEIPT_DUTY_YEARS)}) end)`;

/** The condition uses the key and not `erasedAt`, because the index on the key has only erased debts, which are few. */
const receiptsToShorten = (queries: QueryCreator<Tables>, at: Date) =>
  queries
    .selectFrom('debts')
    .innerJoin('receipts', 'receipts.debtId', 'debts.id')
    .innerJoin('charges', 'charges.id', 'receipts.chargeId')
    .where('debts.erasedPersonKey', 'is not', null)
    .where('receipts.shortenedAt', 'is', null)
    .where('receipts.pdf', 'is not', null)
    .where(DUTY_ENDS, '<=', at);

export const CLIENTS_WITH_RECEIPTS_TO_SHORTEN = prepared(
  'clients_with_receipts_to_shorten',
  (queries, params: { readonly at: Date }) =>
    receiptsToShorten(queries, params.at).select('receipts.clientId').distinct(),
);

interface Shortening {
  readonly clientId: string;
  readonly at: Date;
  readonly limit: number;
}

/**
 * Shortens due receipts of a client. The hash stays, so that a holder of the document can still prove that it is the
 * issued one. A process that is drawing the receipt loses its lease, so its document is not stored.
 */
export const shortenDueReceipts = (tx: Tx, { clientId, at, limit }: Shortening) =>
  queriesIn(tx)
    .with(
      (cte) => cte('due').materialized(),
      (queries) =>
        receiptsToShorten(queries, at)
          .select(['receipts.id', 'receipts.sha256', 'receipts.templateVersion'])
          .where('debts.clientId', '=', clientId)
          .orderBy('receipts.id')
          .limit(limit)
          .forNoKeyUpdate('receipts')
          .skipLocked(),
    )
    .with('shortened', (queries) =>
      queries
        .updateTable('receipts')
        .from('due')
        .set({
          shortenedAt: at,
          pdf: null,
          sha256: null,
          templateVersion: null,
          renderedAt: null,
          outdated: false,
          renderingBy: null,
          renderingUntil: null,
          facts: sql<ReceiptFacts>`(facts - 'debtor') || jsonb_build_object(
            'debt', (facts -> 'debt') - 'invoiceId',
            'payment', (facts -> 'payment') - '{endToEndId,providerPaymentId}'::text[],
            'document', jsonb_build_object('sha256', due.sha256, 'templateVersion', due.template_version))`,
        })
        .whereRef('receipts.id', '=', 'due.id')
        .returning(['receipts.clientId', 'receipts.protocol', 'receipts.chargeId']),
    )
    .with('cleared', (queries) =>
      queries
        .updateTable('charges')
        .from('shortened')
        .set({ brCode: null, endToEndId: null })
        .whereRef('charges.id', '=', 'shortened.chargeId'),
    )
    .with('audited', (queries) =>
      queries
        .insertInto('audit_log')
        .columns(['clientId', 'actor', 'action', 'target'])
        .expression(({ selectFrom }) =>
          selectFrom('shortened').select([
            'clientId',
            sql<string>`'system'`.as('actor'),
            sql<string>`'receipt_shortened'`.as('action'),
            'protocol',
          ]),
        ),
    )
    .selectFrom('shortened')
    .select('protocol')
    .execute();
