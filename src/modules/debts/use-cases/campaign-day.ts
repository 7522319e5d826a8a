import type { Tx } from '../../../platform/database/tx.ts';
import { addToCampaignDay } from '../queries/campaign-days.ts';

export interface CampaignCounts {
  readonly contactsSent?: number;
  readonly remindersSent?: number;
  readonly contactsBlocked?: number;
  readonly messagesReceived?: number;
  readonly paymentsApproved?: number;
  readonly recoveredCentavos?: number;
  readonly recoveredFineCentavos?: number;
  readonly recoveredInterestCentavos?: number;
  readonly recoveredCorrectionCentavos?: number;
  readonly chargedFineCentavos?: number;
  readonly chargedInterestCentavos?: number;
  readonly chargedCorrectionCentavos?: number;
  readonly promisesKept?: number;
  readonly promisesBroken?: number;
}

/**
 * The counters of one campaign and day are spread over this many rows, so that writers rarely wait for the same row.
 */
const SLOTS = 8;

/** The debt's id selects the slot, so one debt always counts in the same slot. */
export const slotOf = (debtId: string): number => Number.parseInt(debtId.slice(-2), 16) % SLOTS;

/** Adds to today's counters of the debt's campaign. The day is that of the real clock. */
export async function countInCampaign(
  tx: Tx,
  debt: { readonly id: string; readonly campaignId: string; readonly clientId: string },
  counts: CampaignCounts,
): Promise<void> {
  await addToCampaignDay.run(tx, {
    campaignId: debt.campaignId,
    clientId: debt.clientId,
    slot: slotOf(debt.id),
    contactsSent: counts.contactsSent ?? 0,
    remindersSent: counts.remindersSent ?? 0,
    contactsBlocked: counts.contactsBlocked ?? 0,
    messagesReceived: counts.messagesReceived ?? 0,
    paymentsApproved: counts.paymentsApproved ?? 0,
    recoveredCentavos: counts.recoveredCentavos ?? 0,
    recoveredFineCentavos: counts.recoveredFineCentavos ?? 0,
    recoveredInterestCentavos: counts.recoveredInterestCentavos ?? 0,
    recoveredCorrectionCentavos: counts.recoveredCorrectionCentavos ?? 0,
    chargedFineCentavos: counts.chargedFineCentavos ?? 0,
    chargedInterestCentavos: counts.chargedInterestCentavos ?? 0,
    chargedCorrectionCentavos: counts.chargedCorrectionCentavos ?? 0,
    promisesKept: counts.promisesKept ?? 0,
    promisesBroken: counts.promisesBroken ?? 0,
  });
}
