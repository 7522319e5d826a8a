import { describe, expect, it } from '@jest/globals';
import { bindingPack } from '../../policy/rules/policy-pack.ts';
import { loadPolicy } from '../../policy/use-cases/load-policy.ts';
import { judgeStaffText, mayAnswer, plainLines, type StaffContext, staffAnswersUntil } from './staff-messages.ts';

const { pack: shipped, holidays } = loadPolicy();
const pack = bindingPack(shipped, 'itself');
const at = (text: string): StaffContext => ({
  pack,
  holidays,
  channel: 'whatsapp',
  phoneAreaCode: '11',
  otherAreaCodes: [],
  now: Date.parse(text),
});
const HOUR = 3_600_000;

describe('what staff write', () => {
  it.each([
    ['Vamos acionar a justiça se a senhora não pagar.', 'threat'],
    ['Seu nome vai para o Serasa.', 'threat'],
    ['Que vergonha, pague o que deve.', 'shame'],
    ['Vou falar com o seu patrão.', 'third_party'],
    ['Sua família vai saber disso.', 'third_party'],
    ['Vamos f\u200balar com a pol\u00adícia.', 'hidden_characters'],
  ])('the law forbids: %s', (text, code) => {
    expect(judgeStaffText(text, { known: [], required: [], paid: false }).forbidden).toContain(code);
  });

  it.each([
    ['Podemos dar 10% se pagar.', 'number'],
    ['Pague amanhã, por favor.', 'date'],
    ['Ofereço um acordo.', 'offer'],
    ['Veja em www.exemplo.com', 'link'],
    ['Prezada {{nome}}, tudo bem?', 'placeholder'],
    ['É urgente.', 'false_urgency'],
    ['Mande o seu CPF, por favor.', 'asks_for_data'],
    ['Sua dívida foi cancelada.', 'false_claim'],
    ['Olá, tudo bem?', 'missing'],
  ])('the writer decides: %s', (text, code) => {
    const judged = judgeStaffText(text, { known: [], required: ['Maria'], paid: false });
    expect(judged.forbidden).toEqual([]);
    expect(judged.warnings).toContain(code);
  });

  it('facts of the debt and names are no problem, whatever words they have', () => {
    const known = ['Colégio Família Justiça', 'R$ 150,75'];
    const judged = judgeStaffText('Maria, aqui é do Colégio Família Justiça: são R$ 150,75.', {
      known,
      required: ['Maria'],
      paid: false,
    });
    expect(judged).toEqual({ forbidden: [], warnings: [] });
  });

  it('line ends and tabs of other systems are no hidden characters', () => {
    expect(plainLines('a\r\nb\rc\td')).toBe('a\nb\nc d');
  });
});

describe('a person has the conversation', () => {
  it.each([
    // Thursday and Monday, because Friday is the holiday Consciência Negra; until Tuesday begins.
    ['2026-11-18T14:00:00Z', '2026-11-24T03:00:00.000Z'],
    ['2026-11-13T14:00:00Z', '2026-11-18T03:00:00.000Z'],
    // Saturday evening counts like the whole week-end.
    ['2026-11-14T23:00:00Z', '2026-11-18T03:00:00.000Z'],
  ])('for two whole business days after %s', (now, until) => {
    expect(new Date(staffAnswersUntil(at(now))).toISOString()).toBe(until);
  });

  it('staff may answer while the debtor waits, and for 24 hours', () => {
    const context = at('2026-11-18T14:00:00Z');
    expect(mayAnswer(context, null)).toBe(false);
    expect(mayAnswer(context, { waits: true, ageMs: 1_000 * HOUR })).toBe(true);
    expect(mayAnswer(context, { waits: false, ageMs: 24 * HOUR - 1 })).toBe(true);
    expect(mayAnswer(context, { waits: false, ageMs: 24 * HOUR })).toBe(false);
  });
});
