import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { addDays, localDate } from '../../src/domain/calendar.ts';
import { AREA_CODES } from '../../src/domain/phone.ts';
import { cpfOf } from '../campaigns/debts.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export interface RandomDebt {
  readonly id: string;
  readonly cpf: string;
  readonly phone: string;
  readonly dueDate: string;
  readonly amountCentavos: number;
}

/** Many place names of one kind: several states, hours of their own, and area codes of several states or time zones. */
const areaCode = fc.oneof(
  fc.constantFrom('11', '31', '92', '97', '81', '61', '68', '21', '42'),
  fc.constantFrom(...AREA_CODES),
);

const dueDaysAgo = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 1_500 }) },
  { weight: 2, arbitrary: fc.integer({ min: -40, max: 0 }) },
  // Prescribed, about to be, or within the days of the rehearsal.
  { weight: 2, arbitrary: fc.integer({ min: 1_780, max: 1_840 }) },
);

/** Debts that share few CPFs and phones. Nobody answers: the last digits of no phone name a simulated debtor. */
export const campaignDebts = (count: number) =>
  fc.array(
    fc.record({
      person: fc.nat({ max: Math.ceil(count / 2) }),
      line: fc.nat({ max: count }),
      areaCode,
      dueDaysAgo,
      amountCentavos: fc.integer({ min: 100, max: 2_000_000 }),
    }),
    { minLength: count, maxLength: count },
  );

type Sample = ReturnType<typeof campaignDebts> extends fc.Arbitrary<infer Value> ? Value : never;

let campaigns = 0;

/** Each campaign has people and phones of its own, because caps count over all clients. */
export const debtsOf = (sample: Sample, now: number): RandomDebt[] => {
  campaigns += 1;
  const campaign = campaigns;
  const areaCodes = new Map<number, string>();
  return sample.map(({ person, line, areaCode: code, dueDaysAgo: daysAgo, amountCentavos }) => {
    // One line has one area code, so that some people share a phone.
    if (!areaCodes.has(line)) areaCodes.set(line, code);
    return {
      id: randomUUID(),
      cpf: cpfOf(400_000_000 + 1_000 * campaign + person),
      phone: `+55${areaCodes.get(line)}9${String(80_000_000 + 10_000 * (100 * campaign + line))}`,
      dueDate: addDays(localDate(now, -3), -daysAgo),
      amountCentavos,
    };
  });
};

/** Launches at any hour: on workdays inside and outside the windows, at weekends, and before Christmas and Carnival. */
export const launchMoment = fc.tuple(fc.integer({ min: 1, max: 90 }), fc.nat({ max: DAY - 1 })).map(([days, time]) => {
  const today = Math.ceil(Date.now() / DAY) * DAY;
  return today + days * DAY + time;
});
