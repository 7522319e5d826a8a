import { addDays, type LocalDate } from '../../../kernel/calendar.ts';
import { AppError } from '../../../kernel/errors.ts';
import { toReais } from '../../../kernel/money.ts';
import type { SharedDeps } from '../../deps.ts';
import type { Component } from '../../terms/rules/credits.ts';
import { linesOf } from '../../terms/texts/formulas.ts';
import { debtNow } from './clock.ts';
import { currentRowOf, loadDebt } from './debt-context.ts';
import { debtorDay, owedOfDebt } from './owed.ts';

/** What is owed on a day, in reais. */
export interface Quote {
  readonly on: LocalDate;
  readonly dueDate: LocalDate;
  readonly countsFrom: LocalDate;
  readonly days: number;
  readonly originalAmount: number;
  /** What is open of each part. */
  readonly principal: number;
  readonly fine: number;
  readonly interest: number;
  readonly correction: number;
  readonly paid: number;
  readonly total: number;
  readonly lines: readonly { readonly component: Component; readonly amount: number; readonly formula: string }[];
  /** The months whose values are not there, such as `29543:2026-09`. */
  readonly missing: readonly string[];
  readonly terms: { readonly id: string; readonly clause: string | null } | null;
}

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
      return current === undefined ? null : loadDebt(tx, current);
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
      countsFrom: owed.countsFrom,
      days: owed.days,
      originalAmount: toReais(debt.amountCentavos),
      principal: toReais(owed.principal),
      fine: toReais(owed.fine),
      interest: toReais(owed.interest),
      correction: toReais(owed.correction),
      paid: toReais(owed.paid),
      total: toReais(owed.total),
      lines: linesOf(owed, terms).map(({ centavos, ...line }) => ({ ...line, amount: toReais(centavos) })),
      missing: owed.missing,
      terms: terms === null ? null : { id: terms.id, clause: terms.clause },
    };
  };
