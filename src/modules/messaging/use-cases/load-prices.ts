import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { REAL_CHANNELS } from '../../../kernel/messaging-channels.ts';
import { WHATSAPP_KINDS } from '../rules/counted-kinds.ts';
import type { PriceList } from '../rules/message-prices.ts';

const text = z.string().trim().min(1);

const microReais = z.int().min(0).max(100_000_000).nullable();

const schema = z.strictObject({
  version: text,
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

/** Reads and checks the list of prices. */
export const loadPrices = (file: URL = new URL('../../../../policies/prices.json', import.meta.url)): PriceList =>
  schema.parse(JSON.parse(readFileSync(file, 'utf8')));
