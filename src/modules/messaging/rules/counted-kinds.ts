/**
 * What channels charge for, by its price: a message of WhatsApp without a template (`service`), a template by the category
 * that Meta has given it, and an SMS.
 */
export const WHATSAPP_KINDS = ['service', 'utility', 'marketing', 'authentication'] as const;
export type WhatsAppKind = (typeof WHATSAPP_KINDS)[number];

export const COUNTED_KINDS = [...WHATSAPP_KINDS, 'sms'] as const;
export type CountedKind = (typeof COUNTED_KINDS)[number];

/** What a channel says of the price of a message. */
export interface ReportedPrice {
  /** Null where the channel names none that is known. */
  readonly kind: WhatsAppKind | null;
  /** True for a message that costs nothing, beside those that are free each month. */
  readonly isFree: boolean;
}

const CATEGORIES: ReadonlyMap<string, WhatsAppKind> = new Map([
  ['service', 'service'],
  ['utility', 'utility'],
  ['marketing', 'marketing'],
  ['marketing_lite', 'marketing'],
  ['authentication', 'authentication'],
  ['authentication_international', 'authentication'],
]);

/**
 * Reads Meta's `pricing`. Whether one of the free messages of the month was used is counted here, because Meta reports
 * those as it reports the others; what an advertisement has led to is free beside them.
 */
export function reportedPrice(category: string | null, type: string | null, billable: boolean | null): ReportedPrice {
  const kind = CATEGORIES.get(category ?? '') ?? null;
  const isFree = type === 'free_entry_point' || (billable === false && kind !== 'service');
  return { kind, isFree };
}
