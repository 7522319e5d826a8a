import { expect, it } from '@jest/globals';
import { differenceOf } from '../rules/pack-difference.ts';
import type { PolicyPack, PolicyRule } from '../rules/policy-pack.ts';
import { loadPolicy } from '../use-cases/load-policy.ts';
import { packDifferenceText } from './pack-difference.ts';

const { pack } = loadPolicy();
const ON = '2026-11-27';

const text = (after: PolicyPack, before: PolicyPack = pack): string =>
  packDifferenceText(before, after, differenceOf(before, after, ON));
const withRules = (change: (rule: PolicyRule) => readonly PolicyRule[]): PolicyPack => ({
  ...pack,
  version: '2027-01-01',
  rules: pack.rules.flatMap(change),
});
const hours = pack.rules.find((rule) => rule.id === 'br-hours')!;

it('says that nothing differs', () => {
  expect(text(pack)).toContain('As regras são as mesmas.');
});

it('shows the minutes that close, for the states and clients to which they were open', () => {
  const shown = text(
    withRules((rule) =>
      rule.id === 'br-hours' && rule.rule === 'window'
        ? [{ ...rule, windows: [{ days: [1, 2, 3, 4, 5], from: 540, to: 1110 }] }]
        : [rule],
    ),
  );
  expect(shown).toContain('todos os estados, menos AM e MG · todos os canais · para quem cobra as próprias dívidas');
  expect(shown).toContain('todos os estados, menos AM, MG e MT · todos os canais · para quem cobra dívidas de outras');
  expect(shown).toMatch(/segunda +09:00–19:00 +09:00–18:30 +— +18:30–19:00/);
  expect(shown).not.toContain('sábado ');
  expect(shown).toMatch(/antes: {2}segunda a sexta das 09:00 às 19:00/);
});

it('shows one channel alone, what opens, and a change from a later day on', () => {
  const wider = {
    ...hours,
    id: 'wider',
    channels: ['email'],
    states: ['CE'],
    effectiveFrom: '2027-03-01',
  } as PolicyRule;
  const shown = text(
    withRules((rule) =>
      rule.id === 'br-hours'
        ? [rule, { ...wider, windows: [{ days: [1], from: 600, to: 660 }] } as PolicyRule]
        : [rule],
    ),
  );
  expect(shown).not.toContain('Em 27/11/2026');
  expect(shown).toContain('Em 01/03/2027 e depois');
  expect(shown).toContain('CE · e-mail · para todos');
  expect(shown).toMatch(/segunda +09:00–19:00 +10:00–11:00 +— +09:00–10:00, 11:00–19:00/);
  expect(shown).toMatch(/terça +09:00–19:00 +— +— +09:00–19:00/);
  expect(text(pack, { ...pack, rules: pack.rules.filter(({ id }) => id !== 'br-mg-hours') })).toMatch(/18:00–19:00\n/);
  expect(text({ ...pack, rules: pack.rules.filter(({ id }) => id !== 'br-mg-hours') })).toMatch(
    /segunda .* 18:00–19:00 +—/,
  );
});

it('names each rule that is new, gone or says something else', () => {
  const shown = text(
    withRules((rule) => {
      if (rule.id === 'br-cap-week') return [{ ...rule, count: 2 } as PolicyRule];
      if (rule.id === 'br-due') return [{ ...rule, note: 'other words' }];
      if (rule.id === 'br-opt-out') return [{ ...rule, id: 'new-opt-out', statusProof: null, status: 'law' }];
      return [rule];
    }),
  );
  expect(shown).toContain('Nenhum minuto abre ou fecha.');
  expect(shown).toContain('antes:  no máximo 3 contatos em 168 horas, por pessoa e telefone');
  expect(shown).toContain('depois: no máximo 2 contatos em 168 horas');
  expect(shown).toContain('~ br-due: mudam só a fonte');
  expect(shown).toContain('- br-opt-out: silêncio');
  expect(shown).toMatch(/\+ new-opt-out: .*\(lei; .*sem prova de vigência\)/);
});

it('is done in a moment with very many rules, windows and dates', () => {
  const many = Array.from({ length: 100 }, (_, index) => ({
    ...hours,
    id: `many ${index}`,
    effectiveFrom: `2027-${String((index % 12) + 1).padStart(2, '0')}-${String((index % 28) + 1).padStart(2, '0')}`,
    windows: Array.from({ length: 50 }, (_, window) => ({ days: [1, 2], from: window * 20, to: window * 20 + 10 })),
  })) as PolicyRule[];
  const { dated, rules } = differenceOf(pack, { ...pack, rules: [...pack.rules, ...many] }, ON);
  expect(dated.length).toBeLessThanOrEqual(24);
  expect(rules).toHaveLength(100);
});
