import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { contactQuestion } from '../../../../testing/contact-question.ts';
import { DAY, HOUR } from '../../../kernel/calendar.ts';
import { COLLECTS_FOR } from '../../../kernel/collects-for.ts';
import { AREA_CODES, placeOf } from '../../../kernel/phone.ts';
import { loadPolicy } from '../use-cases/load-policy.ts';
import { decideContact } from './contact-policy.ts';
import type { ContactQuestion } from './contact-question.ts';
import { type BindingPack, bindingPack, LEGAL_STATUSES, type PolicyPack } from './policy-pack.ts';

const { pack, holidays } = loadPolicy();
const START = Date.parse('2026-01-01T00:00:00Z');
const TUESDAY = Date.parse('2026-11-24T10:00:00-04:00');

const LONG_DUE = { ...contactQuestion({ pack: bindingPack(pack, 'itself'), holidays }).debt, dueDate: '2025-12-01' };
const question = (asked: Partial<ContactQuestion> & { readonly pack: BindingPack }): ContactQuestion =>
  contactQuestion({ holidays, now: TUESDAY, phoneAreaCode: '65', debt: LONG_DUE, ...asked });

/** The product's own caps, which are stricter than the law, are taken away, so that the law is seen. */
const withoutOwnCaps: PolicyPack = {
  ...pack,
  rules: pack.rules.filter(({ rule, status }) => rule !== 'caps' || status !== 'product'),
};

describe('the rules that bind a client', () => {
  it('are those for all, and for a collector those for collectors too, but never a bill', () => {
    const drawn = fc.array(fc.tuple(fc.constantFrom(...LEGAL_STATUSES), fc.constantFrom('all', 'collectors')));
    fc.assert(
      fc.property(drawn, fc.constantFrom(...COLLECTS_FOR), (kinds, collectsFor) => {
        const rules = kinds.map(([status, binds], index) => ({ ...pack.rules[0]!, id: String(index), status, binds }));
        const bound = bindingPack({ ...pack, rules }, collectsFor);
        const expected = rules.filter(
          ({ status, binds }) => status !== 'bill' && (binds === 'all' || collectsFor === 'others'),
        );
        expect(bound.rules).toEqual(expected);
        expect(bound.collectsFor).toBe(collectsFor);
      }),
    );
  });

  it('are one pack for the same client, so that what follows from it is remembered', () => {
    expect(bindingPack(pack, 'others')).toBe(bindingPack(pack, 'others'));
    expect(bindingPack(pack, 'others')).not.toBe(bindingPack(pack, 'itself'));
  });

  it('are stricter for a collector at any moment and place, and the same outside Mato Grosso', () => {
    const moment = fc.nat(365 * 48).map((halfHours) => START + (halfHours * HOUR) / 2);
    const contacts = fc.array(fc.nat(3 * 24), { maxLength: 4 });
    fc.assert(
      fc.property(moment, contacts, fc.constantFrom(...AREA_CODES, '65', '66'), (now, hoursAgo, phoneAreaCode) => {
        const entries = hoursAgo.map((hours) => ({ at: now - hours * HOUR, own: true }));
        const asked = { now, phoneAreaCode, ledger: { person: entries, phone: entries } };
        const itself = decideContact(question({ ...asked, pack: bindingPack(withoutOwnCaps, 'itself') }));
        const others = decideContact(question({ ...asked, pack: bindingPack(withoutOwnCaps, 'others') }));
        if (others.allowed) expect(itself.allowed).toBe(true);
        if (!placeOf(phoneAreaCode).states.includes('MT')) expect(others).toEqual(itself);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('Mato Grosso, Lei 11.792/2022', () => {
  const ofTheDay = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ at: TUESDAY - index * 600_000, own: true }));
  const decide = (collectsFor: 'itself' | 'others', count: number, now = TUESDAY) =>
    decideContact(
      question({
        pack: bindingPack(withoutOwnCaps, collectsFor),
        now,
        ledger: { person: ofTheDay(count), phone: ofTheDay(count) },
      }),
    );

  it.each(['whatsapp', 'sms', 'email', 'call'] as const)('holds a collector to two contacts a day by %s', (channel) => {
    const collector = question({ pack: bindingPack(withoutOwnCaps, 'others'), channel });
    const with2 = { ...collector, ledger: { person: ofTheDay(2), phone: [] } };
    expect(decideContact({ ...collector, ledger: { person: ofTheDay(1), phone: [] } }).allowed).toBe(true);
    expect(decideContact(with2)).toMatchObject({
      allowed: false,
      rules: ['caps'],
      ruleIds: ['br-mt-lei-11792-2022'],
      notBefore: TUESDAY + DAY - HOUR,
    });
  });

  it('holds no creditor to it', () => {
    expect(decide('itself', 2).allowed).toBe(true);
    expect(decide('itself', 9).allowed).toBe(true);
    expect(decide('others', 9).allowed).toBe(false);
  });

  it('leaves a collector business hours, and a creditor the hours of the country', () => {
    const evening = TUESDAY + 8 * HOUR;
    expect(decide('itself', 0, evening).allowed).toBe(true);
    expect(decide('others', 0, evening - 1).allowed).toBe(true);
    expect(decide('others', 0, evening)).toMatchObject({
      allowed: false,
      rules: ['window'],
      ruleIds: ['br-mt-lei-11792-2022-hours'],
    });
  });
});

describe('bills of Bahia and Mato Grosso do Sul', () => {
  it.each([
    ['71', '-03:00'],
    ['67', '-04:00'],
  ])('close no hour in area code %s', (phoneAreaCode, zone) => {
    const now = Date.parse(`2026-11-24T18:30:00${zone}`);
    const decision = decideContact(question({ pack: bindingPack(pack, 'others'), phoneAreaCode, now }));
    expect(decision.allowed).toBe(true);
    expect(decision.ruleIds.filter((id) => id.includes('-pl-'))).toEqual([]);
  });
});

it('names the law of Rio de Janeiro for the phone of a third party', () => {
  const suppressions = { optedOut: false, wrongPerson: true, elsewhere: false };
  const idsIn = (phoneAreaCode: string) =>
    decideContact(question({ pack: bindingPack(pack, 'itself'), phoneAreaCode, suppressions })).ruleIds;
  expect(idsIn('21')).toEqual(['br-rj-lei-7868-2018', 'br-wrong-person']);
  expect(idsIn('11')).toEqual(['br-wrong-person']);
});
