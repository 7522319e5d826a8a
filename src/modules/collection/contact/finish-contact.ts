import { isLive } from '../../../kernel/debt-status.ts';
import { addOutbox } from '../../../platform/database/add-outbox.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { type DebtContext, loadDebt } from '../../debts/use-cases/debt-context.ts';
import { tellOfWaiting } from '../../debts/use-cases/inbox-items.ts';
import { moveDebt } from '../../debts/use-cases/move-debt.ts';
import { unbookContact } from '../../messaging/queries/contact-ledger.ts';
import { failuresOfSender, markSenderFailed } from '../../messaging/queries/messages.ts';
import { type FailureCause, saysNothingOfPhone } from '../../messaging/use-cases/attempt-to-send.ts';
import { candidatesFor } from '../../messaging/use-cases/candidates.ts';
import { releaseReservations } from '../../messaging/use-cases/contact-ledger.ts';
import { SENDER_REST_MS } from '../../messaging/use-cases/sender-state.ts';
import type { ContactPurpose } from '../../policy/rules/contact-policy.ts';
import { endsWithContact, stepsAfter } from '../../policy/rules/next-slot.ts';
import type { CollectionDeps } from '../deps.ts';
import { sequenceOf } from '../gate/ask-policy.ts';
import type { BookedContact } from '../gate/book-contact.ts';
import { useNextPhone } from '../gate/use-next-phone.ts';
import { failedContacts, setStepBack } from '../queries/contact-gate.ts';

/** The waits after a message that was certainly not sent. The first is short, because most failures are temporary. */
const RETRY_FIRST_MS = 5 * 60_000;
const MAX_RETRY_MS = 24 * 60 * 60_000;
/**
 * After this many failures in a row the phone is given up, so that the sequence does not repeat a step without end. The
 * next phone takes over. Where there is none, the step counts as done when an earlier message reached the person;
 * otherwise nobody is reached, and the debt ends.
 */
const FAILURES_OF_ONE_STEP = 5;

/** A throttled sender uses up no step either: as soon as it may send again, the contact is tried again. */
const THROTTLED_RETRY_MS = 5 * 60_000;
const THROTTLED_BEFORE_TOLD = 3;
/** A contact that came too late to its sending says nothing about phone or sender: the gate decides anew soon. */
const LATE_RETRY_MS = 60_000;

/** Ends each debt, which is locked, immediately after its last contact when the sequence asks for no wait after it. */
export async function endAfterLast(
  tx: Tx,
  deps: CollectionDeps,
  { purpose, debts, at }: Pick<BookedContact, 'purpose' | 'debts' | 'at'>,
): Promise<void> {
  for (const debt of debts) {
    const isOver = endsWithContact({ purpose, sequence: sequenceOf(debt, deps.policy), step: debt.step, at });
    if (isOver) await moveDebt(tx, deps.workflows, debt.id, 'exhausted', at);
  }
}

/**
 * The message reached nobody: the contact does not count, and the gate decides about the same steps again later. Its
 * debts are locked.
 */
export async function undoContact(
  tx: Tx,
  deps: CollectionDeps,
  { purpose, messageId, phone, at, debts }: BookedContact,
  failure: { readonly cause: FailureCause; readonly retryAfterMs: number | null },
): Promise<void> {
  await unbookContact(tx, messageId);
  if (saysNothingOfPhone(failure.cause)) await markSenderFailed(tx, messageId);
  const [asking] = debts;
  if (asking === undefined) return;
  const isAboutSender = failure.cause === 'sender' || failure.cause === 'throttled';
  if (isAboutSender && (await hasChannelStopped(tx, asking.id, failure.cause))) {
    for (const { id } of debts) await tellOfWaiting(tx, id);
  }
  const { failures, reached } = await failedContacts(tx, { ...asking, phone });
  const others = failure.cause === 'recipient' ? await otherChannels(tx, deps, asking, phone) : null;
  if (others === 'ready') {
    for (const each of debts) await setStepBack(tx, each.id, each, new Date(at));
    return;
  }
  if (others === 'resting') {
    for (const each of debts) {
      await setStepBack(tx, each.id, each, new Date(at + SENDER_REST_MS));
      await tellOfWaiting(tx, each.id);
    }
    return;
  }
  // A reminder that cannot be sent, for example because its template is not approved, is lost with its day and says nothing
  // of the messages that collect.
  const isGivenUp = purpose === 'collection' && !saysNothingOfPhone(failure.cause) && failures >= FAILURES_OF_ONE_STEP;
  if (failure.cause === 'recipient' || isGivenUp) {
    for (const each of debts) await giveUpPhone(tx, deps, each, { purpose, phone, reached, at });
    return;
  }
  const nextAt = new Date(at + Math.max(waitAfter(failure.cause, failures), failure.retryAfterMs ?? 0));
  for (const each of debts) await setStepBack(tx, each.id, each, nextAt);
}

/**
 * A channel that accepted the message and failed later leaves others to try at once, unless the senders that still reach
 * the phone rest.
 */
async function otherChannels(
  tx: Tx,
  deps: CollectionDeps,
  debt: DebtContext,
  phone: string,
): Promise<'ready' | 'resting' | null> {
  const { list, nobodyBecause } = await candidatesFor(tx, deps, debt, { phone });
  if (nobodyBecause === 'sender') return 'resting';
  return list.some(({ known }) => known !== null) ? 'ready' : null;
}

/** A sender that is throttled once or twice usually sends again a few minutes later. */
const hasChannelStopped = async (tx: Tx, debtId: string, cause: FailureCause): Promise<boolean> =>
  cause === 'sender' || (await failuresOfSender(tx, debtId)) >= THROTTLED_BEFORE_TOLD;

/**
 * The same step is made on the next phone of the debt. Without one, the debt ends unless an earlier message reached the
 * person: then nothing is changed, and false is returned. `before` is the debt before the contact.
 */
export async function giveUpPhone(
  tx: Tx,
  deps: CollectionDeps,
  before: DebtContext,
  {
    purpose,
    phone,
    reached,
    at,
  }: {
    readonly purpose: ContactPurpose;
    readonly phone: string;
    readonly reached: boolean;
    readonly at: number;
  },
): Promise<boolean> {
  const { id, step, remindedAt } = before;
  // The message also spoke of a debt that has another phone in use, which nobody has tried.
  if (before.debtorPhone !== phone) {
    await tryAgainNow(tx, deps, before, at);
    return true;
  }
  const debt = await loadDebt(tx, id);
  if (debt === null || !isLive(debt.status)) return true;
  if (debt.debtorPhone !== phone) {
    // The client has corrected the phone meanwhile, so that nobody has tried it. A phone that has taken over after an
    // answer of the debtor has its own plan.
    if (debt.step === stepsAfter({ purpose, step })) await tryAgainNow(tx, deps, before, at);
    return true;
  }
  if (await useNextPhone(tx, deps, { ...debt, step, remindedAt }, { problem: 'unreachable', at })) return true;
  if (reached) return false;
  await moveDebt(tx, deps.workflows, id, 'unreachable', at);
  await releaseReservations(tx, [id]);
  return true;
}

/** The same step is made now. The workflow of the debt may have a timer that is set to the contact after it. */
async function tryAgainNow(tx: Tx, deps: CollectionDeps, before: DebtContext, at: number): Promise<void> {
  await setStepBack(tx, before.id, before, new Date(at));
  await addOutbox(tx, deps.workflows.wakeDebt(before, 'stateChanged', 'message not delivered'));
}

function waitAfter(cause: FailureCause, failures: number): number {
  if (cause === 'sender') return SENDER_REST_MS;
  if (cause === 'throttled') return THROTTLED_RETRY_MS;
  if (cause === 'late') return LATE_RETRY_MS;
  return Math.min(RETRY_FIRST_MS * 4 ** Math.max(0, failures - 1), MAX_RETRY_MS);
}
