import { describe, expect, it } from '@jest/globals';
import { redact } from './redact.ts';

describe('redact', () => {
  it.each([
    ['meu cpf é 529.982.247-25', 'meu cpf é [numero]'],
    ['52998224725', '[numero]'],
    ['529 982 247 25', '[numero]'],
    ['nosso CNPJ é 11.222.333/0001-81', 'nosso CNPJ é [numero]'],
    ['12.abc.345/01de-35', '[numero]'],
    ['12ABC34501DE35', '[numero]'],
    ['liga (81) 98765-4321', 'liga ([numero]'],
    ['ana@x.com.br', '[email]'],
    ['https://x.com/y?z=1 oi', '[link] oi'],
    ['sou a ANA de SOUZA, a aná', 'sou a [nome] de [nome], a [nome]'],
    ['O valor é R$ 1.150,75, sem juros', 'O valor é [valor] sem juros'],
    [
      'Pix:\n00020126580014br.gov.bcb.pix0136a1-x5406150.755915ESCOLA DA ANA6009SAO PAULO63043197\nfim',
      'Pix:\n[pix]\nfim',
    ],
    ['pago dia 10, 200 reais', 'pago dia 10, 200 reais'],
  ])('%s', (text, redacted) => {
    expect(redact(text, 'Ana de Souza')).toBe(redacted);
  });
});
