import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { RULES } from '../../texts/rules.ts';
import { holidaysOf, hoursByState, sourceText, statesOf, stepsOf } from './policy-view.ts';

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../../policies/${name}`, import.meta.url), 'utf8'));
const { rules } = read('br.json');
const holidays = read('holidays-br.json');

describe('the rules as the console shows them', () => {
  it('narrow the hours of a state by those of the country', () => {
    const hours = hoursByState(rules, 'itself');
    expect(hours.find(({ state }) => state === 'SP')).toEqual({ state: 'SP', from: '09:00', to: '19:00' });
    expect(hours.find(({ state }) => state === 'AM')).toEqual({ state: 'AM', from: '09:00', to: '18:00' });
    expect(hours.map(({ state }) => state)).toEqual([...new Set(hours.map(({ state }) => state))]);
    expect(hours.filter(({ state }) => ['MT', 'BA', 'MS'].includes(state ?? ''))).toEqual([]);
    expect(hoursByState(rules, 'others')).toContainEqual({ state: 'MT', from: '09:00', to: '18:00' });
    expect(hours.at(-1)).toEqual({ state: null, from: '09:00', to: '19:00' });
  });

  it('list the holidays of the nation and of each state', () => {
    expect(statesOf(holidays)).toContain('SP');
    const national = holidaysOf(holidays, '', 2026);
    expect(national.map(({ date }) => date)).toContain('2026-11-20');
    expect(national.map(({ date }) => date)).toContain('2026-04-03');
    expect(holidaysOf(holidays, 'SP', 2026).map(({ date }) => date)).toContain('2026-07-09');
  });

  it('say every rule of the pack in Portuguese, without the remarks in English', () => {
    for (const { id, source } of rules) {
      expect([id, RULES.texts[id]]).toEqual([id, expect.stringMatching(/\S/)]);
      expect(sourceText({ id, source })).not.toMatch(/\b(?:choice|the|of|and|policy|window)\b/i);
    }
    expect(stepsOf(read('sequence.json'))).toHaveLength(6);
  });
});
