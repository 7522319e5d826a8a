import type { LatePaymentTerms } from '../src/modules/terms/rules/late-payment-terms.ts';

/** All that the law allows beside a correction: a fine of 2 %, and 1 % a month. */
export const TERMS: LatePaymentTerms = {
  effectiveFrom: '2020-01-01',
  finePercent: 2,
  interest: { kind: 'monthly', percent: 1 },
  correction: 'none',
  graceDays: 0,
  businessDayShift: false,
  clause: 'Contrato, cláusula 7',
};
