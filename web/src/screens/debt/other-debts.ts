import type { FoundDebt, GetDebtResult } from '../../api/client.ts';

type Person = Pick<GetDebtResult, 'id' | 'debtorCpf' | 'debtorCnpj'>;
type Found = Pick<FoundDebt, 'id' | 'debtorCpf' | 'debtorCnpj' | 'owedToday' | 'sandbox' | 'status'>;

/** Nothing is owed any more of a debt that is paid, or whose collection the company has ended. */
const ENDED: ReadonlySet<FoundDebt['status']> = new Set(['PAID', 'STOPPED']);

/**
 * What to search for the person's debts by; null when the data were erased, and for an auditor, who reads only the end of
 * the number.
 */
export function taxIdOf({ debtorCpf, debtorCnpj }: Pick<Person, 'debtorCpf' | 'debtorCnpj'>): string | null {
  const taxId = debtorCpf ?? debtorCnpj ?? '';
  return taxId === '' || taxId.includes('*') ? null : taxId;
}

/**
 * The other debts of the same person. A search by a CPF also finds a phone of the same digits, and a row that a later
 * import has replaced is the same debt twice. Simulated debts never stand beside real ones.
 */
export function othersOf<F extends Found>(person: Person, found: readonly F[]): readonly F[] {
  const own = found.find(({ id }) => id === person.id);
  const isOther = (one: F): boolean =>
    one.id !== person.id &&
    one.owedToday !== null &&
    taxIdOf(one) === taxIdOf(person) &&
    one.sandbox === (own?.sandbox ?? one.sandbox);
  return found.filter(isOther);
}

/** What is open of these debts together, in reais. */
export const openOf = (debts: readonly Found[]): number =>
  debts.reduce(
    (centavos, { status, owedToday }) => centavos + (ENDED.has(status) ? 0 : Math.round((owedToday ?? 0) * 100)),
    0,
  ) / 100;
