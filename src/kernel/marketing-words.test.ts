import { describe, expect, it } from '@jest/globals';
import { marketingWords } from './marketing-words.ts';

describe('the words that make a message advertising', () => {
  it.each([
    ['Pague com desconto.', ['desconto']],
    ['PAGUE COM DESCÔNTOS!', ['DESCÔNTOS']],
    ['Temos uma oferta: condição especial.', ['oferta', 'condição especial']],
    [
      'Condições  especiais, PROMOÇÃO imperdível. Aproveite!',
      ['Condições especiais', 'PROMOÇÃO', 'imperdível', 'Aproveite'],
    ],
    ['Desenrola, Feirão Limpa Nome e mutirão', ['Desenrola', 'Feirão', 'Limpa Nome', 'mutirão']],
    ['Desconto? Sim, desconto.', ['Desconto']],
    ['des\u00adconto', ['desconto']],
    ['d\u0065sconto e 30% OFF', ['desconto', 'OFF']],
    ['O pagamento sai mais barato', ['mais barato']],
    ['ｄｅｓｃｏｎｔｏ', ['desconto']],
  ])('are named as they are written: %s', (text, expected) => {
    expect(marketingWords(text)).toEqual(expected);
  });

  it.each([
    '',
    'Você pode ver opções nesta página.',
    'As condições do acordo estão na página.',
    'Ofertório, officina e office não são propaganda.',
    'Promessa de pagamento: fica menor o prazo, e o valor é o mesmo.',
    'O nome completo e a limpeza do nome.',
  ])('are whole words, and others are not meant: %s', (text) => {
    expect(marketingWords(text)).toEqual([]);
  });

  it('are found in a long text in little time, and not all of a long list are returned', () => {
    const long = 'desenrol pagamento condicao '.repeat(40_000);
    const started = process.cpuUsage().user;
    expect(marketingWords(long)).toEqual([]);
    expect((process.cpuUsage().user - started) / 1_000).toBeLessThan(2_000);
    const many = Array.from({ length: 50 }, (_, index) => `desconto${'abcdefghij'[index % 10]}${index}`).join(' ');
    expect(marketingWords(many).length).toBeLessThanOrEqual(10);
  });
});
