import type { EntityManager } from '@mikro-orm/postgresql';
import type { ClientAddress } from '../../db/entities/client.ts';
import type { ReceiptFacts, RevokedReason } from '../../db/entities/receipt.ts';
import { runInTransaction } from '../../db/statement.ts';
import { maskCpf } from '../../domain/cpf.ts';
import { areaCodeOf, displayOffset } from '../../domain/phone.ts';
import { addressLine } from '../debts/debt-facts.ts';

/** A payment that settled its debt, with the facts and the state of its receipt. */
export interface SettledPayment {
  readonly paymentId: string;
  readonly clientId: string;
  readonly debtId: string;
  readonly clockOffsetMs: number;
  readonly facts: ReceiptFacts;
  /** Set when the payment was returned before its receipt was ever drawn. */
  readonly revoked: { readonly at: Date; readonly reason: RevokedReason } | null;
  /** Null while no process has leased the receipt for drawing. */
  readonly receipt: ReceiptState | null;
  readonly readAt: Date;
}

export interface ReceiptState {
  readonly id: string;
  readonly protocol: string;
  readonly issuedAt: Date;
  /** Null until the receipt is drawn. */
  readonly templateVersion: number | null;
  readonly revokedAt: Date | null;
  readonly revokedReason: RevokedReason | null;
  readonly outdated: boolean;
}

interface Row {
  readonly paymentId: string;
  readonly clientId: string;
  readonly debtId: string;
  readonly clockOffsetMs: number;
  readonly sandbox: boolean;
  readonly debtorName: string;
  readonly debtorCpf: string;
  readonly debtorPhone: string;
  readonly invoiceId: string | null;
  readonly originalAmountCentavos: number;
  readonly dueDate: string;
  readonly paidCentavos: number;
  readonly paidAt: Date;
  readonly provider: string;
  readonly providerPaymentId: string | null;
  readonly endToEndId: string | null;
  readonly refundedAt: Date | null;
  readonly chargedBackAt: Date | null;
  readonly creditorName: string;
  readonly creditorCnpj: string | null;
  readonly creditorAddress: ClientAddress | null;
  readonly receiptId: string | null;
  readonly protocol: string;
  readonly issuedAt: Date;
  readonly storedFacts: ReceiptFacts | null;
  readonly templateVersion: number | null;
  readonly revokedAt: Date | null;
  readonly revokedReason: RevokedReason | null;
  readonly outdated: boolean;
  readonly readAt: Date;
}

/** The condition for an approved charge that settled its debt: it is neither underpaid nor a second payment. */
export const SETTLES = 'ch.approved_at is not null and not ch.duplicate and ch.underpaid_at is null';

// Earlier partial payments count, because the receipt states the whole amount that settled the debt.
const SELECT = `
  select ch.id as "paymentId", ch.client_id as "clientId", ch.debt_id as "debtId", d.sandbox, d.clock_offset_ms as "clockOffsetMs",
    d.debtor_name as "debtorName", d.debtor_cpf as "debtorCpf", d.debtor_phone as "debtorPhone",
    d.invoice_id as "invoiceId", d.original_amount_centavos as "originalAmountCentavos", d.due_date as "dueDate",
    ch.paid_centavos + coalesce((
      select sum(greatest(0, part.paid_centavos - part.refunded_centavos)) from charges part
      where part.debt_id = ch.debt_id and part.id <> ch.id and part.underpaid_at is not null
        and part.charged_back_at is null
    ), 0)::bigint as "paidCentavos",
    coalesce(ch.paid_at, ch.approved_at) as "paidAt", ch.provider, ch.provider_payment_id as "providerPaymentId",
    ch.end_to_end_id as "endToEndId", ch.charged_back_at as "chargedBackAt",
    case when ch.paid_centavos > 0 and ch.refunded_centavos >= ch.paid_centavos then ch.updated_at end as "refundedAt",
    o.name as "creditorName", o.cnpj as "creditorCnpj", o.address as "creditorAddress",
    r.id as "receiptId", r.protocol, r.issued_at as "issuedAt", r.facts as "storedFacts",
    coalesce(r.template_version, (r.facts #>> '{document,templateVersion}')::int) as "templateVersion", r.revoked_at as "revokedAt", r.revoked_reason as "revokedReason",
    coalesce(r.outdated, false) as outdated, clock_timestamp() as "readAt"
  from charges ch join debts d on d.id = ch.debt_id join clients o on o.id = ch.client_id
    left join receipts r on r.charge_id = ch.id`;

const PAGE = `${SELECT} where ch.client_id = $1 and ${SETTLES} order by ch.approved_at, ch.id limit $2 offset $3`;
const ONE = `${SELECT} where ch.debt_id = $1 and ${SETTLES} order by ch.approved_at, ch.id limit 1`;
const BY_RECEIPT = `${SELECT} where ch.id = (select charge_id from receipts where protocol = $1)`;

/** Returns the client's settled payments in the order of their approval. */
export const settledPayments = async (
  em: EntityManager,
  { clientId, take, skip }: { readonly clientId: string; readonly take: number; readonly skip: number },
): Promise<SettledPayment[]> => (await runInTransaction<Row>(em, PAGE, [clientId, take, skip])).map(toPayment);

/** Returns the payment that settled the debt, or null when the debt is not settled. */
export async function settledPaymentOf(em: EntityManager, debtId: string): Promise<SettledPayment | null> {
  const [row] = await runInTransaction<Row>(em, ONE, [debtId]);
  return row === undefined ? null : toPayment(row);
}

export async function settledPaymentBehind(em: EntityManager, protocol: string): Promise<SettledPayment | null> {
  const [row] = await runInTransaction<Row>(em, BY_RECEIPT, [protocol]);
  return row === undefined ? null : toPayment(row);
}

function toPayment(row: Row): SettledPayment {
  const issued = row.templateVersion === null ? null : row.storedFacts;
  return {
    paymentId: row.paymentId,
    clientId: row.clientId,
    debtId: row.debtId,
    clockOffsetMs: row.clockOffsetMs,
    // Payment, debtor and debt stay as they were when the receipt was issued. The creditor's data is the present one.
    facts: { ...(issued ?? factsOf(row)), creditor: creditorOf(row) },
    revoked: revocationOf(row),
    receipt: receiptOf(row),
    readAt: row.readAt,
  };
}

function receiptOf(row: Row): ReceiptState | null {
  const { receiptId, protocol, issuedAt, templateVersion, revokedAt, revokedReason, outdated } = row;
  if (receiptId === null) return null;
  return { id: receiptId, protocol, issuedAt, templateVersion, revokedAt, revokedReason, outdated };
}

const creditorOf = (row: Row): ReceiptFacts['creditor'] => ({
  name: row.creditorName,
  cnpj: row.creditorCnpj,
  address: row.creditorAddress === null ? null : addressLine(row.creditorAddress),
});

const factsOf = (row: Row): ReceiptFacts => ({
  sandbox: row.sandbox,
  creditor: creditorOf(row),
  debtor: { name: row.debtorName, cpfMasked: row.debtorCpf === '' ? '***.***.***-**' : maskCpf(row.debtorCpf) },
  debt: {
    invoiceId: row.invoiceId,
    originalAmountCentavos: row.originalAmountCentavos,
    dueDate: row.dueDate,
  },
  payment: {
    amountCentavos: row.paidCentavos,
    paidAt: row.paidAt.toISOString(),
    provider: row.provider,
    endToEndId: row.endToEndId,
    providerPaymentId: row.providerPaymentId ?? row.paymentId,
  },
  utcOffset: displayOffset(areaCodeOf(row.debtorPhone)),
});

function revocationOf({ chargedBackAt, refundedAt }: Row): SettledPayment['revoked'] {
  if (chargedBackAt !== null) return { at: chargedBackAt, reason: 'chargeback' };
  return refundedAt === null ? null : { at: refundedAt, reason: 'refund' };
}
