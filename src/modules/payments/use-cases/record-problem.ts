import type { Tx } from '../../../platform/database/tx.ts';
import { recordEvents } from '../../debts/use-cases/record-events.ts';
import { type Charge, setProblem } from '../queries/charges.ts';

/** Records why a charge cannot continue. The timeline shows each problem once, however often it occurs again. */
export async function recordProblem(
  tx: Tx,
  charge: Pick<Charge, 'id' | 'debtId'>,
  problem: string,
  at: number,
): Promise<void> {
  if (!(await setProblem(tx, charge.id, problem))) return;
  await recordEvents(tx, charge.debtId, at, [{ kind: 'payment_changed', data: { paymentId: charge.id, problem } }]);
}
