import { formatReais } from '../../../kernel/money.ts';
import type { Component } from '../rules/credits.ts';
import type { Centavos } from '../rules/owed-on.ts';

/** What debtors and staff read for the parts of an amount. */
export const COMPONENT_NAMES: Readonly<Record<Component, string>> = {
  principal: 'Principal',
  fine: 'Multa',
  interest: 'Juros',
  correction: 'Correção',
};

/** The order in which the parts are read. */
export const COMPONENTS_SHOWN = ['principal', 'fine', 'interest', 'correction'] as const satisfies readonly Component[];

const IN_WORDS: Readonly<Record<Component, string>> = {
  principal: 'da conta',
  fine: 'de multa',
  interest: 'de juros',
  correction: 'de correção',
};

/**
 * Names the parts within a sentence: `R$ 1.000,00 da conta, R$ 20,00 de multa e R$ 5,00 de juros`. Returns null where
 * the principal is all that is owed.
 */
export function partsInWords(parts: Centavos, principal = IN_WORDS.principal): string | null {
  const shown = COMPONENTS_SHOWN.filter((component) => parts[component] > 0);
  if (shown.every((component) => component === 'principal')) return null;
  const words = shown.map(
    (component) => `${formatReais(parts[component])} ${component === 'principal' ? principal : IN_WORDS[component]}`,
  );
  return [words.slice(0, -1).join(', '), words.at(-1)].filter(Boolean).join(' e ');
}
