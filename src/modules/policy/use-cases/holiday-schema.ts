import { z } from 'zod';
import { parseLocalDate } from '../../../kernel/calendar.ts';
import { type HolidayRules, WEEKDAYS } from '../../../kernel/holidays.ts';
import { STATES } from '../../../kernel/phone.ts';

const text = z.string().trim().min(1);
const page = z.url({ protocol: /^https?$/ });
const year = z.int().min(1);
const days = z.int().refine((count) => count !== 0, 'is no transfer');

/** 2023 has no 29 February, so that day is refused: no law names it, and most years lack it. */
const monthAndDay = z
  .string()
  .refine((value) => parseLocalDate(`2023-${value}`) !== null, 'is no month and day, such as 04-21');

const statute = {
  law: text,
  lawUrl: page.optional(),
  foundAt: page.optional(),
  note: text.optional(),
  from: year.optional(),
  to: year.optional(),
};
const day = { name: text, on: z.union([monthAndDay, z.strictObject({ easter: z.int().min(-80).max(200) })]) };

const endsAfterItsBeginning = ({ from, to }: { from?: number | undefined; to?: number | undefined }) =>
  from === undefined || to === undefined || from <= to;
const ENDS_TOO_EARLY = 'ends before it begins';

const holiday = z
  .strictObject({ ...day, ...statute, transferred: z.literal(true).optional(), checked: z.literal(false).optional() })
  .refine(endsAfterItsBeginning, ENDS_TOO_EARLY)
  .refine(({ checked, note }) => checked !== false || note !== undefined, 'is not checked and has no note');

const transfer = z
  .strictObject({
    ...statute,
    days: z.partialRecord(z.enum(WEEKDAYS), days),
    stepWhenTaken: days.optional(),
    keepsOriginal: z.boolean(),
  })
  .refine(endsAfterItsBeginning, ENDS_TOO_EARLY);

const region = z
  .strictObject({
    transfer: transfer.optional(),
    holidays: z.array(holiday),
    notHolidays: z.array(z.strictObject({ ...day, ...statute, note: text })),
  })
  .refine(
    (one) => one.transfer !== undefined || one.holidays.every(({ transferred }) => transferred !== true),
    'transfers a holiday and has no transfer',
  );

/** The schema of `policies/holidays-br.json`. */
export const holidaysSchema: z.ZodType<HolidayRules> = z.strictObject({
  id: text,
  reviewed: z.string().refine((value) => parseLocalDate(value) !== null, 'is not a date'),
  source: text,
  nation: region,
  states: z.record(z.enum(STATES), region),
});
