import type { ImportJsonBody, ImportJsonResult } from '../../api/client.ts';
import { parseDay } from '../../day.ts';
import { parseReais } from '../../reais.ts';
import { IMPORT_FIELD, problemText } from '../../texts/import-problems.ts';

type Debt = ImportJsonBody['debts'][number];
type Problem = ImportJsonResult['errors'][number];

/** A CNPJ has 14 characters without its punctuation, and may have letters; a CPF has 11 digits. */
const isCnpj = (taxId: string): boolean => taxId.replaceAll(/[^0-9a-z]/gi, '').length > 11;

/** The debt that the form describes. An amount that cannot be read is sent as zero, for the server to refuse. */
export function debtOf(read: (name: string) => string): Debt {
  const taxId = read('taxId');
  const [invoiceId, debtorEmail, description] = [read('invoiceId'), read('debtorEmail'), read('description')];
  return {
    debtorName: read('debtorName'),
    ...(isCnpj(taxId) ? { debtorCnpj: taxId } : { debtorCpf: taxId }),
    debtorPhone: read('debtorPhone'),
    originalAmount: parseReais(read('originalAmount')) ?? 0,
    dueDate: parseDay(read('dueDate'), { short: true }) ?? read('dueDate'),
    ...(invoiceId !== '' && { invoiceId }),
    ...(debtorEmail !== '' && { debtorEmail }),
    ...(description !== '' && { description }),
  };
}

const FIELD_OF: Readonly<Record<string, keyof typeof IMPORT_FIELD>> = {
  debtorCpf: 'debtorTaxId',
  debtorCnpj: 'debtorTaxId',
};

/** The sentence about a member of the only debt that was sent; undefined when it is fine. */
export function sentenceAt(errors: readonly Problem[], ...members: readonly string[]): string | undefined {
  const found = errors.find(({ pointer }) => members.includes(pointer.replace(/^\/debts\/0\/([^/]+).*$/, '$1')));
  if (found === undefined) return undefined;
  const member = members[0] ?? '';
  return problemText(
    FIELD_OF[member] ?? (member in IMPORT_FIELD ? (member as keyof typeof IMPORT_FIELD) : null),
    found.code,
  );
}
