import { createHmac, hash, randomBytes, randomUUID } from 'node:crypto';
import { makeProtocol } from '../src/kernel/protocol.ts';
import { nameKeyOf } from '../src/kernel/search-terms.ts';
import { acceptedText } from '../src/modules/agreements/texts/accepted-text.ts';
import type { App } from './app.ts';
import { cpfOf } from './debts.ts';

/** Signs links of agreements with the secret of the test apps. */
export const agreementSignature = (protocol: string, secret = 'receipt_secret-of-the-tests'): string =>
  createHmac('sha256', secret).update(`agreement:${protocol}`).digest('base64url');

export const agreementPath = (protocol: string, sig = agreementSignature(protocol)): string =>
  `/api/agreements/download/${protocol}?sig=${sig}`;

export interface GivenAgreement {
  readonly status?: 'ACTIVE' | 'COMPLETED' | 'BROKEN' | 'CANCELLED';
  readonly endedAt?: string | null;
  readonly sandbox?: boolean;
  readonly debtorName?: string;
  readonly debtorTaxId?: string;
  /** What was owed of each debt, and the discount of it. */
  readonly debts?: readonly { readonly owed: number; readonly discount: number }[];
  readonly instalments?: readonly { readonly dueDate: string; readonly amount: number }[];
  readonly agreedOn?: string;
}

export interface MadeAgreement {
  readonly id: string;
  readonly protocol: string;
  readonly debtIds: readonly string[];
  readonly text: string;
}

type Query = Pick<App, 'query'>['query'];

let last = 0;

const DEBTS = [
  { owed: 60_000, discount: 10_000 },
  { owed: 42_000, discount: 2_000 },
];
const INSTALMENTS = [
  { dueDate: '2026-11-20', amount: 30_000 },
  { dueDate: '2026-12-21', amount: 30_000 },
  { dueDate: '2027-01-20', amount: 30_000 },
];

/** Creates an accepted agreement about debts of one person; no workflow runs for it. Amounts are in centavos. */
export async function newAgreement(query: Query, clientId: string, given: GivenAgreement = {}): Promise<MadeAgreement> {
  const { status = 'ACTIVE', sandbox = false, debts = DEBTS, agreedOn = '2026-11-10' } = given;
  const n = ++last;
  const name = given.debtorName ?? 'João Antônio da Conceição';
  const instalments = (given.instalments ?? INSTALMENTS).map(({ dueDate, amount }, at) => ({
    number: at + 1,
    dueDate,
    amountCentavos: amount,
  }));
  const [campaignId, offerId, id] = [randomUUID(), randomUUID(), randomUUID()];
  const debtIds = debts.map(() => randomUUID());
  const protocol = makeProtocol('AC', 2026, randomBytes(10));
  const isOver = status !== 'ACTIVE';
  await query(
    `insert into campaigns (id, client_id, name, status, sandbox, launched_at)
     values ($1, $2, 'Mensalidades', 'RUNNING', $3, now())`,
    [campaignId, clientId, sandbox],
  );
  for (const [at, debtId] of debtIds.entries()) {
    await query(
      `insert into debts (id, client_id, campaign_id, position, debtor_name, debtor_phone, debtor_tax_id,
         original_amount_centavos, due_date, invoice_id, description, status, sandbox, name_key)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'Mensalidade', $11, $12, $13)`,
      [
        debtId,
        clientId,
        campaignId,
        at + 1,
        name,
        `+55119${String(60_000_000 + n)}`,
        given.debtorTaxId ?? cpfOf(400_000_000 + n),
        debts[at]!.owed,
        `2026-0${at + 5}-05`,
        `NF-${n}-${at + 1}`,
        isOver ? 'IN_COLLECTION' : 'AGREEMENT',
        sandbox,
        nameKeyOf(name),
      ],
    );
  }
  const total = debts.reduce((sum, { owed, discount }) => sum + owed - discount, 0);
  const discount = debts.reduce((sum, one) => sum + one.discount, 0);
  const offered = debtIds.map((debtId, at) => ({
    debtId,
    owedCentavos: debts[at]!.owed,
    discountCentavos: debts[at]!.discount,
    originalCentavos: debts[at]!.owed,
    dueDate: `2026-0${at + 5}-05`,
    paidCentavos: 0,
  }));
  await query(
    `insert into offers (id, client_id, debt_id, sandbox, number, kind, debts, total_centavos, discount_centavos,
       entry_centavos, instalments, made_on, valid_until, made_by, policy_version, accepted_at)
     values ($1, $2, $3, $4, 1, 'instalments', $5, $6, $7, $8, $9, $10, $10, 'policy', 1, now())`,
    [
      offerId,
      clientId,
      debtIds[0],
      sandbox,
      JSON.stringify(offered),
      total,
      discount,
      instalments[0]!.amountCentavos,
      JSON.stringify(instalments),
      agreedOn,
    ],
  );
  const text = acceptedText({
    creditorName: 'Escola Aurora',
    invoices: debtIds.map((_, at) => `NF-${n}-${at + 1}`),
    totalCentavos: total,
    discountCentavos: discount,
    instalments,
    breachAfterDays: 15,
    afterBreach: 'restore',
  });
  await query(
    `insert into agreements (id, client_id, debt_id, offer_id, sandbox, protocol, status, total_centavos,
       discount_centavos, instalments, breach_after_days, after_breach, moves_left, agreed_on, accepted_at, accepted_by,
       accepted_text, accepted_text_hash, accepted_phone, ended_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 15, 'restore', 0, $11, '2026-11-10T15:04:05Z', 'page',
       $12, $13, '(11) *****-0001', $14)`,
    [
      id,
      clientId,
      debtIds[0],
      offerId,
      sandbox,
      protocol,
      status,
      total,
      discount,
      JSON.stringify(instalments),
      agreedOn,
      text,
      hash('sha256', text),
      given.endedAt ?? (isOver ? '2026-11-25T12:00:00Z' : null),
    ],
  );
  for (const [at, debtId] of debtIds.entries()) {
    await query(
      `insert into agreement_debts (client_id, agreement_id, debt_id, position, owed_centavos, discount_centavos)
       values ($1, $2, $3, $4, $5, $6)`,
      [clientId, id, debtId, at + 1, debts[at]!.owed, debts[at]!.discount],
    );
    if (!isOver) await query('update debts set agreement_id = $2 where id = $1', [debtId, id]);
  }
  return { id, protocol, debtIds, text };
}

export interface GivenMoney {
  readonly instalment?: number | null;
  readonly paidAt?: string;
}

/** Stores a confirmed payment of an agreement, as its settlement does, and returns the id of its charge. */
export async function payAgreement(
  query: Query,
  clientId: string,
  { id, debtIds }: MadeAgreement,
  centavos: number,
  { instalment = null, paidAt = '2026-11-18T13:00:00Z' }: GivenMoney = {},
): Promise<string> {
  const chargeId = randomUUID();
  await query(
    `insert into charges (id, client_id, debt_id, agreement_id, instalment, attempt, provider, provider_payment_id,
       provider_payment_key, status, amount_centavos, paid_centavos, expires_at, approved_at, paid_at, credited_on,
       end_to_end_id)
     values ($1, $2, $3, $4, $5, (select coalesce(max(attempt), 0) + 1 from charges where debt_id = $3),
       'sandbox', $6, $6, 'APPROVED', $7, $7, now(), $8, $8, $8::timestamptz::date, $9)`,
    [chargeId, clientId, debtIds[0], id, instalment, `sbx_${chargeId}`, centavos, paidAt, `E2E${chargeId.slice(0, 8)}`],
  );
  return chargeId;
}

export interface GivenShare {
  readonly debtId: string;
  readonly partOf: string;
  readonly centavos: number;
  readonly paidAt?: string;
  /** What settles the debt with it, and what was given up; absent for a part. */
  readonly settles?: { readonly settled: number };
}

/** Stores what a debt gets of an agreement's payment when the agreement ends. */
export async function shareOfPayment(query: Query, clientId: string, given: GivenShare): Promise<string> {
  const { debtId, partOf, centavos, settles, paidAt = '2026-11-18T13:00:00Z' } = given;
  const chargeId = randomUUID();
  await query(
    `insert into charges (id, client_id, debt_id, part_of, attempt, provider, status, amount_centavos, paid_centavos,
       expires_at, approved_at, underpaid_at, paid_at, credited_on, waives_rest, settled_centavos, covered_centavos)
     values ($1, $2, $3, $4, (select coalesce(max(attempt), 0) + 1 from charges where debt_id = $3), 'agreement', $5,
       $6, $6, now(), $7, $8, $9, $9::timestamptz::date, $10, $11, $11)`,
    [
      chargeId,
      clientId,
      debtId,
      partOf,
      settles ? 'APPROVED' : 'PENDING',
      centavos,
      settles ? paidAt : null,
      settles ? null : paidAt,
      paidAt,
      settles !== undefined,
      settles?.settled ?? null,
    ],
  );
  if (settles) await query("update debts set status = 'PAID', agreement_id = null where id = $1", [debtId]);
  return chargeId;
}
