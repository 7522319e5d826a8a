import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { addDays, localDate } from '../../src/kernel/calendar.ts';
import { AREA_CODES } from '../../src/kernel/phone.ts';
import type { DebtorPreference } from '../../src/modules/policy/rules/campaign-settings.ts';
import { cpfOf } from '../../testing/debts.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export interface RandomDebt {
  readonly id: string;
  readonly cpf: string;
  /** The first is the one in use. */
  readonly phones: readonly string[];
  /** What the client has heard of the person or the phone before. */
  readonly heard: 'opt_out' | 'wrong_person' | null;
  /** When and how the person wants to be written to. */
  readonly preference: DebtorPreference | null;
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

/** Some leave no moment, or want a channel that the client does not have. */
const preference = fc.option(
  fc.record({
    hours: fc.constantFrom(null, { from: '09:00', to: '11:00' }, { from: '16:30', to: '18:00' }),
    weekdays: fc.option(fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1 })),
    channel: fc.constantFrom(null, null, 'whatsapp' as const, 'email' as const, 'sms' as const),
  }),
  { freq: 2 },
);

/** Debts that share few CPFs and phones. Nobody answers: the last digits of no phone name a simulated debtor. */
export const campaignDebts = (count: number) =>
  fc.array(
    fc.record({
      person: fc.nat({ max: Math.ceil(count / 2) }),
      line: fc.nat({ max: count }),
      areaCode,
      otherLine: fc.option(fc.nat({ max: count }), { freq: 3 }),
      preference,
      heard: fc.option(fc.constantFrom('opt_out' as const, 'wrong_person' as const), { freq: 9 }),
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
  const phoneOf = (line: number, code: string): string => {
    // One line has one area code, so that some people share a phone.
    if (!areaCodes.has(line)) areaCodes.set(line, code);
    return `+55${areaCodes.get(line)}9${String(80_000_000 + 10_000 * (100 * campaign + line))}`;
  };
  const wishes = new Map(sample.map((debt) => [debt.person, debt.preference]));
  return sample.map(({ person, line, otherLine, areaCode: code, dueDaysAgo: daysAgo, heard, amountCentavos }) => {
    const phones = [phoneOf(line, code), ...(otherLine === null ? [] : [phoneOf(otherLine, code)])];
    return {
      id: randomUUID(),
      cpf: cpfOf(400_000_000 + 1_000 * campaign + person),
      phones: [...new Set(phones)],
      heard,
      preference: wishes.get(person) ?? null,
      dueDate: addDays(localDate(now, -3), -daysAgo),
      amountCentavos,
    };
  });
};

/** Launches at any hour: on workdays inside and outside the windows, at weekends, and before Christmas and Carnival. */
export const launchMoment = fc
  .tuple(fc.integer({ min: 14, max: 100 }), fc.nat({ max: DAY - 1 }))
  .map(([days, time]) => {
    const today = Math.ceil(Date.now() / DAY) * DAY;
    return today + days * DAY + time;
  });
