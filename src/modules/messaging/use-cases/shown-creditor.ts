import type { LawfulGround } from '../../../kernel/lawful-ground.ts';
import type { DebtContext } from '../../debts/use-cases/debt-context.ts';
import { addressLine } from './debt-facts.ts';

/** The creditor as the pages of a debtor name it. */
export interface ShownCreditor {
  readonly name: string;
  readonly cnpj: string | null;
  readonly address: string | null;
  /** Null when the client shows no e-mail address. */
  readonly email: string | null;
  readonly lawfulGround: LawfulGround | null;
}

export const shownCreditor = (
  debt: Pick<DebtContext, 'clientName' | 'clientCnpj' | 'clientAddress' | 'contactEmail' | 'lawfulGround'>,
): ShownCreditor => ({
  name: debt.clientName,
  cnpj: debt.clientCnpj,
  address: debt.clientAddress === null ? null : addressLine(debt.clientAddress),
  email: debt.contactEmail,
  lawfulGround: debt.lawfulGround,
});
