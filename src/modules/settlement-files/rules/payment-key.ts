import { keyOfEndToEnd } from '../../payments/rules/received-key.ts';
import { invoiceKeyOf, invoiceName } from './invoice-words.ts';
import type { ReceivedRow } from './received-row.ts';

/** Hides what a key is made of, so that nobody learns a CPF from it. */
export type Digest = (content: string) => string;

type Identified = Pick<
  ReceivedRow,
  'endToEndId' | 'sourceId' | 'ourNumber' | 'invoiceId' | 'taxId' | 'memo' | 'amountCentavos' | 'paidOn'
>;

/** Whether nothing but person, amount and day tells such a payment from another one. */
export const isAnonymous = ({ endToEndId, sourceId, ourNumber, invoiceId, memo }: Identified): boolean =>
  endToEndId === null && sourceId === null && ourNumber === null && invoiceId === null && memo === null;

/**
 * Returns what identifies a payment for ever, so that it counts once although several files tell of it: the number that
 * the banks gave it, else the one that its source gave it, else all that the row says.
 */
export function paymentKey(row: Identified, digest: Digest): string {
  const { endToEndId, sourceId, ourNumber, invoiceId, taxId, memo, amountCentavos, paidOn } = row;
  if (endToEndId !== null) return keyOfEndToEnd(endToEndId);
  if (sourceId !== null) return `own:${digest(`source/${sourceId}`)}`;
  const money = [amountCentavos, paidOn];
  const invoice = invoiceId === null ? '' : invoiceName(invoiceKeyOf(invoiceId));
  // Some banks leave the number of the boleto empty, or the same for all.
  if (ourNumber !== null) return `own:${digest(['boleto', invoiceName(ourNumber), invoice, ...money].join('/'))}`;
  if (invoiceId !== null) return `row:${digest(['invoice', invoice, ...money].join('/'))}`;
  return `row:${digest([taxId === null ? 'memo' : 'person', taxId ?? memo ?? '', ...money].join('/'))}`;
}

const kindOf = (key: string): string => key.slice(0, key.indexOf(':'));

/**
 * Returns whether two payments of one debt that have the same amount and day may be one. Numbers of the banks are never
 * given twice. Numbers of a source may be: some number the payments of each file from 1.
 */
export function compareKeys(one: string | null, other: string | null): 'same' | 'other' | 'unknown' {
  if (one === null || other === null || one === other) return 'same';
  if (kindOf(one) !== kindOf(other)) return 'same';
  if (kindOf(one) === 'e2e') return 'other';
  return kindOf(one) === 'own' ? 'unknown' : 'same';
}
