/**
 * `node scripts/seed-holidays.ts` writes policies/holidays-br.json. The library only gives a first version and is no
 * authority: the table is maintained in this project, dated and reviewed in a diff, and a running service never uses
 * the library.
 */
import { writeFileSync } from 'node:fs';
import Holidays from 'date-holidays';
import { addDays, type HolidayFile, type LocalDate } from '../src/domain/calendar.ts';
import { STATES } from '../src/domain/phone.ts';

const FIRST_YEAR = 2024;
const LAST_YEAR = 2036;
type Days = Record<LocalDate, string>;

/** State holidays by law that the library lacks or dates differently. A superfluous holiday only delays a message. */
const fixedDays: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  AC: { '01-23': 'Dia do Evangélico' },
  AL: { '11-30': 'Dia do Evangélico' },
  CE: { '03-19': 'São José' },
  PE: { '03-06': 'Data Magna de Pernambuco' },
};

const years = Array.from({ length: LAST_YEAR - FIRST_YEAR + 1 }, (_, index) => FIRST_YEAR + index);

// Only `public` days count: Carnival and Corpus Christi (`bank`) are no national holidays. The library also marks
// election Sundays as public; they are filtered out.
const publicDays = (calendar: Holidays): Days =>
  Object.fromEntries(
    years
      .flatMap((year) => calendar.getHolidays(year, 'pt'))
      .filter(({ type, rule }) => type === 'public' && !/in even years/.test(rule))
      .map(({ date, name }) => [date.slice(0, 10), name]),
  );

const sorted = (days: Days): Days =>
  Object.fromEntries(Object.entries(days).sort(([left], [right]) => (left < right ? -1 : 1)));

const national = publicDays(new Holidays('BR'));

const stateDays = (state: string): Days => {
  const days = publicDays(new Holidays('BR', state));
  for (const year of years) {
    for (const [day, name] of Object.entries(fixedDays[state] ?? {})) days[`${year}-${day}`] = name;
  }
  // By Lei estadual 5.243/2008, Shrove Tuesday (45 days before Good Friday) is a state holiday in Rio de Janeiro.
  if (state === 'RJ') {
    for (const [date, name] of Object.entries(national)) {
      if (name === 'Sexta-Feira Santa') days[addDays(date, -45)] = 'Terça-feira de Carnaval';
    }
  }
  return sorted(Object.fromEntries(Object.entries(days).filter(([date]) => national[date] === undefined)));
};

const table: HolidayFile = {
  id: 'br',
  source:
    'date-holidays 3.37.0 (ISC, CC-BY-3.0), without election Sundays, with corrections in scripts/seed-holidays.ts',
  from: `${FIRST_YEAR}-01-01`,
  to: `${LAST_YEAR}-12-31`,
  national: sorted(national),
  states: Object.fromEntries(STATES.map((state) => [state, stateDays(state)])),
};

writeFileSync(new URL('../policies/holidays-br.json', import.meta.url), `${JSON.stringify(table, null, 2)}\n`);
