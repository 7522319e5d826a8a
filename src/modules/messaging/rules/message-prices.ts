import type { RealChannel } from '../../../kernel/messaging-channels.ts';

export interface MessagePrice {
  readonly channel: RealChannel | 'sandbox';
  /** A segment is one of the pieces in which an SMS is sent. */
  readonly per: 'message' | 'segment';
  /** Millionths of a real, because a message costs less than a centavo at some providers; null when it is not known. */
  readonly microReais: number | null;
}

/** The content of `policies/prices.json`. */
export interface PriceList {
  readonly version: string;
  readonly prices: readonly MessagePrice[];
}

const MICRO_REAIS_OF_CENTAVO = 10_000;

export interface EstimatedCost {
  /** What one message costs, in millionths of a real. */
  readonly unitMicroReais: number | null;
  readonly totalCentavos: number | null;
}

/** Estimates what a channel costs, or null where the list has no price. Part of a centavo counts as a whole one. */
export function estimateCost(
  { prices }: PriceList,
  given: { readonly channel: string; readonly messages: number; readonly segmentsOfMessage: number },
): EstimatedCost {
  const price = prices.find(({ channel }) => channel === given.channel);
  if (price === undefined || price.microReais === null) return { unitMicroReais: null, totalCentavos: null };
  const unitMicroReais = price.microReais * (price.per === 'segment' ? given.segmentsOfMessage : 1);
  return { unitMicroReais, totalCentavos: Math.ceil((unitMicroReais * given.messages) / MICRO_REAIS_OF_CENTAVO) };
}
