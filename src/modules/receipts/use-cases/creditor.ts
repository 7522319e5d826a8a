import type { ClientAddress } from '../../accounts/tables/client.ts';
import { addressLine } from '../../messaging/use-cases/debt-facts.ts';
import type { ReceiptFacts } from '../tables/receipt.ts';

interface CreditorRow {
  readonly creditorName: string;
  readonly creditorCnpj: string | null;
  readonly creditorAddress: ClientAddress | null;
}

/** The creditor as documents name it. */
export const creditorOf = (row: CreditorRow): ReceiptFacts['creditor'] => ({
  name: row.creditorName,
  cnpj: row.creditorCnpj,
  address: row.creditorAddress === null ? null : addressLine(row.creditorAddress),
});
