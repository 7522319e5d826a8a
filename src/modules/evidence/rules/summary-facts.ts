import type { DebtStatus } from '../../../kernel/debt-status.ts';
import type { MaskedDebtor } from '../../../kernel/tax-id.ts';
import type { ErasureDuty } from './erasure-duties.ts';

/** Of what the summary of a pack tells. */
export interface SummaryFacts {
  readonly head: {
    readonly protocol: string;
    readonly issuedAt: Date;
    readonly sandbox: boolean;
    readonly creditor: { readonly name: string; readonly cnpj: string | null; readonly address: string | null };
    readonly debtor: MaskedDebtor;
    readonly verifyUrl: string;
    readonly utcOffset: number;
  };
  readonly debt: {
    readonly id: string;
    readonly status: DebtStatus;
    readonly originalAmountCentavos: number;
    readonly dueDate: string;
    readonly invoiceId: string | null;
    readonly description: string | null;
  };
  readonly chain: { readonly seq: number; readonly hash: string };
  readonly counts: readonly { readonly kind: string; readonly lines: number }[];
  readonly erased: readonly { readonly duty: ErasureDuty; readonly at: Date; readonly lines: number }[];
  readonly receipts: number;
  readonly agreements: number;
  /** The names of the packs that were used, with their versions. */
  readonly rules: readonly string[];
  /** The oldest of them first. */
  readonly latest: readonly {
    readonly at: Date;
    readonly kind: string;
    readonly content: Readonly<Record<string, unknown>> | null;
  }[];
}
