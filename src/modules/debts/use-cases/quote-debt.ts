import { addDays, type LocalDate } from '../../../kernel/calendar.ts';
import { AppError } from '../../../kernel/errors.ts';
import { toReais } from '../../../kernel/money.ts';
import type { SharedDeps } from '../../deps.ts';
import type { Component } from '../../terms/rules/credits.ts';
import type { LatePaymentTerms } from '../../terms/rules/late-payment-terms.ts';
import type { Owed } from '../../terms/rules/owed-on.ts';
import { linesOf } from '../../terms/texts/formulas.ts';
import { debtNow } from './clock.ts';
import { currentRowOf, keptShareOfDebt, loadDebt } from './debt-context.ts';
import { debtorDay, owedOfDebt } from './owed.ts';

/** What is open of each part, in reais, and how it was computed. */
export interface QuotedAmounts {
  readonly countsFrom: LocalDate;
  readonly days: number;
  readonly principal: number;
  readonly fine: number;
  readonly interest: number;
  readonly correction: number;
  readonly total: number;
  readonly lines: readonly { readonly component: Component; readonly amount: number; readonly formula: string }[];
  /** The months whose values are not there, such as `29543:2026-09`. */
  readonly missing: readonly string[];
}

/** What is owed of a debt on a day. */
export interface Quote extends QuotedAmounts {
  readonly on: LocalDate;
  readonly dueDate: LocalDate;
  readonly originalAmount: number;
  readonly paid: number;
  readonly terms: { readonly id: string; readonly clause: string | null } | null;
}

export const quotedAmounts = (owed: Owed, terms: LatePaymentTerms | null): QuotedAmounts => ({
  countsFrom: owed.countsFrom,
  days: owed.days,
  principal: toReais(owed.principal),
  fine: toReais(owed.fine),
  interest: toReais(owed.interest),
  correction: toReais(owed.correction),
  total: toReais(owed.total),
  lines: linesOf(owed, terms).map(({ centavos, ...line }) => ({ ...line, amount: toReais(centavos) })),
  missing: owed.missing,
});

/** A quote for a day further ahead would be guesswork. */
const MAX_DAYS_AHEAD = 366;

const laterOf = (one: LocalDate, other: LocalDate): LocalDate => [one, other].toSorted()[1]!;

/** Returns what is owed of a debt on a day; without a day, today where the debtor lives. */
export const quoteDebt =
  ({ db, now, policy }: Pick<SharedDeps, 'db' | 'now' | 'policy'>) =>
  async ({
    clientId,
    debtId,
    on,
  }: {
    readonly clientId: string;
    readonly debtId: string;
    readonly on?: LocalDate | undefined;
  }): Promise<Quote> => {
    const debt = await db.tenant(clientId).transactional(async (tx) => {
      const current = await currentRowOf(tx, debtId);
      const found = current === undefined ? null : await loadDebt(tx, current);
      // An agreement in force says itself what is open of it. The quote is what the debt would be without it.
      return found?.status === 'AGREEMENT' ? { ...found, agreed: await keptShareOfDebt(tx, found.id) } : found;
    });
    if (debt === null) throw new AppError('not_found');
    const today = debtorDay(debt, debtNow(debt.clockOffsetMs, now().getTime()));
    const day = on ?? laterOf(today, debt.dueDate);
    if (day < debt.dueDate || (on !== undefined && day > addDays(today, MAX_DAYS_AHEAD))) {
      const message = `A date from the due date (${debt.dueDate}) to ${MAX_DAYS_AHEAD} days ahead`;
      throw new AppError('validation_failed', { errors: [{ parameter: 'on', code: 'date_invalid', message }] });
    }
    const owed = owedOfDebt(debt, day, policy.holidays);
    const { terms } = debt;
    return {
      on: day,
      dueDate: debt.dueDate,
      originalAmount: toReais(debt.amountCentavos),
      paid: toReais(owed.paid),
      ...quotedAmounts(owed, terms),
      terms: terms === null ? null : { id: terms.id, clause: terms.clause },
    };
  };
