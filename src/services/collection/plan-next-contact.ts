import type { EntityManager } from '@mikro-orm/postgresql';
import { runInTransaction } from '../../db/statement.ts';
import { nextMove } from '../../domain/collection-sequence.ts';
import { isLive } from '../../domain/debt-status.ts';
import type { DebtClock } from './clock.ts';
import { ledgerFor, lockPersons, readLedgerRows } from './contact-ledger.ts';
import { ledgerKeyOf, questionAbout } from './contact-question.ts';
import { loadDebt } from './debt-context.ts';
import type { CollectionDeps } from './deps.ts';
import { holdSlot, nextTurn } from './next-slot.ts';
import { readSuppressions, suppressedBy } from './suppressions.ts';

// A pause that still lasts is found again at that moment; one that does not must not be looked for each minute.
const NEXT = 'update debts set next_contact_at = $2, paused_at = null, updated_at = now() where id = $1';

/** After news from the debtor the sequence counts anew from now, and holds the slot that follows. */
export async function planNextContact(
  em: EntityManager,
  deps: CollectionDeps,
  debtId: string,
  clock: DebtClock,
  now: number,
): Promise<void> {
  const seen = await loadDebt(em, debtId);
  if (seen === null || !isLive(seen.status)) return;
  const key = ledgerKeyOf(seen, deps.personKeys);
  await lockPersons(em, [key]);
  const debt = (await loadDebt(em, debtId, { hold: true })) ?? seen;
  if (!isLive(debt.status)) return;
  const { number } = await deps.senderOf(debt);
  const suppressed = suppressedBy(await readSuppressions(em, [key]), { ...key, sender: number });
  const ledger = ledgerFor(await readLedgerRows(em, [key], now), key);
  const promiseLapsed = debt.status === 'PROMISED';
  const move = nextMove(deps.policy.sequence, { contactsMade: debt.step, anchorAt: now, promiseLapsed });
  const question = questionAbout(debt, deps.policy, { ledger, suppressed, now });
  const { at, slot } = nextTurn(question, move.notBefore);
  await runInTransaction(em, NEXT, [debtId, new Date(at ?? move.notBefore)]);
  await holdSlot(em, deps, { key, clock, now, at: move.kind === 'exhausted' ? null : slot });
}
