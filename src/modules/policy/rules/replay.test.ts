import { expect, it } from '@jest/globals';
import { loadPolicy } from '../use-cases/load-policy.ts';
import type { PolicyPack, PolicyRule } from './policy-pack.ts';
import { createReplay, type ReplayedContact } from './replay.ts';

const { pack, holidays } = loadPolicy();

const contact = (at: string, given: Partial<ReplayedContact> = {}): ReplayedContact => ({
  at: Date.parse(at),
  clientId: 'a',
  collectsFor: 'itself',
  personKey: 'person',
  phoneKey: 'phone',
  areaCode: '11',
  channel: 'whatsapp',
  dueDate: '2026-10-01',
  purpose: 'collection',
  ...given,
});
const stricter: PolicyPack = {
  ...pack,
  rules: pack.rules.map((rule) => (rule.id === 'br-cap-week' ? ({ ...rule, count: 2 } as PolicyRule) : rule)),
};
const replayed = (given: PolicyPack, contacts: readonly ReplayedContact[], from = '2026-11-01T00:00:00-03:00') => {
  const replay = createReplay({ pack: given, holidays, from: Date.parse(from) });
  for (const one of contacts) replay.add(one);
  return replay.result();
};

const WEEK = [
  contact('2026-11-16T10:00:00-03:00'),
  contact('2026-11-18T10:00:00-03:00'),
  contact('2026-11-19T10:00:00-03:00'),
  contact('2026-11-24T10:00:00-03:00'),
];

it('forbids nothing that the same pack has allowed', () => {
  expect(replayed(pack, WEEK)).toEqual([{ clientId: 'a', contacts: 4, forbidden: 0, unknownPlace: 0, byRule: [] }]);
});

it('does not count what the pack would have forbidden, because it would not have been made', () => {
  // Were the 19th counted, the 24th would be the third of a week.
  expect(replayed(stricter, WEEK)).toMatchObject([{ forbidden: 1, byRule: [{ ruleId: 'br-cap-week', contacts: 1 }] }]);
});

it('counts earlier contacts for the caps and does not judge them', () => {
  const [{ contacts, forbidden } = { contacts: 0, forbidden: 0 }] = replayed(
    stricter,
    WEEK,
    '2026-11-19T00:00:00-03:00',
  );
  expect({ contacts, forbidden }).toEqual({ contacts: 2, forbidden: 1 });
});

it('names each rule that forbids a contact, by client', () => {
  const [first] = replayed(pack, [
    contact('2026-11-20T21:00:00-03:00'),
    contact('2026-11-20T21:00:00-03:00', { clientId: 'b', areaCode: '31', personKey: 'other', phoneKey: 'other' }),
  ]);
  expect(first).toEqual({
    clientId: 'a',
    contacts: 1,
    forbidden: 1,
    unknownPlace: 0,
    byRule: [
      { ruleId: 'br-holidays', contacts: 1 },
      { ruleId: 'br-hours', contacts: 1 },
      { ruleId: 'br-sp-lei-15426-2014', contacts: 1 },
    ],
  });
});

it('does not judge a contact whose phone is not known any more, and counts it', () => {
  const later = contact('2026-11-16T11:00:00-03:00');
  expect(replayed(pack, [contact('2026-11-16T10:00:00-03:00', { areaCode: '' }), later])).toMatchObject([
    { contacts: 2, unknownPlace: 1, forbidden: 1, byRule: [{ ruleId: 'br-cap-day', contacts: 1 }] },
  ]);
});

it('keeps only what a cap may count, however many people are contacted', () => {
  const replay = createReplay({ pack, holidays, from: 0 });
  const before = process.memoryUsage().heapUsed;
  for (let made = 0; made < 60_000; made += 1) {
    const key = `person ${made}`;
    replay.add(contact('2026-01-01T00:00:00Z', { at: made * 600_000, areaCode: '', personKey: key, phoneKey: key }));
  }
  expect(replay.result()).toMatchObject([{ contacts: 60_000 }]);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(60_000_000);
});
