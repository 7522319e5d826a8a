import type { Centavos } from '../../terms/rules/owed-on.ts';
import type { AgreementInWords, OffersAnswer } from './offers-answer.ts';

export interface Creditor {
  readonly name: string;
  /** 14 characters, without punctuation. It and the address may be null in the sandbox only: a real launch needs both. */
  readonly cnpj: string | null;
  readonly address: string | null;
  /** The contact address of the creditor's staff, and the only e-mail address that a text may name. */
  readonly email: string | null;
}

/**
 * The only facts that fill a text. There is neither CPF nor CNPJ of the debtor, and texts use only the first name of a
 * person.
 */
export interface MessageFacts {
  readonly debtorName: string;
  readonly debtorIsCompany: boolean;
  readonly creditor: Creditor;
  /** What is asked for; of a paid debt, what was paid. */
  readonly amountCentavos: number;
  /** The parts of the amount in centavos, where the client's terms add to the principal, now or later. */
  readonly charged?: Centavos | null;
  /** Local dates are `YYYY-MM-DD`. */
  readonly dueDate: string;
  readonly invoiceId: string | null;
  /** What the debt is for, in words that the debtor may read. */
  readonly description: string | null;
  /** Null when the text is about this debt alone; otherwise it speaks of all open debts of the person together. */
  readonly together: {
    readonly count: number;
    readonly amountCentavos: number;
    /** The parts of that sum, where terms add to any of the debts. */
    readonly charged?: Centavos | null;
  } | null;
  /** The debts that the debtor has just disputed, in words, when these are not all. */
  readonly disputed: string | null;
  /** The debtor says that it is paid, and a person at the client has been told. */
  readonly claimPassedOn?: boolean;
  /**
   * The page of the debt, or of the person when the text speaks of several debts. No text of ours names it under this
   * long address, which looks like fraud; staff may have copied it.
   */
  readonly checkoutUrl: string;
  /** The same page, as every text names it. */
  readonly shortUrl: string;
  /** The Pix code of a live charge, when there is one. */
  readonly brCode: string | null;
  readonly receiptUrl: string | null;
  /** The person's page of rights, and the same as short texts name it. */
  readonly rights?: { readonly url: string; readonly shortUrl: string } | null;
  /** What this turn has brought about offers. */
  readonly offered?: OffersAnswer | null;
  /** The agreement in which the debt is. */
  readonly agreement?: AgreementInWords | null;
}
