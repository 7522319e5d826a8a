import type { EntityManager } from '@mikro-orm/postgresql';
import { type Charge, setProblem } from '../../db/queries/charges.ts';
import { recordEvents } from '../debts/record-events.ts';

/** Records why a charge cannot continue. The timeline shows each problem once, however often it occurs again. */
export async function recordProblem(
  em: EntityManager,
  charge: Pick<Charge, 'id' | 'debtId'>,
  problem: string,
  at: number,
): Promise<void> {
  if (!(await setProblem(em, charge.id, problem))) return;
  await recordEvents(em, charge.debtId, at, [{ kind: 'payment_changed', data: { paymentId: charge.id, problem } }]);
}
