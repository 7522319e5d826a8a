import { describe, expect, it } from '@jest/globals';
import Holidays from 'date-holidays';
import { compareWithLibrary, type NamedDay } from '../../scripts/holidays/compare-with-library.ts';
import { addDays } from '../../src/kernel/calendar.ts';
import { easterSunday, isBusinessDay, isHoliday } from '../../src/kernel/holidays.ts';
import { STATES } from '../../src/kernel/phone.ts';
import { loadPolicy } from '../../src/modules/policy/use-cases/load-policy.ts';

const { holidays } = loadPolicy();
const { rules } = holidays;

const years = Array.from({ length: 13 }, (_, index) => 2024 + index);
const names = (days: readonly NamedDay[]) => [...new Set(days.map(({ place, name }) => `${place} ${name}`))].sort();

describe('the holiday rules and the library date-holidays, from 2024 to 2036', () => {
  const compared = years.map((year) => compareWithLibrary(rules, year));

  it('differ by no holiday of the library that the rules do not know', () => {
    expect(compared.flatMap(({ missing }) => missing)).toEqual([]);
  });

  it('differ by the holidays that the rules refuse by name', () => {
    expect(names(compared.flatMap(({ refused }) => refused))).toEqual([
      'AC Dia do evangélico',
      'PB Homenagem à memória do ex-presidente João Pessoa',
      'PR Emancipação política do estado do Paraná',
      'TO Autonomia do Estado',
    ]);
  });

  it('differ by the holidays that the library lacks', () => {
    expect(names(compared.flatMap(({ onlyHere }) => onlyHere))).toEqual([
      'AC Assinatura do Tratado de Petrópolis',
      'AC Dia Internacional da Mulher',
      'AC Dia da Amazônia',
      'AC Dia do Católico',
      'AC Dia do Evangélico',
      'AC Início da Revolução Acreana',
      'AL Dia Estadual do Evangélico',
      'AP Dia de Cabralzinho',
      'AP Terça-feira de Carnaval',
      'CE São José',
      'DF Corpus Christi',
      'GO Dia do Servidor Público',
      'GO Terça-feira de Carnaval',
      'MA Corpus Christi',
      'MA Dia Internacional da Mulher',
      'PE Data Magna de Pernambuco',
      'RJ Corpus Christi',
      'TO Senhor do Bonfim',
    ]);
  });

  it('agree on Easter from 2000 to 2099', () => {
    const library = new Holidays('BR');
    for (let year = 2000; year < 2100; year += 1) {
      const easter = library.getHolidays(year).find(({ rule }) => rule === 'easter');
      expect(easter?.date.slice(0, 10)).toBe(easterSunday(year));
    }
  });
});

describe('the shipped rules', () => {
  it('have each day of a place once, as a holiday or as none', () => {
    for (const { holidays: laws, notHolidays } of [rules.nation, ...Object.values(rules.states)]) {
      const days = [...laws, ...notHolidays].map(({ on }) => JSON.stringify(on));
      expect(days.filter((day, index) => days.indexOf(day) !== index)).toEqual([]);
    }
  });

  it('leave at least two business days in every week of every state', () => {
    const mondays = Array.from({ length: 676 }, (_, week) => addDays('2024-01-01', 7 * week));
    for (const state of STATES) {
      const closed = mondays.filter(
        (monday) => [0, 1, 2, 3, 4].filter((day) => isBusinessDay(holidays, addDays(monday, day), [state])).length < 2,
      );
      expect(closed).toEqual([]);
    }
  });

  it('have no end', () => {
    for (const state of STATES) expect(isHoliday(holidays, '2037-11-20', [state])).toBe(true);
    expect(isHoliday(holidays, '2999-07-09', ['SP'])).toBe(true);
  });
});
