import type { EntityManager } from '@mikro-orm/postgresql';
import { runInTransaction } from '../../db/statement.ts';
import { DAY } from '../../domain/calendar.ts';
import type { Policy } from '../load-policy.ts';

// The latest wait begins after whatever happened to the debt that waiting itself does not bring.
const WAITING_SINCE = `
  select min(at) as since from debt_events
  where debt_id = $1 and kind = 'verdict' and data -> 'rules' = '["scheduling"]'::jsonb and seq > coalesce((
    select max(seq) from debt_events
    where debt_id = $1 and kind <> 'charge_created'
      and not (kind = 'verdict' and data -> 'rules' <@ '["scheduling", "window", "holidays"]'::jsonb)
  ), 0)`;

/**
 * A debt that found no room for as long as its whole sequence takes has come to the sequence's end. This is how a debt
 * ends whose debtor must not be contacted because of what another client was told: by the timeline that its client sees
 * alone, and as any debt would for which other clients' contacts leave no room, so that the end tells nothing more.
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
