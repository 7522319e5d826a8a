import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { parseLocalDate } from '../../../kernel/calendar.ts';
import { REAL_CHANNELS } from '../../../kernel/messaging-channels.ts';
import { WHATSAPP_KINDS } from '../rules/counted-kinds.ts';
import type { PriceList } from '../rules/message-prices.ts';

const text = z.string().trim().min(1);

const microReais = z.int().min(0).max(100_000_000).nullable();

const schema = z.strictObject({
  /** When the prices were looked up: the console shows it, and says when that is long ago. */
  version: z.string().refine((value) => parseLocalDate(value) !== null, 'is not a date, such as 2026-11-28'),
  currency: z.literal('BRL'),
  note: text,
  prices: z
    .array(
      z.strictObject({
        channel: z.enum(['sandbox', ...REAL_CHANNELS]),
        per: z.enum(['message', 'segment']),
        microReais,
        kinds: z
          .partialRecord(
            z.enum(WHATSAPP_KINDS),
            z.strictObject({ microReais, freeEachMonth: z.int().min(0).max(1_000_000).optional() }),
          )
          .optional(),
        source: z.url().nullable(),
        foundAt: z.array(z.url()),
        note: text,
      }),
    )
    .refine((prices) => new Set(prices.map(({ channel }) => channel)).size === prices.length, 'has a channel twice'),
});

const FILE = 'policies/prices.json';

/** Reads and checks the list of prices, which operators write. What is wrong with it stops the start of the service. */
export function loadPrices(file: URL = new URL(`../../../../${FILE}`, import.meta.url)): PriceList {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw invalid([error instanceof Error ? error.message : String(error)]);
  }
  const { success, data, error } = schema.safeParse(content);
  if (!success) throw invalid(error.issues.map(({ path, message }) => `/${path.map(String).join('/')} ${message}`));
  return data;
}

const invalid = (problems: readonly string[]): Error =>
  new Error(`The list of prices ${FILE} is not valid:\n${problems.join('\n')}`);
