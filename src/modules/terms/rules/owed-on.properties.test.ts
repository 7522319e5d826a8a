import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { question, withoutPayments } from '../../../../testing/owed-questions.ts';
import { addDays } from '../../../kernel/calendar.ts';
import type { Credit } from './credits.ts';
import { owedOn } from './owed-on.ts';

it('loses less than a centavo of the fine and of the monthly interest', () => {
  fc.assert(
    fc.property(withoutPayments, (one) => {
      const { fine, interest, days } = owedOn(one);
      const { finePercent, interest: agreed, graceDays } = one.terms!;
      if (days <= graceDays) return expect(fine + interest).toBe(0);
      expect(fine).toBeGreaterThan((one.principalCentavos * finePercent) / 100 - 1.000_001);
      if (agreed.percent === null) return;
      expect(interest).toBeGreaterThan((one.principalCentavos * agreed.percent * days) / 3_000 - 1.000_001);
    }),
  );
});

it('never charges more for the parts of a period than for the whole', () => {
  fc.assert(
    fc.property(
      withoutPayments,
      fc.integer({ min: 0, max: 300 }),
      fc.integer({ min: 0, max: 300 }),
      (one, first, second) => {
        // The correction of a debt begins with its own month. What divides it is a payment: see above.
        const debt = {
          ...one,
          terms: { ...one.terms!, graceDays: 0, businessDayShift: false, correction: 'none' as const },
        };
        const between = (from: number, until: number) =>
          owedOn({ ...debt, dueDate: addDays(one.dueDate, from), on: addDays(one.dueDate, until) }).interest;
        const whole = owedOn({ ...debt, on: addDays(one.dueDate, first + second) });
        if (whole.missing.length > 0) return;
        expect(between(0, first) + between(first, first + second)).toBeLessThanOrEqual(whole.interest);
      },
    ),
    { numRuns: 300 },
  );
});

it('charges as much for a period however many payments of nothing but interest divide it', () => {
  fc.assert(
    fc.property(withoutPayments, fc.array(fc.integer({ min: 1, max: 600 }), { maxLength: 5 }), (one, days) => {
      // Legal interest is counted on the corrected principal, which a later index changes.
      const correction = one.terms!.interest.kind === 'legal' ? 'none' : one.terms!.correction;
      const debt = { ...one, on: addDays(one.dueDate, 700), terms: { ...one.terms!, correction } };
      const whole = owedOn(debt);
      if (whole.missing.length > 0) return;
      const credits: Credit[] = [];
      for (const after of days.toSorted((a, b) => a - b)) {
        const on = addDays(one.dueDate, after);
        const { interest } = owedOn({ ...debt, credits, on });
        if (interest > 0) credits.push({ on, amountCentavos: interest });
      }
      const divided = owedOn({ ...debt, credits });
      expect(divided.total + divided.paid).toBe(whole.total);
    }),
    { numRuns: 200 },
  );
});

it('conserves every centavo of the payments, in whatever order they become known', () => {
  fc.assert(
    fc.property(question, fc.infiniteStream(fc.nat()), (one, order) => {
      const owed = owedOn(one);
      const counted = one.credits.filter(({ on }) => on <= one.on);
      const sum = counted.reduce((all, { amountCentavos }) => all + amountCentavos, 0);
      const credited = owed.parts.map(({ credited: part, excess }) => {
        expect(Math.min(part.interest, part.fine, part.correction, part.principal, excess)).toBeGreaterThanOrEqual(0);
        return part.interest + part.fine + part.correction + part.principal + excess;
      });
      expect(credited).toEqual(
        counted
          .toSorted((left, right) => (left.on < right.on ? -1 : left.on > right.on ? 1 : 0))
          .map(({ amountCentavos }) => amountCentavos),
      );
      expect(owed.paid).toBe(sum);
      const principal = owed.parts.reduce(
        (all, { credited: part, waived }) => all + part.principal + waived.principal,
        0,
      );
      expect(owed.principal + principal).toBe(one.principalCentavos);
      expect(Math.min(owed.interest, owed.fine, owed.correction, owed.principal)).toBeGreaterThanOrEqual(0);
      expect(owed.total).toBe(owed.principal + owed.fine + owed.interest + owed.correction);

      const days = new Set(counted.map(({ on }) => on));
      if (days.size < counted.length) return;
      const shuffled = one.credits
        .map((credit) => ({ credit, place: order.next().value! }))
        .toSorted((left, right) => left.place - right.place);
      expect(owedOn({ ...one, credits: shuffled.map(({ credit }) => credit) })).toEqual(owed);
    }),
    { numRuns: 1_000 },
  );
});

it('takes two payments of one day as one', () => {
  fc.assert(
    fc.property(question, fc.nat(), (one, cut) => {
      const credits = one.credits.map((credit) => ({ ...credit, waivesRest: false }));
      const [first, ...rest] = credits;
      if (first === undefined) return;
      const part = cut % first.amountCentavos;
      const halves = [
        { ...first, amountCentavos: part },
        { ...first, amountCentavos: first.amountCentavos - part },
      ];
      const { parts: _, ...divided } = owedOn({ ...one, credits: [...halves, ...rest] });
      const { parts: __, ...whole } = owedOn({ ...one, credits });
      expect(divided).toEqual(whole);
    }),
    { numRuns: 300 },
  );
});

it('is the same without a payment that came and was taken back', () => {
  fc.assert(
    fc.property(question, (one) => {
      const credits = one.credits.filter((_, at) => at > 0);
      const again = one.credits.map((credit, at) =>
        at === 0 ? { ...credit, amountCentavos: 0, waivesRest: false } : credit,
      );
      const { parts: _, ...without } = owedOn({ ...one, credits });
      const { parts: __, ...taken } = owedOn({ ...one, credits: again });
      expect(taken).toEqual(without);
    }),
    { numRuns: 300 },
  );
});

it('never owes less on a later day, where no index can fall or be missing', () => {
  fc.assert(
    fc.property(question, fc.nat({ max: 400 }), (one, more) => {
      const debt = { ...one, terms: { ...one.terms!, correction: 'none' as const } };
      if (debt.terms.interest.kind === 'legal') return;
      const last = [debt.on, ...debt.credits.map(({ on }) => on)].toSorted().at(-1)!;
      expect(owedOn({ ...debt, on: addDays(last, more) }).total).toBeGreaterThanOrEqual(
        owedOn({ ...debt, on: last }).total,
      );
    }),
  );
});
