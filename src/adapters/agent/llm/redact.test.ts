import { describe, expect, it } from '@jest/globals';
import { redact } from './redact.ts';

describe('redact', () => {
  it.each([
    ['meu cpf é 529.982.247-25', 'meu cpf é [numero]'],
    ['52998224725', '[numero]'],
    ['529 982 247 25', '[numero]'],
    ['liga (81) 98765-4321', 'liga ([numero]'],
    ['ana@x.com.br', '[email]'],
    ['https://x.com/y?z=1 oi', '[link] oi'],
    ['sou a ANA de SOUZA, a aná', 'sou a [nome] de [nome], a [nome]'],
    ['pago dia 10, 200 reais', 'pago dia 10, 200 reais'],
  ])('%s', (text, redacted) => {
    expect(redact(text, 'Ana de Souza')).toBe(redacted);
  });
});
