import { COMPANY_ZONE } from '../../format.ts';

const dayIn = new Intl.DateTimeFormat('en-CA', { timeZone: COMPANY_ZONE });

/** The first day of the present month and today, by the clock of São Paulo. */
export function monthOf(now: Date): { readonly from: string; readonly to: string } {
  const today = dayIn.format(now);
  return { from: `${today.slice(0, 8)}01`, to: today };
}
