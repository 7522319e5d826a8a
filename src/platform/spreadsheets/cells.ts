import { HOUR, localDate } from '../../kernel/calendar.ts';
import { formatCnpj } from '../../kernel/cnpj.ts';
import { formatCpf } from '../../kernel/cpf.ts';
import { areaCodeOf, displayOffset } from '../../kernel/phone.ts';
import { isCnpj } from '../../kernel/tax-id.ts';
import type { WallTime } from './table.ts';

/** The tax id of an erased debtor is empty. */
export const taxIdCell = (taxId: string | null): string | null => {
  if (taxId === null || taxId === '') return null;
  return isCnpj(taxId) ? formatCnpj(taxId) : formatCpf(taxId);
};

/** Writes `(11) 98765-0001`, which no program takes for a formula or a number. */
export const phoneCell = (e164: string): string | null => {
  const subscriber = e164.slice(5);
  return subscriber === '' ? null : `(${areaCodeOf(e164)}) ${subscriber.slice(0, -4)}-${subscriber.slice(-4)}`;
};

export const wallTime = (at: Date, utcOffset: number): WallTime => ({
  date: localDate(at.getTime(), utcOffset),
  time: new Date(at.getTime() + utcOffset * HOUR).toISOString().slice(11, 19),
});

/** The offset at the debtor's place. */
export const offsetOfPhone = (e164: string): number => displayOffset(areaCodeOf(e164));
