import type { Tx } from '../../../platform/database/tx.ts';
import type { ChargeProblem } from '../../debts/rules/timeline-entry.ts';
import { recordEntries } from '../../debts/use-cases/record-entries.ts';
import { type Charge, setProblem } from '../queries/charges.ts';

/** Records why a charge cannot continue. The timeline shows each problem once, however often it occurs again. */
export async function recordProblem(
  tx: Tx,
  charge: Pick<Charge, 'id' | 'debtId'>,
  problem: ChargeProblem,
  at: number,
): Promise<void> {
  if (!(await setProblem(tx, charge.id, problem))) return;
  await recordEntries(tx, charge.debtId, at, [{ kind: 'payment_changed', paymentId: charge.id, problem }]);
}
