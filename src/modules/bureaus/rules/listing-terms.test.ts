import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { addDays, localDate } from '../../../kernel/calendar.ts';
import { createHolidayCalendar, isBusinessDay } from '../../../kernel/holidays.ts';
import type { State } from '../../../kernel/phone.ts';
import { loadBureauTerms } from '../use-cases/load-bureau-terms.ts';
import { listingProblem, nextReminder, removalTerm } from './listing-terms.ts';

const terms = loadBureauTerms();
const holidays = createHolidayCalendar(
  JSON.parse(readFileSync(new URL('../../../../policies/holidays-br.json', import.meta.url), 'utf8')),
);
const place = (...states: State[]) => ({ holidays, states, utcOffset: -3 });
const dueDate = '2026-01-10';
const problem = (states: State[], notifiedOn: string, listedOn: string) =>
  listingProblem(terms, states, { dueDate, notifiedOn, listedOn });

describe('when a debt may be listed', () => {
  it('wants the notice ten days before, and longer where the state says so', () => {
    expect(problem(['MG'], '2026-03-01', '2026-03-10')).toBe('notice_missing');
    expect(problem(['MG'], '2026-03-01', '2026-03-11')).toBeNull();
    expect(problem(['SP'], '2026-03-01', '2026-03-20')).toBe('notice_missing');
    expect(problem(['SP'], '2026-03-01', '2026-03-21')).toBeNull();
    expect(problem(['MG', 'SP'], '2026-03-01', '2026-03-20')).toBe('notice_missing');
  });

  it('wants thirty days of delay in Paraná, a notice after the due date, and no debt of five years', () => {
    expect(problem(['PR'], '2026-01-12', '2026-02-08')).toBe('too_early');
    expect(problem(['PR'], '2026-01-12', '2026-02-09')).toBeNull();
    expect(problem(['MG'], '2026-01-10', '2026-02-09')).toBe('notice_missing');
    expect(problem(['MG'], '2030-12-01', '2031-01-09')).toBeNull();
    expect(problem(['MG'], '2030-12-01', '2031-01-10')).toBe('too_old');
  });
});

describe('until when a listing has to be removed', () => {
  it('ends with the fifth business day after the money', () => {
    expect(new Date(removalTerm(terms, place('MG'), '2026-04-16')).toISOString()).toBe('2026-04-25T02:59:59.999Z');
    // 21 April is a holiday, and Saturday begins no term.
    expect(localDate(removalTerm(terms, place('MG'), '2026-04-18'), -3)).toBe('2026-04-27');
  });

  it('reminds at 9 on business days, before the term ends, on its last day and after it, and ends', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_500 }), (shift) => {
        const from = addDays('2026-01-01', shift);
        const removeBy = removalTerm(terms, place('SP'), from);
        let after = removeBy - 7 * 86_400_000;
        const moments: number[] = [];
        for (let at = nextReminder(place('SP'), { removeBy, after }); at !== null; ) {
          expect(at).toBeGreaterThan(after);
          expect(isBusinessDay(holidays, localDate(at, -3), ['SP'])).toBe(true);
          moments.push(at);
          after = at;
          at = nextReminder(place('SP'), { removeBy, after });
        }
        expect(moments.filter((at) => at <= removeBy)).toHaveLength(2);
        expect(moments.length).toBeLessThan(20);
      }),
      { numRuns: 40 },
    );
  });
});
