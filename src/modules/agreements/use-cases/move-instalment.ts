import type { LocalDate } from '../../../kernel/calendar.ts';
import { addOutbox } from '../../../platform/database/add-outbox.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { debtNow } from '../../debts/use-cases/clock.ts';
import { type DebtContext, loadDebt, lockDebts } from '../../debts/use-cases/debt-context.ts';
import { indebtedFor } from '../../debts/use-cases/owed.ts';
import { recordEntries } from '../../debts/use-cases/record-entries.ts';
import type { SharedDeps } from '../../deps.ts';
import { nextBusinessDay } from '../../terms/rules/counted-days.ts';
import { readAgreement, type StoredAgreement, updateAgreement } from '../queries/agreements.ts';
import { movableDays } from '../rules/movable-days.ts';
import { dayOfAgreement, statesOf } from './read-agreements.ts';

type MoveDeps = Pick<SharedDeps, 'now' | 'policy' | 'workflows'>;

export interface Move {
  readonly agreementId: string;
  readonly instalment: number;
  readonly to: LocalDate;
}

/** `unchanged`: the instalment is due on that day already, as when the form is sent twice. */
export type Moved = 'moved' | 'unchanged' | 'refused';

/** Returns the days to which the debtor may move the instalments of an agreement, of which `debt` is one. */
export const movableDaysOf = (
  { now, policy }: Pick<MoveDeps, 'now' | 'policy'>,
  agreement: StoredAgreement,
  debt: DebtContext,
): ReadonlyMap<number, readonly LocalDate[]> => {
  const today = dayOfAgreement(agreement, now().getTime());
  const { calendar } = indebtedFor(debt, policy.holidays);
  return movableDays(statesOf(agreement, today), { today, movesLeft: agreement.movesLeft, calendar });
};

/** Moves an instalment to the business day that the debtor asks for, in the caller's transaction. */
export async function moveInstalment(tx: Tx, deps: MoveDeps, { agreementId, instalment, to }: Move): Promise<Moved> {
  const seen = await readAgreement(tx, agreementId);
  if (seen === undefined) return 'refused';
  await lockDebts(
    tx,
    seen.debts.map(({ debtId }) => debtId),
  );
  // What another request has changed while the locks were waited for.
  const agreement = await readAgreement(tx, agreementId);
  const debt = await loadDebt(tx, seen.debtId);
  const from = agreement?.instalments.find(({ number }) => number === instalment)?.dueDate;
  if (agreement === undefined || debt === null || from === undefined) return 'refused';
  const { calendar } = indebtedFor(debt, deps.policy.holidays);
  const dueDate = nextBusinessDay(calendar, to);
  if (agreement.status === 'ACTIVE' && dueDate === from) return 'unchanged';
  if (movableDaysOf(deps, agreement, debt).get(instalment)?.includes(dueDate) !== true) return 'refused';
  await updateAgreement(tx, agreementId, {
    instalments: agreement.instalments.map((one) => (one.number === instalment ? { ...one, dueDate } : one)),
    movesLeft: agreement.movesLeft - 1,
    // What was told was about the other day: the debtor is reminded of the new one, and warned before any breach.
    notices: agreement.notices.filter((notice) => notice.instalment !== instalment),
  });
  const { protocol } = agreement;
  for (const { debtId } of agreement.debts) {
    const at = debtNow((await loadDebt(tx, debtId))?.clockOffsetMs ?? 0, deps.now().getTime());
    await recordEntries(tx, debtId, at, [
      { kind: 'agreement_changed', agreementId, protocol, change: 'moved', instalment, from, to: dueDate },
    ]);
  }
  await addOutbox(tx, deps.workflows.wakeAgreement(agreement, 'stateChanged'));
  return 'moved';
}
