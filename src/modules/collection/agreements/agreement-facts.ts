import type { Tx } from '../../../platform/database/tx.ts';
import type { AgreementFacts, Notice } from '../../agreements/rules/agreement-state.ts';
import { activeAgreementOf } from '../../agreements/use-cases/accept-offer.ts';
import { dayOfAgreement, paidCentavos, statesOf } from '../../agreements/use-cases/read-agreements.ts';
import type { DebtClock } from '../../debts/rules/debt-task.ts';
import { momentOf } from '../../debts/use-cases/clock.ts';
import type { DebtContext } from '../../debts/use-cases/debt-context.ts';
import { indebtedFor } from '../../debts/use-cases/owed.ts';
import type { LockedAgreement } from '../../payments/use-cases/agreement-money.ts';
import type { CollectionDeps } from '../deps.ts';

/** A notice that is due now. */
export interface DueNotice {
  readonly instalment: number;
  readonly notice: Notice;
  /** The debt to whose debtor it goes, as it was when the notice was found due. */
  readonly debt: DebtContext;
  /** The moment at which it was found due. */
  readonly at: number;
}

/** A locked agreement whose notices are those that did not fail. */
export interface NotifiedAgreement extends LockedAgreement {
  /** The messages of notices of which nobody knows whether they were sent. */
  readonly unsureMessages: readonly string[];
}

/** The facts by which an agreement decides what to do. */
export const factsOfAgreement = (
  deps: Pick<CollectionDeps, 'policy'>,
  { agreement, rows, unsureMessages }: NotifiedAgreement,
): AgreementFacts => ({
  ...agreement,
  unsureMessages,
  calendar: indebtedFor(rows[0]!, deps.policy.holidays).calendar,
  // Who says that it is paid was told that nothing is sent until the staff have looked, so nothing is broken either.
  isStopped:
    agreement.stoppedBecause !== null ||
    rows[0]!.clientStatus === 'CANCELLED' ||
    rows[0]!.requests.includes('said_paid'),
});

/** Whether money has come for the agreement of a debt, and nothing is due of it today or was before. */
export async function isPaidSoFar(
  tx: Tx,
  deps: Pick<CollectionDeps, 'now'>,
  { id, status }: Pick<DebtContext, 'id' | 'status'>,
): Promise<boolean> {
  const agreement = status === 'AGREEMENT' ? await activeAgreementOf(tx, id) : undefined;
  if (agreement === undefined || paidCentavos(agreement) === 0) return false;
  const today = dayOfAgreement(agreement, deps.now().getTime());
  return statesOf(agreement, today).every((each) => each.status === 'APPROVED' || each.dueDate > today);
}

/** The moment of an agreement's work. No timeline goes back, so it is not earlier than the latest event of its debts. */
export const momentOfWork = (
  deps: Pick<CollectionDeps, 'now'>,
  clock: DebtClock,
  { rows }: Pick<LockedAgreement, 'rows'>,
): number => Math.max(...rows.map((row) => momentOf(clock, row, deps.now().getTime())));
