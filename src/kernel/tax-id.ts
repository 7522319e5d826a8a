import { maskCnpj } from './cnpj.ts';
import { maskCpf } from './cpf.ts';

/**
 * A debtor is known by a tax id: a natural person by the CPF (11 digits), a company by the CNPJ (14 characters). The
 * lengths differ, so the two never meet.
 */
const CNPJ_LENGTH = 14;

export const isCnpj = (taxId: string): boolean => taxId.length === CNPJ_LENGTH;

export interface MaskedTaxId {
  readonly kind: 'CPF' | 'CNPJ';
  readonly masked: string;
}

/** A debtor as documents name them. Stored receipts have one of the two members. */
export type MaskedDebtor = { readonly name: string } & (
  | { readonly cpfMasked: string }
  | { readonly cnpjMasked: string }
);

/** The tax id of an erased debtor is empty, and nothing of it is shown. */
function maskTaxId(taxId: string): MaskedTaxId {
  if (taxId === '') return { kind: 'CPF', masked: '***.***.***-**' };
  return isCnpj(taxId) ? { kind: 'CNPJ', masked: maskCnpj(taxId) } : { kind: 'CPF', masked: maskCpf(taxId) };
}

export function maskedDebtor(name: string, taxId: string): MaskedDebtor {
  const { kind, masked } = maskTaxId(taxId);
  return kind === 'CPF' ? { name, cpfMasked: masked } : { name, cnpjMasked: masked };
}

export const taxIdOf = (debtor: MaskedDebtor): MaskedTaxId =>
  'cpfMasked' in debtor ? { kind: 'CPF', masked: debtor.cpfMasked } : { kind: 'CNPJ', masked: debtor.cnpjMasked };
