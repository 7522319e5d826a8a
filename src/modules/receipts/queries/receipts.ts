import { sql } from 'kysely';
import type { PaymentMethod } from '../../../kernel/payment-methods.ts';
import type { RevokedReason } from '../../../kernel/revoked-reasons.ts';
import { prepared, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { SETTLES } from '../../debts/queries/receipt-of-debt.ts';
import type { ReceiptFacts } from '../tables/receipt.ts';

interface ByProtocol {
  readonly protocol: string;
}

/** A shortened receipt has no document any more, but it was issued. */
const IS_ISSUED = sql<boolean>`(pdf is not null or shortened_at is not null)`;

export const RECEIPT_FILE = prepared('receipt_file', (queries, params: ByProtocol) =>
  queries
    .selectFrom('receipts')
    .select(['clientId', 'kind', 'outdated', 'sha256', 'pdf'])
    .where('protocol', '=', params.protocol)
    .where(IS_ISSUED)
    .$narrowType<{ pdf: Buffer | null }>(),
);

export const RECEIPT_FACTS = prepared('receipt_verify', (queries, params: ByProtocol) =>
  queries
    .selectFrom('receipts')
    .select(['protocol', 'kind', 'clientId', 'outdated', 'issuedAt', 'revokedAt', 'revokedReason', 'restoredAt'])
    .select(['facts', 'shortenedAt', 'debtId'])
    .select(sql<string>`coalesce(sha256, facts #>> '{document,sha256}')`.as('sha256'))
    .where('protocol', '=', params.protocol)
    .where(IS_ISSUED),
);

/** Returns what a delivery of an issued receipt contains; undefined when there is no document. */
export const receiptToDeliver = (tx: Tx, receiptId: string) =>
  queriesIn(tx)
    .selectFrom('receipts')
    .innerJoin('debts', 'debts.id', 'receipts.debtId')
    .select(['receipts.protocol', 'receipts.pdf', 'debts.debtorEmail'])
    .select(sql<number>`(receipts.facts #>> '{payment,amountCentavos}')::bigint`.as('paidCentavos'))
    // Several payments may have been made in several ways.
    .select(
      sql<PaymentMethod | null>`case when receipts.facts #> '{payment,earlier}' is null
        then coalesce(receipts.facts #>> '{payment,method}', 'pix') end`.as('method'),
    )
    .where('receipts.id', '=', receiptId)
    .where('receipts.pdf', 'is not', null)
    .$narrowType<{ pdf: Buffer }>()
    .executeTakeFirst();

/** A process that is drawing the receipt loses its lease, because its document would not state the change. */
const MUST_BE_DRAWN = { outdated: sql<boolean>`pdf is not null`, renderingBy: null, renderingUntil: null } as const;

/** Revokes the receipt of a charge; returns undefined when there is none or it is revoked already. */
export const setRevoked = (
  tx: Tx,
  chargeId: string,
  { at, reason }: { readonly at: Date; readonly reason: RevokedReason },
) =>
  queriesIn(tx)
    .updateTable('receipts')
    .set({
      revokedAt: at,
      revokedReason: reason,
      restoredAt: null,
      ...MUST_BE_DRAWN,
    })
    .where('chargeId', '=', chargeId)
    .where((receipt) => receipt.or([receipt('revokedAt', 'is', null), receipt('restoredAt', 'is not', null)]))
    .returning(['id', 'protocol'])
    .executeTakeFirst();

/** An issued Termo is true only while its payment settles the debt: without another payment it may be a part by now. */
const MAY_BE_VALID = sql<boolean>`(kind <> 'settlement' or pdf is null
  or exists (select from charges where charges.id = receipts.charge_id and ${SETTLES}))`;

/**
 * Makes the receipt of a charge valid again; returns undefined when there is none, it is not revoked, or it would not be
 * true.
 */
export const setRestored = (tx: Tx, chargeId: string, at: Date) =>
  queriesIn(tx)
    .updateTable('receipts')
    .set({ restoredAt: at, ...MUST_BE_DRAWN })
    .where('chargeId', '=', chargeId)
    .where('revokedAt', 'is not', null)
    .where('restoredAt', 'is', null)
    .where(MAY_BE_VALID)
    .returning(['id', 'protocol'])
    .executeTakeFirst();

/** Stores what a receipt says of its payment from now on; one that says so already stays as it is. */
export async function setPaymentFacts(tx: Tx, receiptId: string, payment: ReceiptFacts['payment']): Promise<void> {
  const stated = sql`${JSON.stringify(payment)}::jsonb`;
  await queriesIn(tx)
    .updateTable('receipts')
    .set({ facts: sql<ReceiptFacts>`facts || jsonb_build_object('payment', ${stated})`, ...MUST_BE_DRAWN })
    .where('id', '=', receiptId)
    .where(sql<boolean>`facts -> 'payment' is distinct from ${stated}`)
    .execute();
}
