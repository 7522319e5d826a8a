/**
 * When people may be contacted, written down a second time from the contract and the statutes. Nothing here is taken
 * from `src` or `policies`, because a mistake there would then pass unseen.
 */
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The time zones of area codes that differ from that of São Paulo, in hours ahead of UTC. */
const ZONES: Readonly<Record<string, readonly number[]>> = {
  65: [-4],
  66: [-4],
  67: [-4],
  68: [-5],
  69: [-4],
  81: [-3, -2],
  92: [-4],
  95: [-4],
  97: [-4, -5],
};
/** Amazonas and Minas Gerais close an hour earlier. */
const CLOSES_AT_18 = ['92', '97', '31', '32', '33', '34', '35', '37', '38'];

const NATIONAL = ['01-01', '04-21', '05-01', '09-07', '10-12', '11-02', '11-15', '11-20', '12-25'];
/** Holidays of the states from which the campaign's debtors are, as `MM-DD`. */
const OF_STATES: Readonly<Record<string, readonly string[]>> = {
  '07-09': ['11', '12', '13', '14', '15', '16', '17', '18', '19'],
  '04-23': ['21', '22', '24'],
  '09-05': ['92', '97'],
  '03-06': ['81', '87'],
  '06-24': ['81', '87'],
  '07-02': ['71', '73', '74', '75', '77'],
  '09-20': ['51', '53', '54', '55'],
};

const areaCodeOf = (phone: string): string => phone.replace(/\D/g, '').slice(2, 4);

export const offsetsOf = (phone: string): readonly number[] => ZONES[areaCodeOf(phone)] ?? [-3];

export const dateAt = (clock: number, utcOffset: number): string =>
  new Date(clock + utcOffset * HOUR).toISOString().slice(0, 10);

/** The date where the debtor is; the first zone of an area code is that of nearly everybody in it. */
export const dateOf = (phone: string, clock: number): string => dateAt(clock, offsetsOf(phone)[0] ?? -3);

function easter(year: number): number {
  const [a, b, c] = [year % 19, Math.floor(year / 100), year % 100];
  const h = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const days = h + l - 7 * m + 114;
  return Date.UTC(year, Math.floor(days / 31) - 1, (days % 31) + 1);
}

function isHoliday(phone: string, date: string): boolean {
  const day = date.slice(5);
  const goodFriday = new Date(easter(Number(date.slice(0, 4))) - 2 * DAY).toISOString().slice(0, 10);
  return NATIONAL.includes(day) || date === goodFriday || (OF_STATES[day] ?? []).includes(areaCodeOf(phone));
}

export const isBusinessDay = (phone: string, date: string): boolean => {
  const day = new Date(`${date}T00:00:00Z`).getUTCDay();
  return day !== 0 && day !== 6 && !isHoliday(phone, date);
};

export const businessDayAfter = (phone: string, date: string): string => {
  let day = date;
  do day = new Date(Date.parse(`${day}T00:00:00Z`) + DAY).toISOString().slice(0, 10);
  while (!isBusinessDay(phone, day));
  return day;
};

/** The date itself, or the last business day before it. */
export const lastBusinessDay = (phone: string, date: string): string => {
  let day = date;
  while (!isBusinessDay(phone, day)) day = new Date(Date.parse(`${day}T00:00:00Z`) - DAY).toISOString().slice(0, 10);
  return day;
};

/** Whether a collection message may arrive at this moment, in every zone in which the debtor may be. */
export const isOpen = (phone: string, clock: number): boolean =>
  offsetsOf(phone).every((utcOffset) => {
    const local = new Date(clock + utcOffset * HOUR);
    const hour = local.getUTCHours();
    const until = CLOSES_AT_18.includes(areaCodeOf(phone)) ? 18 : 19;
    return isBusinessDay(phone, dateAt(clock, utcOffset)) && hour >= 9 && hour < until;
  });
