import { DAY } from '../../../kernel/calendar.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { Policy } from '../../policy/use-cases/load-policy.ts';
import { waitingSince } from '../queries/contact-gate.ts';

/**
 * Returns whether a debt has found no free slot for as long as its whole sequence takes, which ends the sequence. A
 * debt ends in this way also when a suppression that another client received forbids contact. The decision uses only
 * the timeline that the client sees, and any debt without a free slot ends alike, so the end discloses nothing about
 * other clients.
 */
export async function waitedInVain(
  tx: Tx,
  { sequence }: Pick<Policy, 'sequence'>,
  debtId: string,
  now: number,
): Promise<boolean> {
  const since = await waitingSince(tx, debtId);
  if (since === null) return false;
  const longest = sequence.steps.reduce((days, step) => days + step.thenWaitDays, 0) * DAY;
  return now - since.getTime() >= longest;
}
