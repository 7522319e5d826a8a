import type { EntityManager } from '@mikro-orm/postgresql';
import type { ClientAddress, ClientStatus } from '../../db/entities/client.ts';
import { runInTransaction } from '../../db/statement.ts';
import type { LocalDate } from '../../domain/calendar.ts';
import type { CampaignStatus } from '../../domain/campaign-status.ts';
import type { DebtStatus } from '../../domain/debt-status.ts';

/** A debt with what decides about it: its campaign's and its client's state. */
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
  /** This phone was said to be somebody else's. */
  readonly wrongPerson: boolean;
  /** The person's data is gone: there is nobody to write to, and nothing of theirs is stored again. */
  readonly erased: boolean;
  readonly clockOffsetMs: number;
  readonly lastEventAt: Date | null;
  readonly campaignStatus: CampaignStatus;
  readonly clientStatus: ClientStatus;
  readonly clientName: string;
  /** What debtors may see; never the e-mail of the login. */
  readonly contactEmail: string | null;
  readonly clientCnpj: string | null;
  readonly clientAddress: ClientAddress | null;
  /** Of the receipt of a paid debt, once it is issued. */
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

/** `hold` keeps everybody else from changing the debt until the transaction ends. */
export async function loadDebt(
  em: EntityManager,
  debtId: string,
  options: { readonly hold?: true } = {},
): Promise<DebtContext | null> {
  const text = options.hold === true ? `${SELECT} for no key update of d` : SELECT;
  const [row] = await runInTransaction<DebtContext>(em, text, [debtId]);
  return row ?? null;
}

const HOLD = 'select 1 from debts where id = any ($1) order by id for no key update';

/**
 * The debts' rows before any row of their messages, deliveries and receipts: whoever takes them in another order and
 * then writes on the timeline waits for one who waits for them.
 */
export async function holdDebts(em: EntityManager, debtIds: readonly string[]): Promise<void> {
  await runInTransaction(em, HOLD, [debtIds]);
}

/** The workflow's clock, kept on the debt for what reaches it from outside; it only ever runs further ahead. */
export async function keepClock(em: EntityManager, debtId: string, offsetMs: number): Promise<void> {
  if (offsetMs === 0) return;
  await runInTransaction(
    em,
    'update debts set clock_offset_ms = greatest(clock_offset_ms, $2::bigint) where id = $1 and clock_offset_ms < $2::bigint',
    [debtId, offsetMs],
  );
}
