import { createHmac, randomUUID } from 'node:crypto';
import { nameKeyOf } from '../src/kernel/search-terms.ts';
import type { App } from './app.ts';
import { cpfOf } from './debts.ts';

/** Links contain the public address; the tests use the port that listens. */
export const pathOf = (url: string): string => {
  const { pathname, search } = new URL(url);
  return pathname + search;
};

/** Signs links with the secret of the test apps. */
export const signatureOf = (protocol: string, secret = 'receipt_secret-of-the-tests'): string =>
  createHmac('sha256', secret).update(`receipt:${protocol}`).digest('base64url');

export const downloadPath = (protocol: string, sig = signatureOf(protocol)): string =>
  `/api/receipts/download/${protocol}?sig=${sig}`;
export const verifyPath = (protocol: string, sig = signatureOf(protocol)): string => `/verify/${protocol}?sig=${sig}`;

export interface GivenPayment {
  readonly status?: 'PAID' | 'IN_COLLECTION' | 'DISPUTED';
  readonly approvedAt?: Date | null;
  readonly amountCentavos?: number;
  readonly paidCentavos?: number;
  readonly refundedCentavos?: number;
  readonly duplicate?: boolean;
  readonly debtorName?: string;
  readonly debtorTaxId?: string;
  readonly debtorPhone?: string;
  readonly debtorEmail?: string | null;
  readonly sandbox?: boolean;
  readonly clockOffsetMs?: number;
}

export interface PaidDebt {
  readonly debtId: string;
  readonly paymentId: string;
}

type Query = Pick<App, 'query'>['query'];

let last = 0;

/** Creates a debt with an approved payment, as after a settlement; no workflow runs for it. */
export async function paidDebt(query: Query, clientId: string, given: GivenPayment = {}): Promise<PaidDebt> {
  const [campaignId, debtId, paymentId] = [randomUUID(), randomUUID(), randomUUID()];
  const n = ++last;
  const name = given.debtorName ?? 'João Antônio da Conceição';
  const amount = given.amountCentavos ?? 15_075;
  const approvedAt = given.approvedAt === undefined ? new Date('2026-11-20T17:31:05Z') : given.approvedAt;
  await query(
    `insert into campaigns (id, client_id, name, status, sandbox, launched_at)
     values ($1, $2, 'Mensalidades', 'COMPLETED', $3, now())`,
    [campaignId, clientId, given.sandbox ?? true],
  );
  await query(
    `insert into debts (id, client_id, campaign_id, position, debtor_name, debtor_phone, debtor_tax_id, debtor_email,
       original_amount_centavos, due_date, invoice_id, status, sandbox, clock_offset_ms, name_key)
     values ($1, $2, $3, 1, $4, $5, $6, $7, $8, '2026-10-05', $9, $10, $11, $12, $13)`,
    [
      debtId,
      clientId,
      campaignId,
      name,
      given.debtorPhone ?? `+55119${String(70_000_000 + n)}`,
      given.debtorTaxId ?? cpfOf(300_000_000 + n),
      given.debtorEmail ?? null,
      amount,
      `NF-${n}`,
      given.status ?? 'PAID',
      given.sandbox ?? true,
      given.clockOffsetMs ?? 0,
      nameKeyOf(name),
    ],
  );
  await query(
    `insert into charges (id, client_id, debt_id, attempt, provider, provider_payment_id, provider_payment_key, status,
       amount_centavos, paid_centavos, refunded_centavos, expires_at, approved_at, paid_at, credited_on, duplicate, end_to_end_id)
     values ($1, $2, $3, 1, 'sandbox', $4, $4, $5, $6, $7, $8, now() + interval '3 days', $9, $9, $9::timestamptz::date, $10,
       'E18236120202611201731s0123456789')`,
    [
      paymentId,
      clientId,
      debtId,
      `sbx_${paymentId}`,
      approvedAt === null ? 'PENDING' : 'APPROVED',
      amount,
      given.paidCentavos ?? (approvedAt === null ? 0 : amount),
      given.refundedCentavos ?? 0,
      approvedAt,
      given.duplicate ?? false,
    ],
  );
  return { debtId, paymentId };
}

/** Creates `count` payments of one client, a minute apart, with one statement for each table. */
export async function paidDebts(query: Query, clientId: string, count: number): Promise<PaidDebt[]> {
  const debts: PaidDebt[] = [];
  const first = Date.parse('2026-11-01T12:00:00Z');
  for (let index = 0; index < count; index++) {
    debts.push(await paidDebt(query, clientId, { approvedAt: new Date(first + index * 60_000) }));
  }
  return debts;
}
