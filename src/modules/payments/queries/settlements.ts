import { type Kysely, sql } from 'kysely';
import { prepared, type Tables } from '../../../platform/database/queries/builder.ts';
import type { ChangedPayment } from '../../debts/rules/timeline-entry.ts';
import type { Component } from '../../terms/rules/credits.ts';

interface Period {
  readonly clientId: string;
  readonly sandbox: boolean;
  readonly from: Date;
  /** The first moment after the period. */
  readonly to: Date;
}

/** When the money came, as the provider or the client says; the moment of its confirmation when neither does. */
const CAME_AT = sql<Date>`coalesce(charges.paid_at, charges.approved_at, charges.underpaid_at)`;

const dayOf = (moment: ReturnType<typeof sql<Date>>) => sql<string>`(${moment} at time zone 'America/Sao_Paulo')::date`;

/**
 * Payments as they came. What a debt gets of a payment by an agreement is a row too, which is a part of it and no money of
 * its own.
 */
const payments = (queries: Kysely<Tables>, { clientId, sandbox, from, to }: Period) =>
  queries
    .selectFrom('charges')
    .innerJoin('debts', 'debts.id', 'charges.debtId')
    .where('charges.clientId', '=', clientId)
    .where('charges.paidCentavos', '>', sql.lit(0))
    .where('charges.partOf', 'is', null)
    .where(CAME_AT, '>=', from)
    .where(CAME_AT, '<', to)
    .where('debts.sandbox', '=', sandbox);

/** Counts and sums the payments of each day on which there were some. */
export const PAYMENTS_BY_DAY = prepared('settlement_payments', (queries, period: Period) =>
  payments(queries, period)
    .select(dayOf(CAME_AT).as('day'))
    .select(({ fn }) => fn.countAll<number>().as('payments'))
    .select(sql<number>`sum(charges.paid_centavos)::bigint`.as('centavos'))
    .groupBy('day'),
);

export const RECEIPTS_BY_DAY = prepared('settlement_receipts', (queries, { clientId, sandbox, from, to }: Period) =>
  queries
    .selectFrom('receipts')
    .innerJoin('debts', 'debts.id', 'receipts.debtId')
    .select(dayOf(sql<Date>`receipts.issued_at`).as('day'))
    .select(({ fn }) => fn.countAll<number>().as('receipts'))
    .where('receipts.clientId', '=', clientId)
    .where('receipts.issuedAt', '>=', from)
    .where('receipts.issuedAt', '<', to)
    .where(sql<boolean>`(receipts.pdf is not null or receipts.shortened_at is not null)`)
    .where('debts.sandbox', '=', sandbox)
    .groupBy('day'),
);

/** How a payment was credited: by an agreement, what its debts got of it, once the agreement has ended. */
const credited = (component: Component) => {
  const centavos = sql.ref<number>(`charges.${component}_centavos`);
  const ofParts = sql`(select sum(${sql.ref(`part.${component}_centavos`)}) from charges as part
    where part.part_of = charges.id)`;
  return sql<number | null>`case when charges.agreement_id is null then ${centavos} else ${ofParts}::bigint end`.as(
    `${component}Centavos`,
  );
};

/** What a line of the report says of the debt of a payment. */
const LINE_COLUMNS = [
  'charges.id as paymentId',
  'charges.provider',
  'charges.providerPaymentId',
  'charges.endToEndId',
  'charges.method',
  'charges.paidCentavos',
  'debts.debtorName',
  'debts.debtorTaxId',
  'campaigns.name as campaignName',
  'receipts.protocol',
  // A payment by an agreement is about all of its debts.
  sql<string | null>`case when charges.agreement_id is null then debts.invoice_id else (
    select string_agg(agreed.invoice_id, ', ' order by one.position) from agreement_debts as one
    join debts as agreed on agreed.id = one.debt_id where one.agreement_id = charges.agreement_id) end`.as('invoiceId'),
  sql<string | null>`(select agreements.protocol from agreements where agreements.id = charges.agreement_id)`.as(
    'agreementProtocol',
  ),
] as const;

interface PaymentPage extends Period {
  /** The payment after which the page begins. */
  readonly afterAt: Date;
  readonly afterId: string;
  readonly limit: number;
}

export const PAYMENT_LINES = prepared('settlement_lines', (queries, page: PaymentPage) =>
  payments(queries, page)
    .innerJoin('campaigns', 'campaigns.id', 'debts.campaignId')
    .leftJoin('receipts', 'receipts.chargeId', 'charges.id')
    .select(LINE_COLUMNS)
    .select([credited('principal'), credited('fine'), credited('interest'), credited('correction')])
    .select(CAME_AT.as('at'))
    .where(sql<boolean>`(${CAME_AT}, charges.id) > (${page.afterAt}, ${page.afterId})`)
    .orderBy(CAME_AT)
    .orderBy('charges.id')
    .limit(page.limit),
);

/**
 * What a change of a payment was: money went back, or came again when a chargeback was reversed. What the client took back
 * as a mistake of its own is in no line: no money has moved, and the payment is listed where it belongs.
 */
export type ReturnKind = Exclude<
  Extract<ChangedPayment, { readonly change: string }>['change'],
  'refund_asked' | 'refund_failed' | 'undone'
>;

/**
 * Lists the money that went back, when the service learned of it. The timeline has the whole refunded amount after each
 * refund, so a refund is the difference to the one before; a chargeback takes what was not refunded. An entry stands on the
 * debt as it was then, which may be another row than that of the charge, or another debt of an agreement.
 */
export const RETURN_LINES = prepared('settlement_returns', (queries, { clientId, sandbox, from, to }: Period) =>
  queries
    // Under row security a comparison with `->>`, which is not leakproof, reaches no index, so the ids are read first.
    .with(
      (cte) => cte('returns').materialized(),
      (entries) =>
        entries
          .selectFrom('debt_events')
          .select(['seq', 'at', 'debtId'])
          .select(sql<string>`(data ->> 'paymentId')::uuid`.as('paymentId'))
          .select(sql<ReturnKind>`data ->> 'change'`.as('change'))
          .select(sql<number>`round(coalesce((data ->> 'refundedAmount')::numeric, 0) * 100)::bigint`.as('refunded'))
          .where('clientId', '=', clientId)
          .where('kind', '=', sql.lit('payment_changed' as const))
          .where('at', '>=', from)
          .where('at', '<', to)
          .where(sql<boolean>`data ->> 'change' in ('refunded', 'charged_back', 'chargeback_reversed')`),
    )
    .selectFrom('returns')
    .innerJoin('charges', 'charges.id', 'returns.paymentId')
    .innerJoin('debts', 'debts.id', 'charges.debtId')
    .innerJoin('campaigns', 'campaigns.id', 'debts.campaignId')
    .leftJoin('receipts', 'receipts.chargeId', 'charges.id')
    .select(LINE_COLUMNS)
    .select(['returns.at', 'returns.change', 'returns.refunded'])
    .select(
      sql<number>`round(coalesce((select (earlier.data ->> 'refundedAmount')::numeric
        from debts as named join debts as part on part.identity_id = named.identity_id
        join debt_events as earlier on earlier.debt_id = part.id
        where named.id = returns.debt_id and earlier.seq < returns.seq
          and earlier.kind = 'payment_changed' and earlier.data ->> 'change' = 'refunded'
          and earlier.data ->> 'paymentId' = returns.payment_id::text
        order by earlier.seq desc limit 1), 0) * 100)::bigint`.as('refundedBefore'),
    )
    .where('charges.partOf', 'is', null)
    .where('debts.sandbox', '=', sandbox)
    .orderBy('returns.at')
    .orderBy('returns.seq'),
);

export type PaymentLine = ReturnType<typeof PAYMENT_LINES.rowsOf>[number];
export type ReturnLine = ReturnType<typeof RETURN_LINES.rowsOf>[number];
export type { Period };
