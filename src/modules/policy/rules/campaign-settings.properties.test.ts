import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { contactQuestion } from '../../../../testing/contact-question.ts';
import { DAY, HOUR } from '../../../kernel/calendar.ts';
import { AREA_CODES, placeOf } from '../../../kernel/phone.ts';
import { loadPolicy } from '../use-cases/load-policy.ts';
import {
  type ContactHours,
  DEBTOR_PREFERENCE,
  EACH_AREA_CODE,
  stricterPack,
  withoutWindow,
} from './campaign-settings.ts';
import { decideContact } from './contact-policy.ts';
import type { ContactQuestion } from './contact-question.ts';
import { type BindingPack, bindingPack } from './policy-pack.ts';

const { pack: shipped, holidays } = loadPolicy();
const pack = bindingPack(shipped, 'itself');
const withCampaignHours = (base: BindingPack, hours: ContactHours) => stricterPack(base, null, hours);
const START = Date.parse('2026-01-01T00:00:00Z');

const time = (halfHours: number): string =>
  `${String(Math.floor(halfHours / 2)).padStart(2, '0')}:${halfHours % 2 === 0 ? '00' : '30'}`;
const anyHours = fc
  .tuple(fc.nat(45), fc.integer({ min: 2, max: 47 }))
  .filter(([from, length]) => from + length <= 47)
  .map(([from, length]) => ({ from: time(from), to: time(from + length) }));

const LONG_DUE = { ...contactQuestion({ pack, holidays }).debt, dueDate: '2025-12-01' };
const questionAt = (now: number, phoneAreaCode: string): ContactQuestion =>
  contactQuestion({ pack, holidays, now, phoneAreaCode, debt: LONG_DUE });

const inside = (moment: number, areaCode: string, { from, to }: { from: string; to: string }): boolean =>
  placeOf(areaCode).utcOffsets.every((offset) => {
    const local = new Date(moment + offset * HOUR).toISOString().slice(11, 16);
    return from <= local && local < to;
  });

it('allows with hours exactly what is allowed without them, inside the hours', () => {
  const moment = fc.nat(365 * 48).map((halfHours) => START + (halfHours * HOUR) / 2);
  fc.assert(
    fc.property(anyHours, moment, fc.constantFrom(...AREA_CODES), (hours, now, areaCode) => {
      const question = questionAt(now, areaCode);
      const plain = decideContact({ ...question, pack });
      const narrowed = decideContact({ ...question, pack: withCampaignHours(pack, hours) });
      expect(narrowed.allowed).toBe(plain.allowed && inside(now, areaCode, hours));
      if (narrowed.allowed || narrowed.notBefore === null) return;
      expect(decideContact({ ...question, now: narrowed.notBefore, pack }).allowed).toBe(true);
      expect(inside(narrowed.notBefore, areaCode, hours)).toBe(true);
    }),
    { numRuns: 400 },
  );
});

it('takes hours exactly when every area code keeps a moment', () => {
  fc.assert(
    fc.property(anyHours, (hours) => {
      const narrowed = withCampaignHours(pack, hours);
      const monday = Date.parse('2026-06-08T00:00:00Z');
      const keeps = AREA_CODES.every((areaCode) =>
        Array.from({ length: 48 }, (_, half) => monday + (half * HOUR) / 2).some(
          (now) => decideContact({ ...questionAt(now, areaCode), pack: narrowed }).allowed,
        ),
      );
      expect(withoutWindow(narrowed, holidays, monday, EACH_AREA_CODE).length === 0).toBe(keeps);
    }),
    { numRuns: 40 },
  );
});

it('names the hours that close in the verdict', () => {
  const tuesdayAtTwo = Date.parse('2026-06-09T17:00:00Z');
  const hours = { from: '09:00', to: '12:00' };
  const decision = decideContact({ ...questionAt(tuesdayAtTwo, '11'), pack: withCampaignHours(pack, hours) });
  expect(decision).toMatchObject({ allowed: false, rules: ['window'], ruleIds: ['campaign.hours.09:00-12:00'] });
  const { notBefore } = decision as { notBefore: number };
  expect(notBefore).toBe(tuesdayAtTwo - 5 * HOUR + DAY);
});

it('allows with the own rules of a client only what is allowed without them', () => {
  const moment = fc.nat(365 * 48).map((halfHours) => START + (halfHours * HOUR) / 2);
  const own = fc.record({
    hours: fc.option(anyHours),
    weekdays: fc.option(fc.uniqueArray(fc.nat(6), { minLength: 1 })),
    caps: fc.array(fc.record({ count: fc.integer({ min: 1, max: 3 }), hours: fc.integer({ min: 1, max: 168 }) }), {
      maxLength: 2,
    }),
    daysAfterDue: fc.option(fc.nat(200)),
  });
  const contacts = fc.array(fc.nat(10 * 24), { maxLength: 4 });
  fc.assert(
    fc.property(own, moment, contacts, fc.constantFrom(...AREA_CODES), (rules, now, hoursAgo, areaCode) => {
      const entries = hoursAgo.map((ago) => ({ at: now - ago * HOUR, own: true }));
      const question = { ...questionAt(now, areaCode), ledger: { person: entries, phone: entries } };
      const stricter = decideContact({ ...question, pack: stricterPack(pack, { version: 1, rules }, null) });
      const plain = decideContact({ ...question, pack });
      if (stricter.allowed) expect(plain.allowed).toBe(true);
      else if (stricter.notBefore !== null) {
        expect(decideContact({ ...question, now: stricter.notBefore, pack }).allowed).toBe(true);
      }
    }),
    { numRuns: 400 },
  );
});

it('gives one pack for the same settings, so that what follows from it is remembered', () => {
  const rules = { hours: null, weekdays: [1], caps: [], daysAfterDue: null };
  const one = stricterPack(pack, { version: 2, rules }, { from: '09:00', to: '12:00' });
  const same = stricterPack(pack, { version: 2, rules: { ...rules } }, { from: '09:00', to: '12:00' });
  expect(same).toBe(one);
  expect(one.ownVersion).toBe(2);
  expect(stricterPack(pack, null, null)).toBe(pack);
});

it('allows with what a person prefers only what is allowed without it, by the wanted channel and in the wanted hours', () => {
  const moment = fc.nat(365 * 48).map((halfHours) => START + (halfHours * HOUR) / 2);
  const wish = fc.record({
    hours: fc.option(anyHours),
    weekdays: fc.option(fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1 })),
    channel: fc.option(fc.constantFrom('whatsapp', 'sms', 'email')),
  });
  fc.assert(
    fc.property(
      wish,
      moment,
      fc.constantFrom(...AREA_CODES),
      fc.constantFrom('whatsapp', 'sms', 'email'),
      (preference, now, areaCode, channel) => {
        const question = { ...questionAt(now, areaCode), channel };
        const plain = decideContact({ ...question, pack });
        const wanted = decideContact({ ...question, pack: stricterPack(pack, null, null, preference) });
        const { hours, weekdays } = preference;
        const isWanted =
          (preference.channel === null || preference.channel === channel) &&
          (hours === null || inside(now, areaCode, hours)) &&
          (weekdays === null ||
            placeOf(areaCode).utcOffsets.every((offset) =>
              weekdays.includes(new Date(now + offset * HOUR).getUTCDay()),
            ));
        expect(wanted.allowed).toBe(plain.allowed && isWanted);
        expect(wanted.ruleIds.includes(DEBTOR_PREFERENCE)).toBe(wanted.allowed || !isWanted);
      },
    ),
    { numRuns: 600 },
  );
});
