/** Figures and moments of the company are shown in its time zone, and the console says so. */
export const COMPANY_ZONE = 'America/Sao_Paulo';

const money = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' });
const shortMoney = new Intl.NumberFormat('pt-BR', {
  style: 'currency',
  currency: 'BRL',
  notation: 'compact',
  maximumFractionDigits: 1,
});
const fineMoney = new Intl.NumberFormat('pt-BR', {
  style: 'currency',
  currency: 'BRL',
  minimumFractionDigits: 2,
  maximumFractionDigits: 4,
});
const count = new Intl.NumberFormat('pt-BR');
const percent = new Intl.NumberFormat('pt-BR', { style: 'percent', maximumFractionDigits: 1 });
const gigabytes = new Intl.NumberFormat('pt-BR', { style: 'unit', unit: 'gigabyte', maximumFractionDigits: 1 });
const relative = new Intl.RelativeTimeFormat('pt-BR', { numeric: 'auto' });

const inZone = (options: Intl.DateTimeFormatOptions) => {
  const made = new Map<string, Intl.DateTimeFormat>();
  return (at: string | Date, zone: string = COMPANY_ZONE): string => {
    const format = made.get(zone) ?? new Intl.DateTimeFormat('pt-BR', { ...options, timeZone: zone });
    made.set(zone, format);
    return format.format(typeof at === 'string' ? new Date(at) : at);
  };
};

/** `R$ 1.234,56`, with the plain space that people can search for. */
export const formatMoney = (reais: number): string => money.format(reais).replaceAll('\u00a0', ' ');
/** `R$ 0,0374`, for what is less than a centavo. */
export const formatFineMoney = (reais: number): string => fineMoney.format(reais).replaceAll('\u00a0', ' ');
/** `R$ 1,2 mil`, for the axis of a chart. */
export const formatShortMoney = (reais: number): string => shortMoney.format(reais).replaceAll('\u00a0', ' ');
export const formatCount = (value: number): string => count.format(value);
export const formatPercent = (share: number): string => percent.format(share);

/** `20/11/2026`. */
export const formatDate = inZone({ day: '2-digit', month: '2-digit', year: 'numeric' });
/** `20/11/2026 14:02`. */
export const formatMoment = (at: string | Date, zone?: string): string =>
  `${formatDate(at, zone)} ${formatTime(at, zone)}`;
/** `14:02`. */
export const formatTime = inZone({ hour: '2-digit', minute: '2-digit' });
/** `seg., 23/11`. */
export const formatDay = inZone({ weekday: 'short', day: '2-digit', month: '2-digit' });

/**
 * The last day of a term that ends with that day at the debtor's place, wherever that is: in the westernmost zone such a
 * moment is never of the next day.
 */
export const formatLastDay = (end: string): string => formatDate(end, 'America/Rio_Branco');

/** A date without a time, `2026-09-10`, as `10/09/2026`. */
export const formatPlainDate = (date: string): string => date.slice(0, 10).split('-').reverse().join('/');

/** `12,5 GB`. */
export const formatBytes = (bytes: number): string => gigabytes.format(bytes / 1e9);

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** `há 2 dias`, `há 5 horas`, `agora`. */
export function formatAgo(at: string, now: number): string {
  const passed = new Date(at).getTime() - now;
  for (const [unit, ms] of UNITS) {
    if (Math.abs(passed) >= ms) return relative.format(Math.trunc(passed / ms), unit);
  }
  return 'agora';
}

/** Whether the server has masked this value, as it does for an auditor. Such a value is shown as it came. */
export const isHidden = (text: string): boolean => text.includes('***') || text === '[oculto]';

/** `***.982.247-**`: enough to compare, not enough to misuse. */
export const maskCpf = (cpf: string): string => (isHidden(cpf) ? cpf : `***.${cpf.slice(3, 6)}.${cpf.slice(6, 9)}-**`);
export const formatCpf = (cpf: string): string =>
  isHidden(cpf) ? cpf : `${cpf.slice(0, 3)}.${cpf.slice(3, 6)}.${cpf.slice(6, 9)}-${cpf.slice(9)}`;
export const formatCnpj = (cnpj: string): string =>
  isHidden(cnpj)
    ? cnpj
    : `${cnpj.slice(0, 2)}.${cnpj.slice(2, 5)}.${cnpj.slice(5, 8)}/${cnpj.slice(8, 12)}-${cnpj.slice(12)}`;

/** `+5511987650001` as `(11) 98765-0001`. */
export function formatPhone(e164: string): string {
  if (e164.includes('*')) return e164;
  const national = e164.startsWith('+55') ? e164.slice(3) : e164;
  const rest = national.slice(2);
  return `(${national.slice(0, 2)}) ${rest.slice(0, rest.length - 4)}-${rest.slice(-4)}`;
}
