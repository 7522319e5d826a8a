import { formatReais } from '../../../kernel/money.ts';
import type { Component } from '../rules/credits.ts';
import type { LatePaymentTerms } from '../rules/late-payment-terms.ts';
import type { Owed, Period } from '../rules/owed-on.ts';
import { COMPONENTS_SHOWN } from './components.ts';

/** `1.5` becomes `1,5 %`. */
const percent = (value: number): string => `${String(value).replace('.', ',')} %`;

const days = (count: number): string => (count === 1 ? '1 dia' : `${count} dias`);

const each = (periods: readonly Period[], of: (period: Period) => string): string => periods.map(of).join(' + ');

const less = (owed: Owed, component: Component): string => {
  const credited = owed.parts.reduce((sum, { credited: of, waived }) => sum + of[component] + waived[component], 0);
  return credited === 0 ? '' : ` − ${formatReais(credited)} já pagos`;
};

/** One part of what is owed, and how it was computed, as staff and debtors may read it. */
export interface OwedLine {
  readonly component: Component;
  readonly centavos: number;
  readonly formula: string;
}

/** Returns the principal and what was added to it. */
export const linesOf = (owed: Owed, terms: LatePaymentTerms | null): OwedLine[] =>
  COMPONENTS_SHOWN.filter((component) => component === 'principal' || owed[component] > 0).map((component) => ({
    component,
    centavos: owed[component],
    formula: formulaOf(component, owed, terms),
  }));

function formulaOf(component: Component, owed: Owed, terms: LatePaymentTerms | null): string {
  const { periods } = owed;
  if (component === 'principal' || terms === null) {
    const paid = owed.parts.reduce((sum, { credited }) => sum + credited.principal, 0);
    return paid === 0 ? 'valor original' : `valor original − ${formatReais(paid)} já pagos`;
  }
  if (component === 'fine') {
    const [first] = periods;
    return `${percent(terms.finePercent)} de ${formatReais(first?.principal ?? 0)}, uma única vez${less(owed, 'fine')}`;
  }
  if (component === 'correction') return `IPCA dos meses inteiros desde o vencimento${less(owed, 'correction')}`;
  if (terms.interest.kind === 'legal') {
    const counted = each(periods, (period) => `${formatReais(period.corrected)} por ${days(period.days)}`);
    return `Taxa Legal, simples, sobre ${counted}${less(owed, 'interest')}`;
  }
  const rate = percent(terms.interest.percent ?? 0);
  return `${each(periods, (period) => `${formatReais(period.principal)} × ${rate} ÷ 30 × ${days(period.days)}`)}${less(owed, 'interest')}`;
}
