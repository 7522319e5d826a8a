import type { EntityManager } from '@mikro-orm/postgresql';
import { setNextContact } from '../../db/queries/contact-gate.ts';
import { nextMove } from '../../domain/collection-sequence.ts';
import { isLive } from '../../domain/debt-status.ts';
import type { DebtClock } from '../debts/clock.ts';
import { loadDebt } from '../debts/debt-context.ts';
import { ledgerFor, ledgerKeyOf, lockPersons, readLedgerRows } from '../messaging/contact-ledger.ts';
import { readSuppressions, suppressedBy } from '../messaging/suppressions.ts';
import { questionAbout } from './contact-question.ts';
import type { CollectionDeps } from './deps.ts';
import { nextOpening, reserveSlot } from './next-slot.ts';

/** After a message from the debtor, counts the wait to the next contact from now and reserves the slot that follows. */
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
  const debt = (await loadDebt(em, debtId, { forUpdate: true })) ?? seen;
  if (!isLive(debt.status)) return;
  const { number } = await deps.senderOf(debt);
  const suppressed = suppressedBy(await readSuppressions(em, [key]), { ...key, sender: number });
  const ledger = ledgerFor(await readLedgerRows(em, [key], now), key);
  const promiseLapsed = debt.status === 'PROMISED';
  const move = nextMove(deps.policy.sequence, { contactsMade: debt.step, anchorAt: now, promiseLapsed });
  const question = questionAbout(debt, deps.policy, { ledger, suppressed, now });
  const { at, slot } = nextOpening(question, move.notBefore);
  // A pause that still lasts is found again at that moment. With a `pausedAt`, the schedule that looks for ended pauses
  // would wake the debt each minute.
  await setNextContact(em, debtId, { nextContactAt: new Date(at ?? move.notBefore), pausedAt: null });
  await reserveSlot(em, deps, { key, clock, now, at: move.kind === 'exhausted' ? null : slot });
}
