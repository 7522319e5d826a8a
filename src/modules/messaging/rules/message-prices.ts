import type { RealChannel } from '../../../kernel/messaging-channels.ts';
import { toReais } from '../../../kernel/money.ts';
import type { CountedKind, WhatsAppKind } from './counted-kinds.ts';

export interface MessagePrice {
  readonly channel: RealChannel | 'sandbox';
  /** A segment is one of the pieces in which an SMS is sent. */
  readonly per: 'message' | 'segment';
  /** Millionths of a real, because a message costs less than a centavo at some providers; null when it is not known. */
  readonly microReais: number | null;
  /** What kinds of messages cost that have prices of their own; any other costs `microReais`. */
  readonly kinds?: Readonly<Partial<Record<WhatsAppKind, PriceOfKind>>> | undefined;
}

export interface PriceOfKind {
  readonly microReais: number | null;
  /** How many delivered messages of the kind each number has for nothing in a month. */
  readonly freeEachMonth?: number | undefined;
}

/** The content of `policies/prices.json`. */
export interface PriceList {
  readonly version: string;
  readonly prices: readonly MessagePrice[];
}

const MICRO_REAIS_OF_CENTAVO = 10_000;

const MICRO_REAIS_OF_REAL = 1_000_000;

/** A price as it is shown, in reais. */
export const reaisOfMicro = (microReais: number | null): number | null =>
  microReais === null ? null : microReais / MICRO_REAIS_OF_REAL;

/** A cost as it is shown, in reais; null where it is not known. */
export const shownCost = (centavos: number | null): number | null => (centavos === null ? null : toReais(centavos));

/** Part of a centavo counts as a whole one. */
export const centavosOf = (microReais: number): number => Math.ceil(microReais / MICRO_REAIS_OF_CENTAVO);

export interface EstimatedCost {
  /** What one message costs, in millionths of a real. */
  readonly unitMicroReais: number | null;
  readonly totalCentavos: number | null;
}

/** Estimates what a channel costs, or null where the list has no price. */
export function estimateCost(
  { prices }: PriceList,
  given: { readonly channel: string; readonly messages: number; readonly segmentsOfMessage: number },
): EstimatedCost {
  const price = prices.find(({ channel }) => channel === given.channel);
  if (price === undefined || price.microReais === null) return { unitMicroReais: null, totalCentavos: null };
  const unitMicroReais = price.microReais * (price.per === 'segment' ? given.segmentsOfMessage : 1);
  return { unitMicroReais, totalCentavos: centavosOf(unitMicroReais * given.messages) };
}

/** Returns what one message of a kind costs, or one segment of an SMS. */
export function priceOfKind({ prices }: PriceList, channel: string, kind: CountedKind): PriceOfKind {
  const price = prices.find((one) => one.channel === channel);
  const own = kind === 'sms' ? undefined : price?.kinds?.[kind];
  return own ?? { microReais: price?.microReais ?? null };
}

/** How many messages without a template each number of WhatsApp has for nothing in a month. */
export const freeEachMonth = (prices: PriceList): number =>
  priceOfKind(prices, 'whatsapp', 'service').freeEachMonth ?? 0;

/** Messages of one kind, as they are charged for; of an SMS the segments. */
export interface CountedMessages {
  readonly channel: RealChannel;
  readonly kind: CountedKind;
  readonly free: number;
  readonly paid: number;
}

export interface CostOfKind extends CountedMessages {
  readonly unitMicroReais: number | null;
  /** Null where something was paid for that has no known price. */
  readonly totalCentavos: number | null;
}

export interface CostOfMessages {
  readonly kinds: readonly CostOfKind[];
  readonly totalCentavos: number | null;
}

/** Returns what counted messages cost by the list, together rounded up to whole centavos once. */
export function costOfMessages(prices: PriceList, counted: readonly CountedMessages[]): CostOfMessages {
  let total: number | null = 0;
  const kinds = counted.map((each): CostOfKind => {
    const { microReais: unitMicroReais } = priceOfKind(prices, each.channel, each.kind);
    const micro = each.paid === 0 ? 0 : unitMicroReais === null ? null : unitMicroReais * each.paid;
    total = total === null || micro === null ? null : total + micro;
    return { ...each, unitMicroReais, totalCentavos: micro === null ? null : centavosOf(micro) };
  });
  return { kinds, totalCentavos: total === null ? null : centavosOf(total) };
}

/** Delivered messages of one number in one month, by kind and by what the channel said of their price. */
export interface DeliveredOfMonth {
  readonly kind: WhatsAppKind;
  readonly isFree: boolean;
  readonly messages: number;
}

export interface UsageOfMonth {
  readonly counted: readonly CountedMessages[];
  /** How many of the free messages of the month are used. */
  readonly freeUsed: number;
}

/** Divides what a number has delivered in a month into what is free and what is paid for. */
export function usageOfMonth(
  rows: readonly DeliveredOfMonth[],
  freeOfMonth: number,
  kinds: readonly WhatsAppKind[],
): UsageOfMonth {
  const sum = (kind: WhatsAppKind, isFree: boolean): number =>
    rows.filter((row) => row.kind === kind && row.isFree === isFree).reduce((total, row) => total + row.messages, 0);
  const freeUsed = Math.min(sum('service', false), freeOfMonth);
  const counted = kinds.map((kind): CountedMessages => {
    const ofMonth = kind === 'service' ? freeUsed : 0;
    return { channel: 'whatsapp', kind, free: sum(kind, true) + ofMonth, paid: sum(kind, false) - ofMonth };
  });
  return { counted, freeUsed };
}

/** From this share of the free messages on, a client is told that they end. */
const WARNED_FROM = 0.8;

export const isNearEnd = (used: number, freeOfMonth: number): boolean =>
  freeOfMonth > 0 && used >= freeOfMonth * WARNED_FROM;
