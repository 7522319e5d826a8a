import type { EntityManager } from '@mikro-orm/postgresql';
import { raiseClockOffset } from '../../db/queries/debts.ts';

export { type DebtContext, loadDebt, lockDebts } from '../../db/queries/debts.ts';

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

/** Stores the workflow's clock offset on the debt, for events from outside the workflow. The offset never decreases. */
export async function keepClock(em: EntityManager, debtId: string, offsetMs: number): Promise<void> {
  if (offsetMs === 0) return;
  await raiseClockOffset(em, debtId, offsetMs);
}
