import type { EntityManager } from '@mikro-orm/postgresql';
import type { ClientAddress, ClientStatus } from '../../db/entities/client.ts';
import { runInTransaction } from '../../db/statement.ts';
import type { LocalDate } from '../../domain/calendar.ts';
import type { CampaignStatus } from '../../domain/campaign-status.ts';
import type { DebtStatus } from '../../domain/debt-status.ts';

/** A debt with the state of its campaign and its client, which decide about it too. */
export interface DebtContext {
  readonly id: string;
  readonly clientId: string;
  readonly campaignId: string;
  readonly status: DebtStatus;
  readonly sandbox: boolean;
  readonly debtorName: string;
  readonly debtorPhone: string;
  readonly debtorCpf: string;
  readonly amountCentavos: number;
  readonly dueDate: LocalDate;
  readonly invoiceId: string | null;
  readonly step: number;
  readonly nextContactAt: Date | null;
  readonly promisedFor: LocalDate | null;
  readonly saidPaidAt: Date | null;
  /** Somebody has said that this phone is not the debtor's. */
  readonly wrongPerson: boolean;
  /** The person's data was erased: the debt has no recipient, and no message from the person is stored again. */
  readonly erased: boolean;
  readonly clockOffsetMs: number;
  readonly lastEventAt: Date | null;
  readonly campaignStatus: CampaignStatus;
  readonly clientStatus: ClientStatus;
  readonly clientName: string;
  /** The e-mail address that debtors may see. It is never taken from the login. */
  readonly contactEmail: string | null;
  readonly clientCnpj: string | null;
  readonly clientAddress: ClientAddress | null;
  /** The protocol of the receipt, once the debt is paid and the receipt is issued. */
  readonly receiptProtocol: string | null;
}

export const SELECT_DEBTS = `
  select d.id, d.client_id as "clientId", d.campaign_id as "campaignId", d.status, d.sandbox,
    d.debtor_name as "debtorName", d.debtor_phone as "debtorPhone", d.debtor_cpf as "debtorCpf",
    d.original_amount_centavos as "amountCentavos", d.due_date as "dueDate", d.invoice_id as "invoiceId",
    d.step, d.next_contact_at as "nextContactAt", d.promised_for as "promisedFor", d.said_paid_at as "saidPaidAt",
    d.wrong_person_at is not null as "wrongPerson", d.erased_at is not null as erased, d.clock_offset_ms as "clockOffsetMs",
    d.last_event_at as "lastEventAt", c.status as "campaignStatus", o.status as "clientStatus", o.name as "clientName",
    o.contact_email as "contactEmail", o.cnpj as "clientCnpj", o.address as "clientAddress", d.score,
    case when d.status = 'PAID' then (
      select r.protocol from receipts r
      where r.debt_id = d.id and (r.pdf is not null or r.shortened_at is not null) order by r.issued_at limit 1
    ) end as "receiptProtocol"
  from debts d join campaigns c on c.id = d.campaign_id join clients o on o.id = d.client_id`;

const SELECT = `${SELECT_DEBTS} where d.id = $1`;

/** `forUpdate` locks the debt's row, so that no other transaction changes the debt until this one ends. */
export async function loadDebt(
  em: EntityManager,
  debtId: string,
  options: { readonly forUpdate?: true } = {},
): Promise<DebtContext | null> {
  const text = options.forUpdate === true ? `${SELECT} for no key update of d` : SELECT;
  const [row] = await runInTransaction<DebtContext>(em, text, [debtId]);
  return row ?? null;
}

const LOCK = 'select 1 from debts where id = any ($1) order by id for no key update';

/**
 * Locks the debts' rows. A transaction calls it before it locks rows of their messages, deliveries or receipts: writing to
 * the timeline locks the debt's row, so another order can deadlock.
 */
export async function lockDebts(em: EntityManager, debtIds: readonly string[]): Promise<void> {
  await runInTransaction(em, LOCK, [debtIds]);
}

/** Stores the workflow's clock offset on the debt, for events from outside the workflow. The offset never decreases. */
export async function keepClock(em: EntityManager, debtId: string, offsetMs: number): Promise<void> {
  if (offsetMs === 0) return;
  await runInTransaction(
    em,
    'update debts set clock_offset_ms = greatest(clock_offset_ms, $2::bigint) where id = $1 and clock_offset_ms < $2::bigint',
    [debtId, offsetMs],
  );
}
