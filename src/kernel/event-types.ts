/** The changes that a client's systems are told, as the public contract names them. */
export const EVENT_TYPES = [
  'debt.imported',
  'debt.status_changed',
  'debt.contacted',
  'debt.message_received',
  'payment.approved',
  'payment.duplicate',
  'payment.refunded',
  'receipt.issued',
  'receipt.revoked',
  'agreement.accepted',
  'agreement.instalment_paid',
  'agreement.broken',
  'agreement.completed',
  'campaign.status_changed',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** What a client sends to its own webhook to try it. It changes nothing, so the change feed does not have it. */
export const TEST_EVENT = 'webhook.test';

export const WEBHOOK_STATES = ['active', 'disabled'] as const;
export type WebhookState = (typeof WEBHOOK_STATES)[number];

/**
 * Why a webhook gets no more events: the client turned it off, its receiver answered `410 Gone`, or its receiver took
 * nothing for five days.
 */
export const DISABLED_REASONS = ['client', 'gone', 'failing'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];
