import { isLive } from '../../../kernel/debt-status.ts';
import { addOutbox } from '../../../platform/database/add-outbox.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { clearPlanOutdated, waitCountsFrom } from '../../debts/queries/campaign-settings.ts';
import type { DebtClock, DebtTask } from '../../debts/rules/debt-task.ts';
import { momentOf } from '../../debts/use-cases/clock.ts';
import { type DebtContext, loadDebt, lockDebts } from '../../debts/use-cases/debt-context.ts';
import { openingAgain } from '../../debts/use-cases/inbox-items.ts';
import { ledgerKeyOf, lockPersons, readLedgerRows } from '../../messaging/use-cases/contact-ledger.ts';
import { numbersOf, policyChannelOf, wantedSenders } from '../../messaging/use-cases/deps.ts';
import { readSuppressions, suppressedBy } from '../../messaging/use-cases/suppressions.ts';
import { nextMove } from '../../policy/rules/collection-sequence.ts';
import { ledgerFor } from '../../policy/rules/contact-ledger.ts';
import { claimEndsAt } from '../../policy/rules/contact-policy.ts';
import { laterSlot, momentOfAll } from '../../policy/rules/next-slot.ts';
import type { CollectionDeps } from '../deps.ts';
import { questionAbout, sequenceOf } from '../gate/ask-policy.ts';
import { otherOpenDebts } from '../gate/debts-of-contact.ts';
import { reserveSlot } from '../gate/next-slot.ts';
import { setNextContact } from '../queries/contact-gate.ts';

/**
 * After a message from the debtor, counts the wait to the next contact from now for every open debt of the person, and
 * reserves the slots that follow.
 */
export async function planNextContact(
  tx: Tx,
  deps: CollectionDeps,
  debtId: string,
  clock: DebtClock,
  now: number,
): Promise<void> {
  const seen = await loadDebt(tx, debtId);
  if (seen === null || seen.erased) return;
  await lockPersons(tx, [ledgerKeyOf(seen, deps.personKeys)]);
  const open = await otherOpenDebts(tx, seen);
  await lockDebts(
    tx,
    [seen, ...open].map(({ id }) => id),
  );
  const debt = (await loadDebt(tx, debtId)) ?? seen;
  const debts = [debt, ...(await otherOpenDebts(tx, debt))].filter(({ status }) => isLive(status));
  const at = momentOfAll(now, debts);
  for (const each of debts) {
    const nextAt = await planAfterContact(tx, deps, each, clock, at);
    // The timer of another debt's workflow is set to a later moment.
    const isSooner = each.nextContactAt !== null && nextAt < each.nextContactAt.getTime();
    if (each.id !== debtId && isSooner) await addOutbox(tx, deps.workflows.wakeDebt(each, 'stateChanged'));
  }
}

/**
 * Counts the wait to the next contact of one debt from `now`, and reserves the slot. The person is locked. Returns the
 * moment at which the debt is decided about again.
 */
export async function planAfterContact(
  tx: Tx,
  deps: CollectionDeps,
  debt: DebtContext,
  clock: DebtClock,
  now: number,
): Promise<number> {
  const key = ledgerKeyOf(debt, deps.personKeys);
  const senders = await deps.sendersOf(tx, debt);
  const suppressed = suppressedBy(await readSuppressions(tx, [key]), { ...key, numbers: numbersOf(senders) });
  const ledger = ledgerFor(await readLedgerRows(tx, [key], now), key);
  const promiseLapsed = debt.status === 'PROMISED';
  const move = nextMove(sequenceOf(debt, deps.policy), { contactsMade: debt.step, anchorAt: now, promiseLapsed });
  const question = questionAbout(debt, deps.policy, {
    channel: policyChannelOf(wantedSenders(senders, debt)),
    ledger,
    suppressed,
    inboxWaiting: false,
    now,
  });
  const later = laterSlot(question, move.notBefore, debt.id);
  if (later.at !== null && debt.pausedAt !== null) await openingAgain(tx, debt.id);
  // At the end of the silence after a claim of payment, the claim is checked; no contact is made then.
  const claimEnds = claimEndsAt(question);
  const { at, slot } = claimEnds === null ? later : { at: claimEnds, slot: null };
  // A pause that still lasts is found again at that moment. With a `pausedAt`, the schedule that looks for ended pauses
  // would wake the debt each minute.
  const nextAt = at ?? move.notBefore;
  await setNextContact(tx, debt.id, { nextContactAt: new Date(nextAt), pausedAt: null });
  await reserveSlot(tx, deps, { key, clock, now, at: move.kind === 'exhausted' ? null : slot });
  return nextAt;
}

/**
 * After the settings of its campaign have changed, plans the next contact of a debt by the new ones: the wait counts from
 * the same moment as before. The gate decides about the contact itself in any case.
 */
export async function planAgain(deps: CollectionDeps, { clientId, debtId, clock }: DebtTask): Promise<void> {
  await deps.db.tenant(clientId).transactional(async (tx) => {
    const seen = await loadDebt(tx, debtId);
    if (seen === null) return;
    await lockPersons(tx, [ledgerKeyOf(seen, deps.personKeys)]);
    await lockDebts(tx, [debtId]);
    const debt = await loadDebt(tx, debtId);
    if (debt?.isPlanOutdated !== true) return;
    await clearPlanOutdated(tx, debtId);
    if (!isLive(debt.status) || debt.erased) return;
    const now = momentOf(clock, debt, deps.now().getTime());
    const from = debt.step === 0 ? null : await waitCountsFrom(tx, debtId);
    await planAfterContact(tx, deps, debt, clock, Math.min(now, from?.getTime() ?? now));
  });
}
