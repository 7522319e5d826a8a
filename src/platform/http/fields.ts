import { z } from 'zod';
import { parseLocalDate } from '../../kernel/calendar.ts';
import type { FieldProblem } from '../../kernel/errors.ts';
import { parseReais } from '../../kernel/money.ts';

export const idParams = z.object({ id: z.uuid() });

export const booleanQuery = z.enum(['true', 'false']).transform((text) => text === 'true');

/** Accepts digits only: other texts that `Number` accepts (`0x10`, `1e3`, an empty text) are refused. */
export const integerQuery = (min: number, max: number) =>
  z.preprocess(
    (text) => (typeof text === 'string' && /^-?\d{1,15}$/.test(text) ? Number(text) : text),
    z.int().min(min).max(max),
  );

/**
 * A calendar date of a year that PostgreSQL and every spreadsheet know. Whether it makes sense is for the use case to say.
 * A text that is no date is compared with nothing.
 */
export const dateField = z
  .string()
  .refine((text) => /^[12]/.test(text) && parseLocalDate(text) !== null, {
    abort: true,
    params: { code: 'date_invalid' },
    message: 'A date such as 2026-11-20',
  })
  .meta({ format: 'date' });

/**
 * The condition of a check that compares these members of an object. It also runs where others are wrong, because all
 * problems are answered at once, but not where one of these cannot be read: its own problem is enough.
 */
export const canRead = (...members: readonly string[]) => ({
  when: ({ issues }: z.core.ParsePayload): boolean =>
    issues.every(
      ({ path = [], continue: isReadable = false }) =>
        isReadable || (path.length > 0 && !members.includes(String(path[0]))),
    ),
});

export const pageQuery = z.object({
  limit: integerQuery(1, 100).default(50),
  cursor: z.string().max(500).optional(),
});

/** The amount of one debt or payment in an answer, in reais. Its limits are those of the database, and only documented. */
export const reais = z.number().meta({ minimum: 0.01, maximum: 99_999_999.99 });

/** An amount of an input, which becomes centavos. */
export const amount = z
  .number()
  .transform((reais, context) => {
    const centavos = parseReais(reais);
    if (centavos !== null) return centavos;
    const message = 'A positive amount in reais with at most two decimals, up to 99999999.99';
    context.addIssue({ code: 'custom', params: { code: 'amount_invalid' }, message });
    return z.NEVER;
  })
  .meta({ exclusiveMinimum: 0, maximum: 99_999_999.99, description: 'Reais' });

export const page = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable() });

/**
 * Turns a problem that a rule has found into one of the schema, so that it is answered together with all others of the
 * body.
 */
export const issueOf = ({ pointer = '', code, message }: FieldProblem) => ({
  code: 'custom' as const,
  path: pointer.split('/').slice(1),
  params: { code },
  message,
});
