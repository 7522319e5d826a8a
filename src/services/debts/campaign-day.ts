import type { EntityManager } from '@mikro-orm/postgresql';
import { runInTransaction } from '../../db/statement.ts';

export interface CampaignCounts {
  readonly contactsSent?: number;
  readonly contactsBlocked?: number;
  readonly messagesReceived?: number;
  readonly paymentsApproved?: number;
  readonly recoveredCentavos?: number;
}

/**
 * The counters of one campaign and day are spread over this many rows, so that writers rarely wait for the same row.
 */
const SLOTS = 8;

const COUNT = `
  insert into campaign_days (campaign_id, client_id, day, slot,
    contacts_sent, contacts_blocked, messages_received, payments_approved, recovered_centavos)
  values ($1, $2, (now() at time zone 'America/Sao_Paulo')::date, $3, $4, $5, $6, $7, $8)
  on conflict (campaign_id, day, slot) do update set
    contacts_sent = campaign_days.contacts_sent + excluded.contacts_sent,
    contacts_blocked = campaign_days.contacts_blocked + excluded.contacts_blocked,
    messages_received = campaign_days.messages_received + excluded.messages_received,
    payments_approved = campaign_days.payments_approved + excluded.payments_approved,
    recovered_centavos = campaign_days.recovered_centavos + excluded.recovered_centavos`;

/** The debt's id selects the slot, so one debt always counts in the same slot. */
const slotOf = (debtId: string): number => Number.parseInt(debtId.slice(-2), 16) % SLOTS;

/** Adds to today's counters of the debt's campaign. The day is that of the real clock. */
export async function countInCampaign(
  em: EntityManager,
  debt: { readonly id: string; readonly campaignId: string; readonly clientId: string },
  counts: CampaignCounts,
): Promise<void> {
  await runInTransaction(em, COUNT, [
    debt.campaignId,
    debt.clientId,
    slotOf(debt.id),
    counts.contactsSent ?? 0,
    counts.contactsBlocked ?? 0,
    counts.messagesReceived ?? 0,
    counts.paymentsApproved ?? 0,
    counts.recoveredCentavos ?? 0,
  ]);
}
