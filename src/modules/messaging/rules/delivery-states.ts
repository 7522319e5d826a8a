/**
 * `waiting` means that staff have written it and that nothing is decided about it yet. `booked` means stored before the sending, which is not confirmed yet. A message that stays so is shown as `unknown`.
 */
export const MESSAGE_DELIVERIES = ['waiting', 'booked', 'sent', 'delivered', 'read', 'failed', 'unknown'] as const;
export type MessageDelivery = (typeof MESSAGE_DELIVERIES)[number];

/**
 * What a channel reports about a message: `unknown` when it cannot say what became of one that it had accepted. Reports
 * come twice, late and in any order.
 */
export type ReportedDelivery = 'sent' | 'delivered' | 'read' | 'failed' | 'unknown';

const RANK: Readonly<Record<Exclude<MessageDelivery, 'failed'>, number>> = {
  waiting: 0,
  booked: 0,
  unknown: 0,
  sent: 1,
  delivered: 2,
  read: 3,
};

/**
 * Returns the state of a message after a report. A report that says less than what is known changes nothing. A message
 * that arrived has not failed, whatever a later report says; and one that failed is sent anew, so it stays failed.
 */
export function deliveryAfter(known: MessageDelivery, reported: ReportedDelivery): MessageDelivery {
  if (known === 'failed') return known;
  if (reported === 'failed' || reported === 'unknown') return RANK[known] > RANK.sent ? known : reported;
  return RANK[reported] > RANK[known] ? reported : known;
}
