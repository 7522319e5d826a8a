import { describe, expect, it } from '@jest/globals';
import {
  clauseProblem,
  interestProblem,
  type LatePaymentTerms,
  LEGAL_LIMITS,
  percentProblem,
  termsFor,
} from './late-payment-terms.ts';

const TERMS: LatePaymentTerms = {
  effectiveFrom: '2026-01-01',
  finePercent: 2,
  interest: { kind: 'monthly', percent: 1 },
  correction: 'ipca',
  graceDays: 0,
  businessDayShift: true,
  clause: 'Contrato de matrícula, cláusula 7ª',
};
function problems(change: Partial<LatePaymentTerms>): string[] {
  const terms = { ...TERMS, ...change };
  return [interestProblem(terms.interest), clauseProblem(terms)]
    .filter((problem) => problem !== null)
    .map(({ pointer, code }) => `${pointer} ${code}`);
}

describe('terms of late payment', () => {
  it('takes what the law allows at most', () => {
    expect(problems({})).toEqual([]);
    expect([0, 1.15, 2].map((percent) => percentProblem(percent, LEGAL_LIMITS.fine))).toEqual([null, null, null]);
    expect(percentProblem(0.33, LEGAL_LIMITS.monthlyInterest)).toBeNull();
    expect(problems({ interest: { kind: 'legal', percent: null } })).toEqual([]);
  });

  it('refuses what is above the limit of the law, and names the law', () => {
    expect(percentProblem(2.01, LEGAL_LIMITS.fine)).toEqual({
      code: 'above_legal_limit',
      message: 'At most 2 percent is lawful: Código de Defesa do Consumidor, art. 52, § 1º',
    });
    expect(percentProblem(1.01, LEGAL_LIMITS.monthlyInterest)).toEqual({
      code: 'above_legal_limit',
      message: 'At most 1 percent is lawful: Decreto 22.626/1933, art. 1º, and Código Civil, art. 406',
    });
  });

  it('refuses more than two decimals and negative percentages', () => {
    for (const percent of [1.005, -1]) {
      expect(percentProblem(percent, LEGAL_LIMITS.fine)).toMatchObject({ code: 'invalid_value' });
    }
    expect(percentProblem(0.0333, LEGAL_LIMITS.monthlyInterest)).toMatchObject({ code: 'invalid_value' });
  });

  it('takes a percentage of monthly interest alone, and a nought beside any', () => {
    expect(problems({ interest: { kind: 'monthly', percent: null } })).toEqual(['/interest/percent required']);
    expect(problems({ interest: { kind: 'legal', percent: 1 } })).toEqual(['/interest/percent invalid_value']);
    expect(problems({ interest: { kind: 'none', percent: 0 } })).toEqual([]);
  });

  it('needs a clause for everything that is charged', () => {
    const nothing = {
      finePercent: 0,
      interest: { kind: 'none', percent: null },
      correction: 'none',
      clause: null,
    } as const;
    expect(problems(nothing)).toEqual([]);
    expect(problems({ ...nothing, finePercent: 0.01 })).toEqual(['/clause required']);
    expect(problems({ ...nothing, interest: { kind: 'legal', percent: null } })).toEqual(['/clause required']);
    expect(problems({ ...nothing, interest: { kind: 'monthly', percent: 1 } })).toEqual(['/clause required']);
    expect(problems({ ...nothing, correction: 'ipca' })).toEqual(['/clause required']);
  });

  it('gives a debt the latest version that began by its due date', () => {
    const versions = [
      { id: 1, effectiveFrom: '2026-01-01' },
      { id: 2, effectiveFrom: '2026-06-01' },
      { id: 3, effectiveFrom: '2026-03-01' },
      { id: 4, effectiveFrom: '2026-03-01' },
    ];
    expect(termsFor(versions, '2025-12-31')).toBeNull();
    expect(termsFor(versions, '2026-01-01')?.id).toBe(1);
    expect(termsFor(versions, '2026-05-31')?.id).toBe(4);
    expect(termsFor(versions, '2026-06-01')?.id).toBe(2);
  });
});
