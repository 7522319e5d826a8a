import { z } from 'zod';

const seconds = z
  .union([
    z.int(),
    z
      .string()
      .regex(/^\d{1,10}$/)
      .transform(Number),
  ])
  .pipe(z.int().min(1).max(9_999_999_999));

/** Reads the seconds in which Meta tells a time. */
export function momentOf(value: unknown): Date | null {
  const { data } = seconds.safeParse(value);
  return data === undefined ? null : new Date(data * 1_000);
}
