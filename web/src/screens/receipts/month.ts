import { COMPANY_ZONE } from '../../format.ts';

const dayIn = new Intl.DateTimeFormat('en-CA', { timeZone: COMPANY_ZONE });

/** The first day of the present month and today, by the clock of São Paulo. */
export function monthOf(now: Date): { readonly from: string; readonly to: string } {
  const today = dayIn.format(now);
  return { from: `${today.slice(0, 8)}01`, to: today };
}

const nameOfMonth = new Intl.DateTimeFormat('pt-BR', { timeZone: 'UTC', month: 'long', year: 'numeric' });
const MONTHS = 24;

/** The present month and those before it: `2026-11` with its name. */
export function monthsUntil(now: Date): readonly { readonly value: string; readonly label: string }[] {
  const [year = 0, month = 0] = dayIn.format(now).split('-').map(Number);
  return Array.from({ length: MONTHS }, (_, ago) => {
    const first = new Date(Date.UTC(year, month - 1 - ago, 1));
    const name = nameOfMonth.format(first);
    return { value: first.toISOString().slice(0, 7), label: name.charAt(0).toUpperCase() + name.slice(1) };
  });
}
