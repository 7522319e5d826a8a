import type { AuditEntry } from '../../api/client.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Actions about a campaign, a debt and a member, by the beginning of their names. What is not listed leads nowhere. */
const OF_CAMPAIGN = /^(?:campaign_|message_text_changed|debts_imported|draft_debts_deleted|sandbox_clock_moved)/;
const OF_DEBT =
  /^(?:debt_|offer_made|agreement_accepted|agreement_resumed|payment_|refund_asked|sandbox_paid|sandbox_message_sent)/;
const OF_MEMBER = /^(?:member_|invitation_)/;

/** The page of what an entry is about; null when it has none. */
export function linkOf({ action, target, details }: Pick<AuditEntry, 'action' | 'target' | 'details'>): string | null {
  // The target of a receipt is its protocol.
  const debtId = details?.['debtId'];
  if (typeof debtId === 'string' && UUID.test(debtId)) return `/dividas/${debtId}`;
  if (target === null || !UUID.test(target)) return null;
  if (OF_CAMPAIGN.test(action)) return `/campanhas/${target}`;
  if (OF_DEBT.test(action)) return `/dividas/${target}`;
  if (action === 'agreement_cancelled') return `/acordos/${target}`;
  return OF_MEMBER.test(action) ? '/conta/equipe' : null;
}
