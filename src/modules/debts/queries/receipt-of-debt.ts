import { sql } from 'kysely';

/**
 * The condition for an approved charge that settled its debt: it is neither underpaid, nor a second payment, nor the money
 * of an agreement, of which each debt gets a charge of its own.
 */
export const SETTLES = sql<boolean>`(charges.approved_at is not null and not charges.duplicate
  and charges.underpaid_at is null and charges.agreement_id is null)`;

/**
 * The protocol of the issued Termo of the debt beside it, by whichever of its rows it was paid; null unless the debt is
 * paid. A payment that was taken back may have left a Termo too, so the one of the payment that settles the debt counts.
 */
export const RECEIPT_OF_DEBT = sql<string | null>`case when debts.status = 'PAID' then (
  select receipts.protocol from debts as paid join receipts on receipts.debt_id = paid.id
    join charges on charges.id = receipts.charge_id
  where paid.identity_id = debts.identity_id and receipts.kind = 'settlement'
    and (receipts.pdf is not null or receipts.shortened_at is not null) and ${SETTLES}
  order by charges.approved_at, charges.id limit 1) end`;
