import type { LocalDate } from '../../../kernel/calendar.ts';
import { type AgreementMoney, agreedRest, instalmentStates } from '../../agreements/rules/agreement-state.ts';
import type { Credit } from '../../terms/rules/credits.ts';
import { type IndebtedFor, owedOn } from '../../terms/rules/owed-on.ts';

/** What decides how much is owed of a debt. */
export interface DebtAmounts {
  readonly indebted: IndebtedFor;
  readonly credits: readonly Credit[];
  /** The agreement that decides what is owed, with all of its money. */
  readonly agreement: (AgreementMoney & { readonly id: string }) | null;
  /** The debtor's day of a moment, by the debt's own clock. */
  readonly dayOf: (at: Date) => LocalDate;
}

/** A debt as a row of a file may be about it. It is the current one of its rows. */
export interface MatchableDebt {
  readonly id: string;
  readonly sandbox: boolean;
  readonly taxId: string;
  readonly invoiceId: string | null;
  readonly dueDate: LocalDate;
  readonly isPaid: boolean;
  /** Money of any debt of an agreement is money of the agreement. */
  readonly agreementId: string | null;
  /** Absent where only the invoice decides. */
  readonly amounts: DebtAmounts | null;
}

/** What a file pays of a debt before the row that is matched. */
export interface PaidByFile {
  readonly amountCentavos: number;
  readonly paidAt: Date;
}

/** Returns the amounts that would settle a debt on a day, or pay what is next of its agreement; none when all is paid. */
export function fittingAmounts(
  { amounts, isPaid }: MatchableDebt,
  paidAt: Date,
  byFile: readonly PaidByFile[],
): readonly number[] {
  if (amounts === null) return [];
  const { agreement, indebted, credits, dayOf } = amounts;
  const day = dayOf(paidAt);
  const money = byFile.map((one) => ({ amountCentavos: one.amountCentavos, on: dayOf(one.paidAt) }));
  if (agreement !== null) {
    const paid = { ...agreement, payments: [...agreement.payments, ...money] };
    const next = instalmentStates(paid, day).find(({ openCentavos }) => openCentavos > 0);
    return [next?.openCentavos ?? 0, agreedRest(paid)].filter((amount) => amount > 0);
  }
  if (isPaid) return [];
  let all = credits;
  for (const credit of money) {
    const { principal } = owedOn({ ...indebted, credits: all, on: credit.on });
    all = [...all, { ...credit, waivesRest: credit.amountCentavos >= principal }];
  }
  const { total, principal } = owedOn({ ...indebted, credits: all, on: day });
  return principal > 0 ? [total, principal] : [];
}
