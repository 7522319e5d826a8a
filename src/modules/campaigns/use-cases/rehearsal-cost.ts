import { DAY } from '../../../kernel/calendar.ts';
import { MAX_SEGMENTS, STRICT_SEGMENTS, smsSize } from '../../../kernel/sms-text.ts';
import { startOfStatisticsDay, statisticsMonth } from '../../../kernel/statistics-day.ts';
import type { SharedDeps } from '../../deps.ts';
import { ANSWERS_OF_CLIENT, USAGE_OF_MONTH } from '../../messaging/queries/message-usage.ts';
import {
  centavosOf,
  estimateCost,
  freeEachMonth,
  type PriceList,
  priceOfKind,
  reaisOfMicro,
  shownCost,
} from '../../messaging/rules/message-prices.ts';
import type { ExampleMessage } from './rehearsal-examples.ts';

/** What a client's debtors have answered in these days says how many answers others will need. */
const OBSERVED_MS = 90 * DAY;
/** Of fewer messages nothing is said. */
const OBSERVED_AT_LEAST = 100;

export interface Cost {
  readonly messages: number;
  /** Reais; null when the price is not known. */
  readonly unit: number | null;
  readonly total: number | null;
  /** What the conversations that follow would cost; of WhatsApp alone, where answers have a price of their own. */
  readonly answers?: CostOfAnswers;
}

interface CostOfAnswers {
  /** Null until enough real messages were delivered. */
  readonly messages: number | null;
  readonly free: number | null;
  readonly unit: number | null;
  readonly freeEachMonth: number;
  readonly total: number | null;
}

export interface ObservedAnswers {
  /** Messages without a template for each one by a template; null when too little was sent. */
  readonly ratio: number | null;
  /** The free ones of this month that are left on the number. */
  readonly freeLeft: number;
}

export async function observeAnswers(
  { db, now, prices }: Pick<SharedDeps, 'db' | 'now'> & { readonly prices: PriceList },
  clientId: string,
): Promise<ObservedAnswers> {
  const at = now().getTime();
  const since = new Date(startOfStatisticsDay(statisticsMonth(at)));
  const [[answers], usage] = await Promise.all([
    db.readPrepared({ clientId }, ANSWERS_OF_CLIENT, { clientId, since: new Date(at - OBSERVED_MS) }),
    db.readPrepared({ clientId }, USAGE_OF_MONTH, { clientId, since }),
  ]);
  const { service, templates } = answers!;
  const used = usage
    .filter(({ kind, isFree }) => kind === 'service' && !isFree)
    .reduce((total, { messages }) => total + messages, 0);
  return {
    ratio: templates < OBSERVED_AT_LEAST ? null : service / templates,
    freeLeft: Math.max(0, freeEachMonth(prices) - used),
  };
}

/** Estimates what the messages of a rehearsal cost, and what the answers cost that they will lead to. */
export function costOf(
  prices: PriceList,
  given: Parameters<typeof estimateCost>[1],
  { ratio, freeLeft }: ObservedAnswers,
): Cost {
  const { unitMicroReais, totalCentavos } = estimateCost(prices, given);
  const cost = {
    messages: given.messages,
    unit: reaisOfMicro(unitMicroReais),
    total: shownCost(totalCentavos),
  };
  if (given.channel !== 'whatsapp') return cost;
  const { microReais } = priceOfKind(prices, 'whatsapp', 'service');
  const messages = ratio === null ? null : Math.ceil(given.messages * ratio);
  const free = messages === null ? null : Math.min(messages, freeLeft);
  const paid = messages === null || free === null ? null : messages - free;
  return {
    ...cost,
    answers: {
      messages,
      free,
      unit: reaisOfMicro(microReais),
      freeEachMonth: freeEachMonth(prices),
      total: shownCost(paid === null || microReais === null ? null : centavosOf(paid * microReais)),
    },
  };
}

/** The later messages of a sequence are about as long as the first one. */
export function segmentsOf(examples: readonly ExampleMessage[], channel: string): number {
  const sizes = examples
    .filter((example) => example.channel === channel)
    .map(({ short }) => smsSize(short, STRICT_SEGMENTS).segments);
  return sizes.length === 0 ? MAX_SEGMENTS : Math.max(...sizes);
}
