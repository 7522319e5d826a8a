import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type AgingBand, agingSentence, barLengths, openAmount } from './aging.ts';
import { percentTexts, wholePercents } from './shares.ts';
import { lighterParts, type StatusPart, statusSentence } from './status.ts';

describe('percentages of parts', () => {
  it('add up to 100, each within one of the exact share', () => {
    const counts = fc.array(fc.integer({ min: 0, max: 10 ** 9 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(counts, (values) => {
        const total = values.reduce((a, b) => a + b, 0);
        fc.pre(total > 0);
        const percents = wholePercents(values);
        expect(percents.reduce((a, b) => a + b, 0)).toBe(100);
        percents.forEach((percent, index) => {
          expect(Math.abs(percent - (values[index]! / total) * 100)).toBeLessThan(1);
        });
      }),
    );
  });

  it('give what is missing to the parts that lost most', () => {
    expect(wholePercents([1, 1, 1])).toEqual([34, 33, 33]);
    expect(wholePercents([120, 80, 7, 90, 33])).toEqual([37, 24, 2, 27, 10]);
  });

  it('call no part nothing, and none the whole beside another', () => {
    expect(percentTexts([1, 99_999, 0])).toEqual(['menos de 1%', 'mais de 99%', '0%']);
    expect(percentTexts([5, 0])).toEqual(['100%', '0%']);
  });

  it('are zero without a total', () => {
    expect(percentTexts([0, 0])).toEqual(['0%', '0%']);
    expect(percentTexts([])).toEqual([]);
  });
});

const part = (label: string, count: number, tone: StatusPart['tone'] = 'ended'): StatusPart => ({
  key: label,
  label,
  count,
  tone,
});

describe('debts by situation', () => {
  it('are summed up in a sentence', () => {
    expect(statusSentence([part('Na fila', 1200), part('Pagas', 800)])).toBe(
      '2.000 dívidas ao todo. A situação mais comum é “Na fila”, com 1.200 (60%).',
    );
    expect(statusSentence([part('Na fila', 0), part('Pagas', 1)])).toBe('1 dívida ao todo, na situação “Pagas”.');
    expect(statusSentence([part('Na fila', 0)])).toBe('Ainda não há dados');
  });

  it('never show two neighbours of one tone alike', () => {
    const tones = fc.array(fc.constantFrom('ended', 'contact', 'paid'), { maxLength: 11 });
    fc.assert(
      fc.property(tones, (given) => {
        const parts = given.map((tone, index) => part(String(index), 1, tone as StatusPart['tone']));
        const lighter = lighterParts(parts);
        parts.slice(1).forEach(({ tone }, index) => {
          if (tone === parts[index]!.tone) expect(lighter[index + 1]).not.toBe(lighter[index]);
        });
      }),
    );
  });
});

const band = (label: string, debts: number, amount: number): AgingBand => ({ label, debts, amount });

describe('the open amount by age', () => {
  const bands = [band('até 30 dias', 3, 0.1), band('31 a 60 dias', 1, 0.2), band('mais de 1 ano', 0, 0)];

  it('is summed without a lost centavo, and said in a sentence', () => {
    expect(openAmount(bands)).toBe(0.3);
    expect(agingSentence(bands)).toBe(
      'R$ 0,30 em cobrança em 4 dívidas. A faixa com mais valor é “31 a 60 dias”, com R$ 0,20 (67%).',
    );
    expect(agingSentence([band('até 30 dias', 1, 5)])).toBe('R$ 5,00 em cobrança em 1 dívida, na faixa “até 30 dias”.');
    expect(agingSentence([])).toBe('Ainda não há dados');
  });

  it('has a full bar for the most, a visible one for a little and none for nothing', () => {
    expect(barLengths([band('a', 1, 10 ** 12), band('b', 1, 0.01), band('c', 0, 0)])).toEqual([100, 0.5, 0]);
    expect(barLengths([band('a', 0, 0)])).toEqual([0]);
  });
});
