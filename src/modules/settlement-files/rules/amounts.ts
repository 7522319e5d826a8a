import { MAX_CENTAVOS } from '../../../kernel/money.ts';

/** Returns centavos that a payment may have, or null. */
const payable = (digits: string): number | null => {
  const centavos = Number(digits);
  return centavos >= 1 && centavos <= MAX_CENTAVOS ? centavos : null;
};

/** Reads a field of digits whose last two are centavos. */
export const centavosOfDigits = (digits: string): number | null =>
  digits.length <= 18 && /^\d+$/.test(digits) ? payable(digits) : null;

/** The most characters of an amount. */
const MAX_LENGTH = 24;
const SIGNED = /^([+-]?)([\d.,]+)$/;

/**
 * Reads an amount of OFX: its decimals stand behind the last point or comma. Brazilian banks write both, some with the
 * other sign between the thousands, and some with four decimals. `debit` is an amount below zero, or zero.
 */
export function amountOfOfx(text: string): number | 'debit' | null {
  const [, sign = '', written = ''] = text.length > MAX_LENGTH ? [] : (SIGNED.exec(text.replaceAll(' ', '')) ?? []);
  const at = Math.max(written.lastIndexOf('.'), written.lastIndexOf(','));
  const whole = at === -1 ? written : written.slice(0, at);
  const decimals = at === -1 ? '' : written.slice(at + 1);
  const grouping = written[at] === ',' ? '.' : ',';
  const isGrouped = whole.includes('.') || whole.includes(',');
  const [first = '', ...groups] = isGrouped ? whole.split(grouping) : [whole];
  if (!/^\d{1,15}$/.test(first) || !groups.every((group) => /^\d{3}$/.test(group))) return null;
  if (isGrouped && first.length > 3) return null;
  // A fraction of a centavo is refused, never rounded.
  if (!/^\d{0,2}0*$/.test(decimals)) return null;
  const digits = `${first}${groups.join('')}${decimals.slice(0, 2).padEnd(2, '0')}`;
  if (/^0+$/.test(digits)) return 'debit';
  return sign === '-' ? 'debit' : payable(digits);
}
