import { describe, expect, it } from '@jest/globals';
import { type GuardRules, guardMessage } from './message-guard.ts';

const OPT_OUT = 'Para não receber mais mensagens, responda PARAR.';
const RULES: GuardRules = {
  known: ['Maria', 'Escola Azul', 'R$ 1.234,56', '05/10/2026', 'https://quita.example/checkout/abc', OPT_OUT],
  required: [OPT_OUT],
  mayDisclose: true,
  paid: false,
};
const refuse = (body: string, rules = RULES): string[] => guardMessage(`${body}\n\n${OPT_OUT}`, rules);

describe('guardMessage', () => {
  it('accepts a text that contains only known facts', () => {
    expect(
      refuse('Maria, o valor é R$ 1.234,56, vencido em 05/10/2026. Pague em https://quita.example/checkout/abc'),
    ).toEqual([]);
  });

  it('requires the opt-out line', () => {
    expect(guardMessage('Olá, Maria.', RULES)).toEqual(['missing']);
  });

  it.each([
    ['number', 'O valor é R$ 1.000,00.'],
    ['number', 'O valor é R$ 1.234,5.'],
    ['number', 'São mil reais.'],
    ['number', 'Faço por cinquenta por cento.'],
    ['number', 'Pague em três parcelas.'],
    ['number', 'O valor é ⅒ do total.'],
    ['number', 'O valor é １０.'],
    ['link', 'Pague em https://quita.example.golpe/checkout/abc'],
    ['link', 'Pague em golpe.com'],
    ['link', 'Escreva para a@b'],
    ['date', 'Pague até sexta.'],
    ['offer', 'Você tem desconto.'],
    ['offer', 'Podemos parcelar.'],
    ['threat', 'Vamos chamar a polícia.'],
    ['threat', 'Você será processado.'],
    ['threat', 'Seu nome vai para o SPC.'],
    ['shame', 'Que vergonha.'],
    ['third_party', 'Vamos falar com a sua família.'],
    ['false_urgency', 'Última chance!'],
    ['asks_for_data', 'Informe a sua senha.'],
    ['false_claim', 'A sua dívida foi cancelada.'],
    ['false_claim', 'Pagamento confirmado.'],
    ['false_claim', 'Sou uma pessoa de verdade.'],
    ['placeholder', 'Seu número é {{cpf}}.'],
    ['hidden_characters', 'Você tem des\u200bconto.'],
    ['hidden_characters', 'Você tem desc\u03bfnto.'],
    ['hidden_characters', 'Você tem d e s c o n t o.'],
  ])('refuses as %s: %s', (problem, body) => {
    expect(refuse(body)).toContain(problem);
  });

  it('accepts a known amount only when it is complete', () => {
    expect(refuse('O valor é R$ 91.234,56.')).toContain('number');
    expect(refuse('O valor é R$ 1.234,567.')).toContain('number');
  });

  it('refuses to mention a debt to another person', () => {
    const strict = { ...RULES, required: [], mayDisclose: false };
    expect(guardMessage('Desculpe o incômodo. Este número não será mais usado.', strict)).toEqual([]);
    expect(guardMessage('Avise que há um pagamento em aberto.', strict)).toContain('disclosure');
    expect(guardMessage('Diga a Maria que escreva.', strict)).toContain('disclosure');
  });

  it('allows a text to confirm that a paid debt is paid', () => {
    expect(refuse('Maria, o pagamento está confirmado.', { ...RULES, paid: true })).toEqual([]);
  });
});
