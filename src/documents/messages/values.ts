import { firstNameOf } from '../../domain/first-name.ts';

/** What a text is filled from; the same shape as the port's `DebtFacts`, of which documents know nothing. */
export interface MessageFacts {
  readonly debtorName: string;
  readonly creditor: {
    readonly name: string;
    readonly cnpj: string | null;
    readonly address: string | null;
    readonly email: string | null;
  };
  readonly amountCentavos: number;
  readonly dueDate: string;
  readonly invoiceId: string | null;
  readonly checkoutUrl: string;
  readonly brCode: string | null;
  readonly receiptUrl: string | null;
}

export type MessageValues = Readonly<Record<string, string>>;

export const formatAmount = (centavos: number): string => {
  const reais = String(Math.trunc(centavos / 100)).replace(/\B(?=(\d{3})+(?!\d))/g, '.');
  return `R$ ${reais},${String(centavos % 100).padStart(2, '0')}`;
};

export const formatDate = (date: string): string => date.split('-').reverse().join('/');

export const formatCnpj = (cnpj: string): string =>
  cnpj.replace(/^(\w{2})(\w{3})(\w{3})(\w{4})(\w{2})$/, '$1.$2.$3/$4-$5');

/** Only what is known is present, so a template that needs more than that cannot be filled. */
export const messageValues = (facts: MessageFacts, promisedDate: string | null = null): MessageValues => {
  const optional: Record<string, string | null> = {
    cnpj: facts.creditor.cnpj === null ? null : formatCnpj(facts.creditor.cnpj),
    address: facts.creditor.address,
    creditorEmail: facts.creditor.email,
    invoiceId: facts.invoiceId,
    brCode: facts.brCode,
    receiptUrl: facts.receiptUrl,
    promisedDate: promisedDate === null ? null : formatDate(promisedDate),
  };
  const known = Object.entries(optional).filter((entry): entry is [string, string] => entry[1] !== null);
  return {
    firstName: firstNameOf(facts.debtorName),
    creditor: facts.creditor.name,
    amount: formatAmount(facts.amountCentavos),
    dueDate: formatDate(facts.dueDate),
    link: facts.checkoutUrl,
    ...Object.fromEntries(known),
  };
};
