import type { EntityManager } from '@mikro-orm/postgresql';
import { runInTransaction } from '../../db/statement.ts';
import { DAY } from '../../domain/calendar.ts';
import type { Policy } from '../shared/load-policy.ts';

// The latest wait begins after the last event that is not itself a result of waiting.
const WAITING_SINCE = `
  select min(at) as since from debt_events
  where debt_id = $1 and kind = 'verdict' and data -> 'rules' = '["scheduling"]'::jsonb and seq > coalesce((
    select max(seq) from debt_events
    where debt_id = $1 and kind <> 'charge_created'
      and not (kind = 'verdict' and data -> 'rules' <@ '["scheduling", "window", "holidays"]'::jsonb)
  ), 0)`;

/**
 * Returns whether a debt has found no free slot for as long as its whole sequence takes, which ends the sequence. A debt
 * ends in this way also when a suppression that another client received forbids contact. The decision uses only the
 * timeline that the client sees, and any debt without a free slot ends alike, so the end discloses nothing about other
 * clients.
 */
export async function waitedInVain(
  em: EntityManager,
  { sequence }: Pick<Policy, 'sequence'>,
  debtId: string,
  now: number,
): Promise<boolean> {
  const [row] = await runInTransaction<{ since: Date | null }>(em, WAITING_SINCE, [debtId]);
  if (row === undefined || row.since === null) return false;
  const longest = sequence.steps.reduce((days, step) => days + step.thenWaitDays, 0) * DAY;
  return now - row.since.getTime() >= longest;
}
