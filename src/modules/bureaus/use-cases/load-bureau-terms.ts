import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { STATES } from '../../../kernel/phone.ts';
import type { BureauTerms } from '../rules/listing-terms.ts';

const text = z.string().trim().min(1);
const statute = { law: text, note: text.optional() };
const days = z.int().min(0).max(365);

const schema: z.ZodType<BureauTerms> = z.strictObject({
  id: text,
  reviewed: z.iso.date(),
  notice: z.strictObject({ days, ...statute }),
  states: z.partialRecord(z.enum(STATES), z.strictObject({ days, lateDays: days.optional(), ...statute })),
  removal: z.strictObject({ businessDays: z.int().min(1).max(60), ...statute }),
  longestYears: z.strictObject({ years: z.int().min(1).max(20), ...statute }),
});

/** Reads and checks what the law says about listings. */
export const loadBureauTerms = (
  file: URL = new URL('../../../../policies/bureaus-br.json', import.meta.url),
): BureauTerms => schema.parse(JSON.parse(readFileSync(file, 'utf8')));
