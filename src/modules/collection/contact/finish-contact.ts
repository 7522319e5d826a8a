import { isLive } from '../../../kernel/debt-status.ts';
import { addOutbox } from '../../../platform/database/add-outbox.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { forgetNotice, readAgreement } from '../../agreements/queries/agreements.ts';
import type { DebtTask } from '../../debts/rules/debt-task.ts';
import { momentOf } from '../../debts/use-cases/clock.ts';
import { type DebtContext, loadDebt, lockDebts, lockRowsOfDebt } from '../../debts/use-cases/debt-context.ts';
import { askStaff } from '../../debts/use-cases/inbox-items.ts';
import { moveDebt } from '../../debts/use-cases/move-debt.ts';
import { MESSAGING_ERROR_KINDS } from '../../messaging/ports/messaging-channel.ts';
import { unbookContact } from '../../messaging/queries/contact-ledger.ts';
import { clearUndoDue, LATE_FAILURES } from '../../messaging/queries/message-reports.ts';
import { failuresOfSender, markSenderFailed } from '../../messaging/queries/messages.ts';
import { causeOf, type FailureCause } from '../../messaging/use-cases/attempt-to-send.ts';
import { candidatesFor } from '../../messaging/use-cases/candidates.ts';
import { releaseReservations } from '../../messaging/use-cases/contact-ledger.ts';
import { SENDER_REST_MS } from '../../messaging/use-cases/sender-state.ts';
import { type ContactPurpose, isContactPurpose } from '../../policy/rules/contact-policy.ts';
import { endsWithContact, stepsAfter } from '../../policy/rules/next-slot.ts';
import { reopenDelivery } from '../../receipts/queries/receipt-deliveries.ts';
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
export async function endAfterLast(tx: Tx, deps: CollectionDeps, { purpose, debts, at }: BookedContact): Promise<void> {
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
  { purpose, messageId, at, debts }: BookedContact,
  failure: { readonly cause: FailureCause; readonly retryAfterMs: number | null },
): Promise<void> {
  const [asking] = debts;
  if (asking === undefined) return;
  const { debtorPhone: phone } = asking;
  await unbookContact(tx, messageId);
  const isAboutSender = failure.cause === 'sender' || failure.cause === 'throttled';
  const saysNothingOfPhone = isAboutSender || failure.cause === 'late';
  if (saysNothingOfPhone) await markSenderFailed(tx, messageId);
  if (isAboutSender && (await hasChannelStopped(tx, asking.id, failure.cause))) {
    for (const { id } of debts) await askStaff(tx, id, 'undelivered');
  }
  const { failures, reached } = await failedContacts(tx, { ...asking, phone });
  // A channel that accepted the message and failed later leaves others to try, at once.
  if (failure.cause === 'recipient' && (await hasOtherChannel(tx, deps, asking))) {
    for (const each of debts) await setStepBack(tx, each.id, each, new Date(at));
    return;
  }
  // A reminder that cannot be sent, for example because its template is not approved, is lost with its day and says nothing
  // of the messages that collect.
  const isGivenUp = purpose === 'collection' && !saysNothingOfPhone && failures >= FAILURES_OF_ONE_STEP;
  if (failure.cause === 'recipient' || isGivenUp) {
    for (const each of debts) await giveUpPhone(tx, deps, each, { purpose, phone, reached, at });
    return;
  }
  const nextAt = new Date(at + Math.max(waitAfter(failure.cause, failures), failure.retryAfterMs ?? 0));
  for (const each of debts) await setStepBack(tx, each.id, each, nextAt);
}

const hasOtherChannel = async (tx: Tx, deps: CollectionDeps, debt: DebtContext): Promise<boolean> => {
  const { list } = await candidatesFor(tx, deps, debt, { phone: debt.debtorPhone });
  return list.some(({ known }) => known !== null);
};

/** A sender that is throttled once or twice usually sends again a few minutes later. */
const hasChannelStopped = async (tx: Tx, debtId: string, cause: FailureCause): Promise<boolean> =>
  cause === 'sender' || (await failuresOfSender(tx, debtId)) >= THROTTLED_BEFORE_TOLD;

/**
 * The same step is made on the next phone of the debt. Without one, the debt ends unless an earlier message reached the
 * person. `before` is the debt before the contact.
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
): Promise<void> {
  const { id, step, remindedAt } = before;
  // The message also spoke of a debt that has another phone in use, which nobody has tried.
  if (before.debtorPhone !== phone) return tryAgainNow(tx, deps, before, at);
  const debt = await loadDebt(tx, id);
  if (debt === null || !isLive(debt.status)) return;
  if (debt.debtorPhone !== phone) {
    // The client has corrected the phone meanwhile, so that nobody has tried it. A phone that has taken over after an
    // answer of the debtor has its own plan.
    return debt.step === stepsAfter({ purpose, step }) ? tryAgainNow(tx, deps, before, at) : undefined;
  }
  if (await useNextPhone(tx, deps, { ...debt, step, remindedAt }, { problem: 'unreachable', at })) return;
  if (reached) return;
  await moveDebt(tx, deps.workflows, id, 'unreachable', at);
  await releaseReservations(tx, [id]);
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

/**
 * A channel may accept a message and say later that it was not delivered. Its contact is then undone, so that the gate
 * decides about the same step again and the next channel carries it: one contact for every cap.
 */
export async function undoLateFailures(deps: CollectionDeps, task: DebtTask): Promise<void> {
  const { clientId, debtId, clock } = task;
  const failed = await deps.db.readPrepared({ clientId }, LATE_FAILURES, { debtId });
  if (failed.length === 0) return;
  const db = deps.db.tenant(clientId);
  const debt = await db.transactional((tx) => loadDebt(tx, debtId));
  if (debt === null) return;
  const now = momentOf(clock, debt, deps.now().getTime());
  for (const message of failed) {
    const { purpose } = message;
    const isContact = isContactPurpose(purpose);
    if (isContact && !message.staff) {
      const failure = { cause: causeOfFailure(message.failure), retryAfterMs: null };
      await db.transactional(async (tx) => {
        await lockDebts(tx, [debtId, ...message.alsoAbout]);
        const debts = await asBefore(tx, debt, { ...message, purpose });
        await undoContact(tx, deps, { purpose, messageId: message.id, at: now, debts }, failure);
      });
    }
    await db.transactional(async (tx) => {
      if (message.purpose === 'agreement') await noticeFailed(tx, deps, debt, message.id);
      if (message.purpose === 'receipt') await sendReceiptAgain(tx, deps, debt, { ...message, now });
      // What staff have written is not a step that another channel repeats; it was no contact either.
      else if (isContact && message.staff) await unbookContact(tx, message.id);
      if (message.purpose !== 'receipt' && (!isContact || message.staff)) await askStaff(tx, debt.id, 'undelivered');
      await clearUndoDue(tx, message.id);
    });
  }
}

/** The notice is due again, and was neither a contact nor a warning. */
async function noticeFailed(tx: Tx, deps: CollectionDeps, debt: DebtContext, messageId: string): Promise<void> {
  await lockRowsOfDebt(tx, debt.id);
  await unbookContact(tx, messageId);
  const agreement = debt.agreed === null ? undefined : await readAgreement(tx, debt.agreed.agreementId);
  if (agreement === undefined) return;
  await forgetNotice(tx, agreement.id, messageId);
  await addOutbox(tx, deps.workflows.wakeAgreement(agreement, 'stateChanged'));
}

/** Returns the debts of the contact, as they were before it. */
async function asBefore(
  tx: Tx,
  debt: DebtContext,
  { purpose, alsoAbout }: { readonly purpose: ContactPurpose; readonly alsoAbout: readonly string[] },
): Promise<DebtContext[]> {
  const others = await Promise.all(alsoAbout.map((id) => loadDebt(tx, id)));
  const all = [debt, ...others.filter((each) => each !== null)];
  // A reminder before this one was on another day, so that nothing depends on its moment any more.
  return all.map((each) =>
    purpose === 'reminder' ? { ...each, remindedAt: null } : { ...each, step: Math.max(0, each.step - 1) },
  );
}

/** Only a channel that has not been tried in vain carries a receipt again; otherwise the client is told. */
async function sendReceiptAgain(
  tx: Tx,
  deps: CollectionDeps,
  debt: DebtContext,
  message: { readonly attemptKey: string | null; readonly phone: string | null; readonly now: number },
): Promise<void> {
  const [, deliveryId] = (message.attemptKey ?? '').split(':');
  const { list } = await candidatesFor(tx, deps, debt, { phone: message.phone ?? debt.debtorPhone });
  if (deliveryId !== undefined && list.length > 0) await reopenDelivery(tx, deliveryId, new Date(message.now));
  else await askStaff(tx, debt.id, 'undelivered');
}

/** The stored failure begins with the kind of error. */
function causeOfFailure(failure: string | null): FailureCause {
  const [name = ''] = (failure ?? '').split(' ');
  const kind = MESSAGING_ERROR_KINDS.find((known) => known === name);
  return kind === undefined || kind === 'unknown_outcome' ? 'recipient' : causeOf(kind, 'recipient');
}
