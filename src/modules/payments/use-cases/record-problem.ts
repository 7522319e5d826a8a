import type { EntityManager } from '@mikro-orm/postgresql';
import { recordEvents } from '../../debts/use-cases/record-events.ts';
import { type Charge, setProblem } from '../queries/charges.ts';

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
