import type { Component } from '../rules/credits.ts';

/** What debtors and staff read for the parts of an amount. */
export const COMPONENT_NAMES: Readonly<Record<Component, string>> = {
  principal: 'Principal',
  fine: 'Multa',
  interest: 'Juros',
  correction: 'Correção',
};

/** The order in which the parts are read. */
export const COMPONENTS_SHOWN = ['principal', 'fine', 'interest', 'correction'] as const satisfies readonly Component[];
