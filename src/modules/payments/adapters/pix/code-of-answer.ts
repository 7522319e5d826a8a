import { crc16 } from '../../../../kernel/brcode.ts';

const MAX_LENGTH = 512;

/** Returns the code that is paid, where the bank sent one that a bank's app would read: a torn one reaches no debtor. */
export function brCodeIn(answer: Readonly<Record<string, unknown>>, fields: readonly string[]): string | null {
  for (const field of fields) {
    const given = answer[field];
    if (typeof given === 'string' && isReadable(given)) return given;
  }
  return null;
}

const isReadable = (code: string): boolean =>
  code.length <= MAX_LENGTH &&
  /^000201[\x20-\x7e]+$/.test(code) &&
  code.slice(-8, -4) === '6304' &&
  crc16(code.slice(0, -4)) === code.slice(-4).toUpperCase();
