import { describe, expect, it } from '@jest/globals';
import { maskPersonalData } from './mask-personal-data.ts';

describe('what a language model reads', () => {
  it.each([
    ['meu cpf é 529.982.247-25', 'meu cpf é [CPF]'],
    ['cpf 52998224725, ok?', 'cpf [telefone], ok?'],
    ['liga (11) 98765-4321 ou +55 11 98765 4321', 'liga [telefone] ou [telefone]'],
    ['é 98765-4321', 'é [telefone]'],
    ['CNPJ 11.222.333/0001-81', 'CNPJ [CNPJ]'],
    ['escreva para ana.souza@exemplo.com.br', 'escreva para [e-mail]'],
    ['R$ 1.234,56 até 20/11/2026', 'R$ 1.234,56 até 20/11/2026'],
    ['pago em 2 vezes, fatura 4711', 'pago em 2 vezes, fatura 4711'],
  ])('has no number or address of a person: %s', (text, shown) => {
    const timeline = [{ kind: 'message_received', data: { text } }, { note: text }, { reason: text }];
    expect(maskPersonalData({ timeline })).toEqual({
      timeline: [{ kind: 'message_received', data: { text: shown } }, { note: shown }, { reason: shown }],
    });
  });

  it('keeps ids and amounts, which the tools take', () => {
    const debt = { id: '6b1f0c58-3f0e-4d53-9a55-2f3c1f6d7a10', amount: 1234.56, invoiceId: '52998224725' };
    expect(maskPersonalData(debt)).toEqual(debt);
  });
});
