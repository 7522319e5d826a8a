/** How a Brazilian reads money, dates and company numbers. */

export function formatBrl(centavos: number): string {
  if (!Number.isSafeInteger(centavos)) throw new RangeError('an amount is a whole number of centavos');
  const digits = String(Math.abs(centavos)).padStart(3, '0');
  const reais = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, '.');
  return `${centavos < 0 ? '-' : ''}R$ ${reais},${digits.slice(-2)}`;
}

/** `2026-11-20` as `20/11/2026`: a calendar date, so no time zone moves it. */
export function formatCalendarDate(isoDate: string): string {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(isoDate);
  if (!match) throw new RangeError('a calendar date is YYYY-MM-DD');
  return `${match[3]}/${match[2]}/${match[1]}`;
}

export interface LocalMoment {
  /** `20/11/2026` */
  readonly date: string;
  /** `14:31:05` */
  readonly time: string;
  /** `UTC-03:00` */
  readonly offset: string;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(timeZone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('pt-BR', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
      timeZoneName: 'longOffset',
    });
    formatters.set(timeZone, formatter);
  }
  return formatter;
}

/** An instant on the wall clock of an IANA time zone such as `America/Manaus`. */
export function localMoment(instant: Date, timeZone: string): LocalMoment {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {};
  for (const { type, value } of formatterOf(timeZone).formatToParts(instant)) parts[type] = value;
  const offset = parts.timeZoneName?.replace('GMT', '') || '+00:00';
  return {
    date: `${parts.day}/${parts.month}/${parts.year}`,
    time: `${parts.hour}:${parts.minute}:${parts.second}`,
    offset: `UTC${offset}`,
  };
}

/** `11222333000181` as `11.222.333/0001-81`; letters, which new numbers may hold, are kept. */
export function formatCnpj(cnpj: string): string {
  const bare = cnpj.replace(/[^0-9A-Za-z]/g, '').toUpperCase();
  const match = /^(.{2})(.{3})(.{3})(.{4})(.{2})$/.exec(bare);
  return match ? `${match[1]}.${match[2]}.${match[3]}/${match[4]}-${match[5]}` : cnpj;
}
