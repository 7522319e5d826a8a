import { isLive } from '../../../kernel/debt-status.ts';
import { addOutbox } from '../../../platform/database/add-outbox.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { clearPlanOutdated, isBackInCollection, waitCountsFrom } from '../../debts/queries/campaign-settings.ts';
import { nextContactsOfPersons } from '../../debts/queries/later-debts.ts';
import type { DebtClock, DebtTask } from '../../debts/rules/debt-task.ts';
import { momentOf } from '../../debts/use-cases/clock.ts';
import { type DebtContext, loadDebt, lockDebts } from '../../debts/use-cases/debt-context.ts';
import { openingAgain } from '../../debts/use-cases/inbox-items.ts';
import { ledgerKeyOf, lockPersons, readLedgerRows } from '../../messaging/use-cases/contact-ledger.ts';
import { numbersOf, policyChannelOf, wantedSenders } from '../../messaging/use-cases/deps.ts';
import { readSuppressions, suppressedBy } from '../../messaging/use-cases/suppressions.ts';
import { nextMove } from '../../policy/rules/collection-sequence.ts';
import { ledgerFor } from '../../policy/rules/contact-ledger.ts';
import { claimEndsAt, purposeOf } from '../../policy/rules/contact-policy.ts';
import { laterSlot, momentOfAll } from '../../policy/rules/next-slot.ts';
import type { CollectionDeps } from '../deps.ts';
import { questionAbout, sequenceOf } from '../gate/ask-policy.ts';
import { otherOpenDebts } from '../gate/debts-of-contact.ts';
import { reserveSlot } from '../gate/next-slot.ts';
import { setNextContact } from '../queries/contact-gate.ts';

/** Of the person of a debt that was read before. */
async function lockOpenDebts(
  tx: Tx,
  deps: CollectionDeps,
  seen: DebtContext,
): Promise<{ readonly debt: DebtContext; readonly others: readonly DebtContext[] }> {
  // Erased debts of different persons have the same empty CPF.
  const othersOf = async (debt: DebtContext) => (debt.erased ? [] : otherOpenDebts(tx, debt));
  await lockPersons(tx, [ledgerKeyOf(seen, deps.personKeys)]);
  await lockDebts(
    tx,
    [seen, ...(await othersOf(seen))].map(({ id }) => id),
  );
  const debt = (await loadDebt(tx, seen.id)) ?? seen;
  return { debt, others: await othersOf(debt) };
}

const isBegun = ({ step }: DebtContext): boolean => step > 0;

/** The moment from which the wait to the next contact counts. */
interface WaitFrom {
  readonly at: number;
  /** The debt has come back into collection since its last contact, so that there is no wait. */
  readonly isBack: boolean;
}

/** The timer of another debt's workflow may be set to a later moment. */
async function planOther(
  tx: Tx,
  deps: CollectionDeps,
  other: DebtContext,
  clock: DebtClock,
  from: WaitFrom,
): Promise<void> {
  const nextAt = await planFrom(tx, deps, other, clock, from);
  const isSooner = other.nextContactAt !== null && nextAt < other.nextContactAt.getTime();
  if (isSooner) await addOutbox(tx, deps.workflows.wakeDebt(other, 'stateChanged'));
}

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
  const { debt, others } = await lockOpenDebts(tx, deps, seen);
  const debts = [debt, ...others].filter(({ status }) => isLive(status));
  const at = momentOfAll(now, debts);
  // A debt that was never asked for joins the next message about the others, so theirs are planned before.
  const inOrder = [...debts.filter(isBegun), ...debts.filter((each) => !isBegun(each))];
  for (const each of inOrder) {
    if (each.id === debtId) await planAfterContact(tx, deps, each, clock, at);
    else await planOther(tx, deps, each, clock, { at, isBack: false });
  }
}

/**
 * Counts the wait to the next contact of one debt from `now`, and reserves the slot. A first contact has no wait, and is
 * made with the next message to the person instead of a message of its own. The person is locked. Returns the moment at
 * which the debt is decided about again.
 */
export const planAfterContact = (
  tx: Tx,
  deps: CollectionDeps,
  debt: DebtContext,
  clock: DebtClock,
  now: number,
): Promise<number> => planFrom(tx, deps, debt, clock, { at: now, isBack: false });

async function planFrom(
  tx: Tx,
  deps: CollectionDeps,
  debt: DebtContext,
  clock: DebtClock,
  { at: now, isBack }: WaitFrom,
): Promise<number> {
  const key = ledgerKeyOf(debt, deps.personKeys);
  const senders = await deps.sendersOf(tx, debt);
  const suppressed = suppressedBy(await readSuppressions(tx, [key]), { ...key, numbers: numbersOf(senders) });
  const ledger = ledgerFor(await readLedgerRows(tx, [key], now), key);
  const promiseLapsed = debt.status === 'PROMISED';
  const move = nextMove(sequenceOf(debt, deps.policy), {
    contactsMade: debt.step,
    anchorAt: now,
    promiseLapsed,
    isBack,
  });
  const question = questionAbout(debt, deps.policy, {
    channel: policyChannelOf(wantedSenders(senders, debt)),
    ledger,
    suppressed,
    inboxWaiting: false,
    now,
  });
  const joinsAt = purposeOf(question) === 'collection' ? await nextMessageToJoin(tx, deps, debt) : null;
  const own = laterSlot(question, move.notBefore, debt.id);
  const joined = joinsAt === null || joinsAt <= move.notBefore ? null : laterSlot(question, joinsAt, debt.id);
  const later = joined?.at == null ? own : joined;
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

/** Returns when the person next gets a message about debts that are in their sequence, for a debt that is not. */
async function nextMessageToJoin(tx: Tx, deps: CollectionDeps, debt: DebtContext): Promise<number | null> {
  if (isBegun(debt) || debt.erased) return null;
  const steps = deps.policy.sequence.steps.length;
  const moments = await nextContactsOfPersons(tx, [debt.id], { steps, begun: true });
  return moments.get(debt.id)?.getTime() ?? null;
}

/**
 * After the settings of its campaign have changed, plans the next contact of a debt by the new ones: the wait counts from
 * the same moment as before, and a contact that was due at once still is. The gate decides about the contact itself in any
 * case.
 */
export async function planAgain(deps: CollectionDeps, { clientId, debtId, clock }: DebtTask): Promise<void> {
  await deps.db.tenant(clientId).transactional(async (tx) => {
    const seen = await loadDebt(tx, debtId);
    if (seen === null) return;
    const { debt, others } = await lockOpenDebts(tx, deps, seen);
    if (!debt.isPlanOutdated) return;
    await clearPlanOutdated(tx, debtId);
    if (!isLive(debt.status) || debt.erased) return;
    const now = momentOf(clock, debt, deps.now().getTime());
    // The message that a first contact joins is planned by the new settings before.
    const before = isBegun(debt)
      ? []
      : others.filter((other) => isLive(other.status) && isBegun(other) && other.isPlanOutdated);
    for (const other of before) {
      await clearPlanOutdated(tx, other.id);
      await planOther(tx, deps, other, clock, await countsFrom(tx, other, now));
    }
    await planFrom(tx, deps, debt, clock, await countsFrom(tx, debt, now));
  });
}

/** Returns the moment from which the wait to the next contact of a debt counts. A debt that is back has no wait. */
async function countsFrom(tx: Tx, debt: DebtContext, now: number): Promise<WaitFrom> {
  if (!isBegun(debt)) return { at: now, isBack: false };
  if (await isBackInCollection(tx, debt)) return { at: now, isBack: true };
  const from = await waitCountsFrom(tx, debt.id);
  return { at: Math.min(now, from?.getTime() ?? now), isBack: false };
}
