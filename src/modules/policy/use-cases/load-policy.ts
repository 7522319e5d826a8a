import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { parseLocalDate } from '../../../kernel/calendar.ts';
import { createHolidayCalendar, type HolidayCalendar, type HolidayRules, WEEKDAYS } from '../../../kernel/holidays.ts';
import { STATES } from '../../../kernel/phone.ts';
import { type CollectionSequence, STEP_KINDS, TONES } from '../rules/collection-sequence.ts';
import type { PolicyPack } from '../rules/policy-pack.ts';
import { policyPackSchema } from './pack-schema.ts';

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
const holidaysSchema: z.ZodType<HolidayRules> = z.strictObject({
  id: text,
  reviewed: z.string().refine((value) => parseLocalDate(value) !== null, 'is not a date'),
  source: text,
  nation: region,
  states: z.record(z.enum(STATES), region),
});

export interface Policy {
  readonly pack: PolicyPack;
  readonly holidays: HolidayCalendar;
  readonly sequence: CollectionSequence;
  readonly text: PolicyText;
}

/** The files as they were read. The version of the pack stands for all of them. */
export interface PolicyText {
  readonly hash: string;
  readonly content: Readonly<Record<'jurisdiction' | 'rules' | 'holidays' | 'sequence', unknown>>;
}

/**
 * Thrown when the policy is not valid, which stops the start of the service. The message has one line for each problem.
 */
export class PolicyError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The contact policy is not valid:\n${problems.join('\n')}`);
    this.name = 'PolicyError';
    this.problems = problems;
  }
}

export const sequenceSchema = z.strictObject({
  id: text,
  version: text,
  steps: z
    .array(z.strictObject({ kind: z.enum(STEP_KINDS), tone: z.enum(TONES), thenWaitDays: z.int().min(0) }))
    .min(1)
    .refine((steps) => steps[0]?.kind === 'first' || steps.length === 1, 'must begin with a first contact')
    .superRefine((steps, context) => {
      for (const [index, step] of steps.slice(0, -1).entries()) {
        if (step.thenWaitDays > 0) continue;
        context.addIssue({
          code: 'custom',
          path: [index, 'thenWaitDays'],
          message: 'only the last step may wait 0 days',
        });
      }
    }),
});

/** Reads and checks pack, holidays and sequence. */
export const loadPolicy = (folder: URL = new URL('../../../../policies/', import.meta.url)): Policy => {
  const problems: string[] = [];
  const read = <T>(name: string, schema: z.ZodType<T>): { readonly checked: T; readonly text: unknown } | null => {
    let content: unknown;
    try {
      content = JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
    } catch (error) {
      problems.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      return null;
    }
    const result = schema.safeParse(content);
    if (result.success) return { checked: result.data, text: content };
    problems.push(
      ...result.error.issues.map(({ path, message }) => `${name}: /${path.map(String).join('/')} ${message}`),
    );
    return null;
  };
  const pack = read('br.json', policyPackSchema);
  const holidays = read('holidays-br.json', holidaysSchema);
  const sequence = read('sequence.json', sequenceSchema);
  if (pack === null || holidays === null || sequence === null || problems.length > 0) throw new PolicyError(problems);
  // The schema has checked that the file is an object with these two members.
  const { jurisdiction, rules } = pack.text as { jurisdiction: unknown; rules: unknown };
  const content = { jurisdiction, rules, holidays: holidays.text, sequence: sequence.text };
  return {
    pack: pack.checked,
    holidays: createHolidayCalendar(holidays.checked),
    sequence: sequence.checked,
    text: { content, hash: createHash('sha256').update(JSON.stringify(content)).digest('hex') },
  };
};
