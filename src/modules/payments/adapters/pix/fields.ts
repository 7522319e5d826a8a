import { z } from 'zod';

const AMOUNT = /^(\d{1,10})\.(\d{2})$/;

/** Reais as the document writes them (`150.75`), or as a number, which some banks send; read without rounding. */
export const amount = z.union([z.string(), z.number()]).transform((given, context) => {
  const parts = AMOUNT.exec(typeof given === 'number' ? given.toFixed(2) : given);
  const centavos = parts === null ? Number.NaN : Number(parts[1]) * 100 + Number(parts[2]);
  const isExact = typeof given === 'string' || Math.abs(given * 100 - centavos) < 1e-4;
  if (!Number.isSafeInteger(centavos) || !isExact) {
    context.addIssue({ code: 'custom', message: 'not an amount of money' });
    return z.NEVER;
  }
  return centavos;
});

export const amountText = (centavos: number): string =>
  `${Math.floor(centavos / 100)}.${String(centavos % 100).padStart(2, '0')}`;

export const moment = z
  .string()
  .max(64)
  .transform((given, context) => {
    const at = new Date(given);
    if (!Number.isNaN(at.getTime())) return at;
    context.addIssue({ code: 'custom', message: 'not a moment' });
    return z.NEVER;
  });

/** UTC without milliseconds, which every bank takes. */
export const momentText = (at: Date): string => at.toISOString().replace(/\.\d{3}Z$/, 'Z');

export const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0);
