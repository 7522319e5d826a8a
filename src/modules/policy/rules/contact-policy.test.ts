import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { contactQuestion } from '../../../../testing/contact-question.ts';
import { DAY, HOUR } from '../../../kernel/calendar.ts';
import { AREA_CODES } from '../../../kernel/phone.ts';
import { loadPolicy } from '../use-cases/load-policy.ts';
import { decideContact } from './contact-policy.ts';
import type { ContactQuestion } from './contact-question.ts';
import { bindingPack } from './policy-pack.ts';

const { pack: shipped, holidays } = loadPolicy();
const pack = bindingPack(shipped, 'itself');
const at = (text: string) => Date.parse(text);
const sp = (text: string) => at(`${text}-03:00`);

const TUESDAY = sp('2026-11-24T10:00:00');
const question = (change: Partial<ContactQuestion> = {}) => contactQuestion({ pack, holidays, ...change });
const debt = (change: Partial<ContactQuestion['debt']>) => ({ ...question().debt, ...change });
const own = (...moments: number[]) => moments.map((moment) => ({ at: moment, own: true }));
const foreign = (...moments: number[]) => moments.map((moment) => ({ at: moment, own: false }));
const refused = (change: Partial<ContactQuestion>) => {
  const decision = decideContact(question(change));
  if (decision.allowed) throw new Error('allowed');
  return decision;
};
const refusal = (change: Partial<ContactQuestion>) => {
  const { rules, notBefore } = refused(change);
  return { rules, notBefore: notBefore === null ? null : new Date(notBefore).toISOString() };
};
const shownTo = (change: Partial<ContactQuestion>) => {
  const { rules, notBefore } = refused(change).shown;
  return { rules, notBefore };
};
const utc = (moment: number) => new Date(moment).toISOString();

it('allows a contact on a business day, and names the rules that it passed', () => {
  expect(decideContact(question())).toMatchObject({
    allowed: true,
    rules: [
      'window',
      'holidays',
      'caps',
      'due',
      'prescription',
      'opt_out',
      'dispute',
      'hold',
      'wrong_person',
      'promise',
      'said_paid',
      'inbox',
      'person_answering',
    ],
  });
});

describe('window', () => {
  it.each([
    ['11', '2026-11-24T09:00:00-03:00', '2026-11-24T19:00:00-03:00'],
    ['21', '2026-11-24T09:00:00-03:00', '2026-11-24T19:00:00-03:00'],
    ['27', '2026-11-24T09:00:00-03:00', '2026-11-24T19:00:00-03:00'],
    ['31', '2026-11-24T09:00:00-03:00', '2026-11-24T18:00:00-03:00'],
    ['92', '2026-11-24T09:00:00-04:00', '2026-11-24T18:00:00-04:00'],
    ['68', '2026-11-24T09:00:00-05:00', '2026-11-24T19:00:00-05:00'],
    ['81', '2026-11-24T09:00:00-03:00', '2026-11-24T19:00:00-02:00'],
    ['97', '2026-11-24T09:00:00-05:00', '2026-11-24T18:00:00-04:00'],
    ['00', '2026-11-24T09:00:00-05:00', '2026-11-24T18:00:00-02:00'],
  ])('in area code %s opens at %s and closes at %s', (phoneAreaCode, opens, closes) => {
    const allowed = (now: number) => decideContact(question({ phoneAreaCode, now })).allowed;
    expect(allowed(at(opens) - 1)).toBe(false);
    expect(allowed(at(opens))).toBe(true);
    expect(allowed(at(closes) - 1)).toBe(true);
    expect(allowed(at(closes))).toBe(false);
    expect(refusal({ phoneAreaCode, now: at(opens) - 1 })).toEqual({ rules: ['window'], notBefore: utc(at(opens)) });
    expect(refusal({ phoneAreaCode, now: at(closes) })).toEqual({ rules: ['window'], notBefore: utc(at(opens) + DAY) });
  });

  it.each([
    ['11', ['68'], '2026-11-24T09:00:00-05:00', '2026-11-24T19:00:00-03:00'],
    ['21', ['11', '31'], '2026-11-24T09:00:00-03:00', '2026-11-24T18:00:00-03:00'],
  ])('for phones of %s and %j opens at %s and closes at %s', (phoneAreaCode, otherAreaCodes, opens, closes) => {
    const allowed = (now: number) => decideContact(question({ phoneAreaCode, otherAreaCodes, now })).allowed;
    expect([at(opens) - 1, at(opens), at(closes) - 1, at(closes)].map(allowed)).toEqual([false, true, true, false]);
  });

  it('for several phones is open only when it is open for each of them alone, and never closed for a whole day', () => {
    const areaCode = fc.constantFrom('11', '21', '31', '61', '68', '81', '92', '97', '00');
    const day = sp('2026-11-16T00:00:00');
    fc.assert(
      fc.property(
        fc.array(areaCode, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 0, max: 14 * 24 * 4 }),
        ([phoneAreaCode = '', ...otherAreaCodes], quarter) => {
          const now = day + quarter * 15 * 60_000;
          const together = decideContact(question({ phoneAreaCode, otherAreaCodes, now })).allowed;
          const each = [phoneAreaCode, ...otherAreaCodes].map(
            (code) => decideContact(question({ phoneAreaCode: code, now })).allowed,
          );
          expect(together && each.includes(false)).toBe(false);
        },
      ),
      { numRuns: 300 },
    );
    const [phoneAreaCode = '', ...otherAreaCodes] = AREA_CODES;
    const now = at('2026-11-24T15:00:00Z');
    expect(decideContact(question({ phoneAreaCode, otherAreaCodes, now })).allowed).toBe(true);
  });

  it('is closed on weekends, even where a state law would allow Saturday', () => {
    expect(refusal({ now: sp('2026-11-28T10:00:00') })).toEqual({
      rules: ['window'],
      notBefore: utc(sp('2026-11-30T09:00:00')),
    });
  });
});

describe('holidays', () => {
  it.each(['2024-11-20', '2026-11-20', '2026-04-03', '2026-12-25', '2026-09-07'])(
    'forbid contact in the whole country on %s',
    (date) => {
      for (const phoneAreaCode of ['11', '68', '92']) {
        const { rules } = refused({
          phoneAreaCode,
          now: at(`${date}T16:00:00Z`),
          debt: debt({ dueDate: '2023-01-01' }),
        });
        expect(rules).toEqual(['holidays']);
      }
    },
  );

  it('of a state apply to that state and to an area code that it shares', () => {
    const now = sp('2026-11-30T10:00:00');
    expect(refusal({ phoneAreaCode: '61', now })).toEqual({
      rules: ['holidays'],
      notBefore: utc(sp('2026-12-01T09:00:00')),
    });
    expect(decideContact(question({ phoneAreaCode: '62', now })).allowed).toBe(true);
  });

  it('and an adjacent weekend are both skipped', () => {
    expect(refusal({ now: sp('2026-11-19T19:00:00') }).notBefore).toBe(utc(sp('2026-11-23T09:00:00')));
  });
});

describe('caps', () => {
  it('allow one contact per local day', () => {
    expect(refusal({ ledger: { person: own(sp('2026-11-24T09:00:00')), phone: [] } })).toEqual({
      rules: ['caps'],
      notBefore: utc(sp('2026-11-25T09:00:00')),
    });
  });

  it('count later contacts too: a reservation later today blocks', () => {
    expect(refusal({ ledger: { person: own(sp('2026-11-24T15:00:00')), phone: [] } }).rules).toEqual(['caps']);
  });

  it('count the contacts of the phone separately', () => {
    expect(refusal({ ledger: { person: [], phone: own(sp('2026-11-24T09:00:00')) } }).rules).toEqual(['caps']);
  });

  it('do not add person and phone together', () => {
    const ledger = {
      person: own(sp('2026-11-19T09:00:00'), sp('2026-11-23T09:00:00')),
      phone: own(sp('2026-11-18T10:00:00')),
    };
    expect(decideContact(question({ ledger })).allowed).toBe(true);
  });

  it('allow three contacts in 168 hours, both ends included', () => {
    const first = TUESDAY - 7 * DAY;
    const person = own(first, sp('2026-11-18T10:00:00'), sp('2026-11-19T10:00:00'));
    expect(refusal({ ledger: { person, phone: [] } })).toEqual({ rules: ['caps'], notBefore: utc(TUESDAY + 1) });
    expect(decideContact(question({ now: TUESDAY + 1, ledger: { person, phone: [] } })).allowed).toBe(true);
  });

  it('count the contacts of 168 hours on both sides of the moment', () => {
    const person = own(sp('2026-11-23T10:00:00'), sp('2026-11-26T10:00:00'), sp('2026-11-27T10:00:00'));
    expect(refusal({ ledger: { person, phone: [] } })).toEqual({
      rules: ['caps'],
      notBefore: utc(sp('2026-11-30T10:00:00') + 1),
    });
  });

  it('use the calendar day of the debtor', () => {
    const sevenPmInAcre = at('2026-11-24T18:59:00-05:00');
    const nextMorning = at('2026-11-25T09:00:00-05:00');
    const ledger = { person: own(sevenPmInAcre), phone: [] };
    expect(decideContact(question({ phoneAreaCode: '68', now: nextMorning, ledger })).allowed).toBe(true);
    expect(refusal({ phoneAreaCode: '68', now: sevenPmInAcre - HOUR, ledger }).rules).toEqual(['caps']);
  });
});

describe('scheduling', () => {
  it('is all that a client sees of another one, with its own next opening and not the real moment', () => {
    const person = foreign(sp('2026-11-23T10:00:00'), sp('2026-11-25T15:00:00'), sp('2026-11-26T12:00:00'));
    expect(refused({ ledger: { person, phone: [] } })).toEqual({
      allowed: false,
      inVain: false,
      rules: ['scheduling'],
      ruleIds: [],
      notBefore: sp('2026-11-30T10:00:00') + 1,
      shown: { rules: ['scheduling'], ruleIds: [], notBefore: sp('2026-11-25T09:00:00') },
    });
  });

  it('is not named where the client’s own contacts or other rules block anyway', () => {
    const person = [...own(sp('2026-11-24T09:00:00')), ...foreign(sp('2026-11-25T09:00:00'))];
    expect(refused({ ledger: { person, phone: [] } })).toMatchObject({
      rules: ['caps'],
      notBefore: sp('2026-11-26T09:00:00'),
      shown: { rules: ['caps'], notBefore: sp('2026-11-25T09:00:00') },
    });
    const evening = { now: sp('2026-11-24T20:00:00'), ledger: { person: foreign(TUESDAY), phone: [] } };
    expect(shownTo(evening)).toEqual({ rules: ['window'], notBefore: sp('2026-11-25T09:00:00') });
  });
});

describe('due', () => {
  it('waits for the day after the due date, wherever the debtor is', () => {
    expect(refusal({ debt: debt({ dueDate: '2026-11-24' }) })).toEqual({
      rules: ['due'],
      notBefore: utc(sp('2026-11-25T09:00:00')),
    });
    expect(decideContact(question({ debt: debt({ dueDate: '2026-11-23' }) })).allowed).toBe(true);
    expect(refusal({ debt: debt({ dueDate: '2031-12-31' }) }).notBefore).toBe(utc(sp('2032-01-02T09:00:00')));
  });

  it('holds for the last date that can be written', () => {
    expect(refusal({ debt: debt({ dueDate: '9999-12-31' }) }).rules).toEqual(['due']);
    expect(refused({ debt: debt({ dueDate: '9999-12-31' }) }).notBefore).toBeGreaterThan(at('9999-12-31T00:00:00Z'));
  });
});

describe('prescription', () => {
  it('allows the last day of the five years and no later one', () => {
    const { allowed } = decideContact(question({ debt: debt({ dueDate: '2021-11-24' }) }));
    expect(allowed).toBe(true);
    expect(refusal({ debt: debt({ dueDate: '2021-11-23' }) })).toEqual({ rules: ['prescription'], notBefore: null });
    expect(refusal({ debt: debt({ dueDate: '0001-01-01' }) })).toEqual({ rules: ['prescription'], notBefore: null });
  });

  it('names no moment for a wait that would end after it', () => {
    const change = { debt: debt({ dueDate: '2021-11-24' }), ledger: { person: own(TUESDAY - HOUR), phone: [] } };
    expect(refusal(change)).toEqual({ rules: ['caps', 'prescription'], notBefore: null });
  });
});

describe('a block that only a decision lifts', () => {
  it.each([
    ['opt_out', { suppressions: { optedOut: true, wrongPerson: false, elsewhere: false } }],
    ['opt_out', { debt: debt({ status: 'OPTED_OUT' }) }],
    ['wrong_person', { suppressions: { optedOut: false, wrongPerson: true, elsewhere: false } }],
    ['dispute', { debt: debt({ status: 'DISPUTED' }) }],
    ['hold', { debt: debt({ status: 'ON_HOLD' }) }],
    ['paid', { debt: debt({ status: 'PAID' }) }],
    ['stopped', { debt: debt({ status: 'STOPPED' }) }],
    ['stopped', { campaignArchived: true }],
    ['exhausted', { debt: debt({ status: 'EXHAUSTED' }) }],
    ['paused', { campaignPaused: true }],
    ['client_inactive', { clientInactive: true }],
    ['client_not_verified', { clientUnverified: true }],
  ] as [string, Partial<ContactQuestion>][])('%s', (rule, change) => {
    expect(refusal(change)).toEqual({ rules: [rule], notBefore: null });
    expect(shownTo(change)).toEqual({ rules: [rule], notBefore: null });
  });

  it('is named together with the other rules that block', () => {
    expect(refusal({ campaignPaused: true, now: sp('2026-11-28T10:00:00') })).toEqual({
      rules: ['paused', 'window'],
      notBefore: null,
    });
  });
});

describe('what the debtor said to another client', () => {
  const elsewhere = { optedOut: false, wrongPerson: false, elsewhere: true };
  const openings = { shown: utc(sp('2026-11-25T09:00:00')), asked: utc(sp('2026-12-01T10:00:00')) };

  it('blocks like contacts of others that have just filled the week: as `scheduling`, with the next opening', () => {
    const { rules, notBefore, shown, inVain } = refused({ suppressions: elsewhere });
    expect([rules, utc(notBefore!), inVain]).toEqual([['scheduling'], openings.asked, true]);
    expect({ ...shown, notBefore: utc(shown.notBefore!) }).toEqual({
      rules: ['scheduling'],
      ruleIds: [],
      notBefore: openings.shown,
    });
    const capped = refused({ ledger: { person: foreign(TUESDAY, TUESDAY, TUESDAY), phone: [] } });
    expect(capped.shown).toEqual(shown);
  });

  it('is not shown where the client’s own knowledge blocks', () => {
    const evening = { suppressions: elsewhere, now: sp('2026-11-24T20:00:00') };
    expect(shownTo(evening)).toEqual({ rules: ['window'], notBefore: sp('2026-11-25T09:00:00') });
    expect(shownTo({ suppressions: { ...elsewhere, optedOut: true } })).toEqual({
      rules: ['opt_out'],
      notBefore: null,
    });
    expect(refused({ suppressions: { ...elsewhere, wrongPerson: true } }).shown.rules).toEqual(['wrong_person']);
    expect(refused({ suppressions: elsewhere, campaignPaused: true })).toMatchObject({
      notBefore: null,
      shown: { rules: ['paused'], notBefore: null },
    });
  });

  it('keeps the openings before prescription, and still names prescription', () => {
    const lastWeek = refused({ suppressions: elsewhere, debt: debt({ dueDate: '2021-11-26' }) });
    expect(lastWeek.shown).toEqual({ rules: ['scheduling'], ruleIds: [], notBefore: sp('2026-11-25T09:00:00') });
    expect(lastWeek.notBefore).toBe(sp('2026-11-25T09:00:00'));
    const lastDay = refused({ suppressions: elsewhere, debt: debt({ dueDate: '2021-11-24' }) });
    expect(lastDay).toMatchObject({
      notBefore: null,
      shown: { rules: ['scheduling', 'prescription'], notBefore: null },
    });
  });
});

describe('promise', () => {
  it('delays contact until the first business day after it', () => {
    const promised = (promisedDate: string) => ({ debt: debt({ status: 'PROMISED', promisedDate }) });
    expect(refusal(promised('2026-11-24'))).toEqual({ rules: ['promise'], notBefore: utc(sp('2026-11-25T09:00:00')) });
    expect(refusal(promised('2026-11-27')).notBefore).toBe(utc(sp('2026-11-30T09:00:00')));
    expect(refusal(promised('2026-12-24')).notBefore).toBe(utc(sp('2026-12-28T09:00:00')));
    expect(decideContact(question(promised('2026-11-23'))).allowed).toBe(true);
  });
});

describe('said paid', () => {
  it('allows no contact for two whole business days, and none afterwards until a person has looked', () => {
    const said = (text: string) => ({ debt: debt({ saidPaidAt: sp(text) }) });
    expect(refusal(said('2026-11-24T09:30:00'))).toEqual({
      rules: ['said_paid'],
      notBefore: utc(sp('2026-11-27T09:00:00')),
    });
    expect(refusal(said('2026-11-21T23:59:00')).notBefore).toBe(utc(sp('2026-11-25T09:00:00')));
    expect(refusal(said('2026-11-19T10:00:00')).notBefore).toBe(utc(sp('2026-11-25T09:00:00')));
    expect(refused(said('2026-11-21T23:59:00')).inVain).toBe(true);
    expect(refusal(said('2026-11-18T10:00:00'))).toEqual({ rules: ['said_paid'], notBefore: null });
  });
});

describe('a rule of the pack', () => {
  const narrow = {
    ...pack.rules.find(({ id }) => id === 'br-sp-lei-15426-2014')!,
    id: 'x',
    windows: [{ days: [2], from: 660, to: 720 }],
  };
  const withRule = (change: object) =>
    question({ pack: { ...pack, rules: [...pack.rules, { ...narrow, ...change } as never] } });

  it('applies to its state and its channel only', () => {
    expect(decideContact(withRule({})).allowed).toBe(false);
    expect(decideContact({ ...withRule({}), phoneAreaCode: '21' }).allowed).toBe(true);
    expect(decideContact(withRule({ channels: ['call'] })).allowed).toBe(true);
  });

  it('applies between its dates, both included', () => {
    expect(decideContact(withRule({ effectiveFrom: '2026-11-25' })).allowed).toBe(true);
    expect(decideContact(withRule({ effectiveFrom: '2026-11-24' })).allowed).toBe(false);
    expect(decideContact(withRule({ effectiveTo: '2026-11-24' })).allowed).toBe(false);
    expect(decideContact(withRule({ effectiveTo: '2026-11-23' })).allowed).toBe(true);
  });
});
