import { z } from 'zod';

/** Schemas that most routes share. */
export const idParams = z.object({ id: z.uuid() });

export const booleanQuery = z.enum(['true', 'false']).transform((text) => text === 'true');

/** Digits only: what `Number` would also take (`0x10`, `1e3`, an empty text) is refused. */
export const integerQuery = (min: number, max: number) =>
  z.preprocess(
    (text) => (typeof text === 'string' && /^-?\d{1,15}$/.test(text) ? Number(text) : text),
    z.int().min(min).max(max),
  );

export const pageQuery = z.object({
  limit: integerQuery(1, 100).default(50),
  cursor: z.string().max(500).optional(),
});

export const page = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable() });
