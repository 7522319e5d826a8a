import { describe, expect, it } from '@jest/globals';
import { contactQuestion } from '../../../../testing/contact-question.ts';
import { loadPolicy } from '../use-cases/load-policy.ts';
import { decideContact } from './contact-policy.ts';
import type { ContactQuestion } from './contact-question.ts';
import { bindingPack } from './policy-pack.ts';

const { pack: shipped, holidays } = loadPolicy();
const pack = bindingPack(shipped, 'itself');
const sp = (text: string) => Date.parse(`${text}-03:00`);
const question = contactQuestion({ pack, holidays });
const idsOf = (change: Partial<ContactQuestion>) => decideContact({ ...question, ...change }).ruleIds;
const idsShown = (change: Partial<ContactQuestion>) => {
  const decision = decideContact({ ...question, ...change });
  return decision.allowed ? decision.ruleIds : decision.shown.ruleIds;
};

describe('the rules of the pack in a verdict', () => {
  it('are all that an allowed contact has passed, those of the state included', () => {
    expect(idsOf({})).toEqual(
      pack.rules
        .filter(({ states, rule }) => states === 'all' || (states.includes('SP') && rule === 'window'))
        .filter(({ rule }) => !['reply', 'receipt', 'identity', 'free_text'].includes(rule))
        .map(({ id }) => id),
    );
    expect(idsOf({})).toContain('br-sp-lei-15426-2014');
    expect(idsOf({ phoneAreaCode: '21' })).toContain('br-rj-lei-6854-2014');
    expect(idsOf({ phoneAreaCode: '21' })).not.toContain('br-sp-lei-15426-2014');
  });

  it('are only the windows that are closed by themselves', () => {
    // In São Paulo the state's own law ends at 20:00, and the product's window at 19:00.
    expect(idsOf({ now: sp('2026-11-24T19:30:00') })).toEqual(['br-hours']);
    expect(idsOf({ now: sp('2026-11-24T20:30:00') })).toEqual(['br-hours', 'br-sp-lei-15426-2014']);
  });

  it('are the rule of holidays, and only the cap that is full', () => {
    expect(idsOf({ now: sp('2026-11-20T10:00:00') })).toEqual(['br-holidays']);
    const own = (text: string) => ({ at: sp(text), own: true });
    const caps = pack.rules.filter(({ rule }) => rule === 'caps');
    const daily = caps.find((rule) => rule.rule === 'caps' && rule.period === 'calendar_day')?.id;
    expect(idsOf({ ledger: { person: [own('2026-11-24T09:00:00')], phone: [] } })).toEqual([daily]);
    const week = ['2026-11-19T09:00:00', '2026-11-20T09:00:00', '2026-11-23T09:00:00'].map(own);
    expect(idsOf({ ledger: { person: week, phone: [] } })).toEqual(
      caps.map(({ id }) => id).filter((id) => id !== daily),
    );
  });

  it('are none for a state of the debt that the pack has no rule for', () => {
    expect(idsOf({ debt: { ...question.debt, status: 'PAID' } })).toEqual([]);
    expect(idsOf({ campaignPaused: true })).toEqual([]);
  });

  it('disclose nothing of another client', () => {
    const foreign = { at: sp('2026-11-24T09:00:00'), own: false };
    expect(idsShown({ ledger: { person: [foreign], phone: [] } })).toEqual([]);
    expect(idsShown({ suppressions: { ...question.suppressions, elsewhere: true } })).toEqual([]);
  });
});
