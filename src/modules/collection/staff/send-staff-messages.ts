import type { Tx } from '../../../platform/database/tx.ts';
import { blockPausing } from '../../accounts/queries/pause-locks.ts';
import { hasUnhandledInbox } from '../../debts/queries/persons.ts';
import type { DebtTask } from '../../debts/rules/debt-task.ts';
import type { Verdict } from '../../debts/rules/timeline-entry.ts';
import { momentOf } from '../../debts/use-cases/clock.ts';
import { type DebtContext, keepClock, loadDebt, lockDebtsOfPerson } from '../../debts/use-cases/debt-context.ts';
import { askStaff } from '../../debts/use-cases/inbox-items.ts';
import { moveDebt } from '../../debts/use-cases/move-debt.ts';
import { recordEntries } from '../../debts/use-cases/record-entries.ts';
import { unbookContact } from '../../messaging/queries/contact-ledger.ts';
import { markSenderFailed } from '../../messaging/queries/messages.ts';
import { bookStaffMessage, OPEN_STAFF_MESSAGES, refuseStaffMessage } from '../../messaging/queries/staff-messages.ts';
import { saysNothingOfPhone } from '../../messaging/use-cases/attempt-to-send.ts';
import { type BookedMessage, SEND_WITHIN_MS, textFor } from '../../messaging/use-cases/booked-message.ts';
import type { Candidate } from '../../messaging/use-cases/candidates.ts';
import { bookContact, ledgerKeyOf, lockPersons } from '../../messaging/use-cases/contact-ledger.ts';
import { factsOf } from '../../messaging/use-cases/debt-facts.ts';
import { keepSentText } from '../../messaging/use-cases/keep-sent-text.ts';
import { recordOutcome, sendBooked } from '../../messaging/use-cases/send-message.ts';
import { waitForSenderSlot } from '../../messaging/use-cases/wait-for-sender-slot.ts';
import type { CollectionDeps } from '../deps.ts';
import { withPage } from '../gate/debts-of-contact.ts';
import { planNextContact } from '../planning/plan-next-contact.ts';
import { decideStaffMessage, type StaffDecision } from './decide-staff-message.ts';
import { staffHasAnswered } from './staff-conversation.ts';
import { formsOf } from './write-to-debtor.ts';

type OpenMessage = ReturnType<typeof OPEN_STAFF_MESSAGES.rowsOf>[number];
type Allowed = Extract<StaffDecision, { readonly allowed: true }>;

interface ToSend {
  readonly debt: DebtContext;
  readonly candidates: readonly [Candidate, ...Candidate[]];
  readonly booked: BookedMessage;
}

/** What the debtor has written meanwhile is understood first, because it may ask for silence. */
const SOON_MS = 15_000;

/**
 * Sends what staff have written about the debt, the oldest first. Returns null when there is none;
 * otherwise the moment, by the debt's own clock, at which to go on with what has to wait.
 */
export async function sendStaffMessages(
  deps: CollectionDeps,
  task: DebtTask,
): Promise<{ readonly waitUntil: number | null } | null> {
  const open = await deps.db.readPrepared({ clientId: task.clientId }, OPEN_STAFF_MESSAGES, { debtId: task.debtId });
  for (const message of open) {
    const waitUntil = await sendOne(deps, task, message);
    if (waitUntil !== null) return { waitUntil };
  }
  return open.length === 0 ? null : { waitUntil: null };
}

async function sendOne(deps: CollectionDeps, task: DebtTask, message: OpenMessage): Promise<number | null> {
  const db = deps.db.tenant(task.clientId);
  if (message.delivery === 'booked') {
    // An earlier attempt was interrupted, so nobody knows whether the message was sent. It is not sent again.
    await db.transactional(async (tx) => {
      const debt = await loadDebt(tx, task.debtId);
      const booked = { ...message, at: message.at.getTime() };
      if (debt !== null) await recordOutcome(tx, debt, booked, { outcome: 'unknown' }, null);
    });
    return null;
  }
  const first = await db.transactional((tx) => decideAgain(tx, deps, task, message));
  if (first.kind !== 'allowed') return first.kind === 'wait' ? first.until : null;
  const { debt, now, decision } = first;
  const waitMs = await waitForSenderSlot(deps, debt, decision.candidates[0], decision.phone);
  if (waitMs > 0) return now + waitMs;
  const notAfter = deps.now().getTime() + SEND_WITHIN_MS;
  // The decision and the booking are one transaction, immediately before the sending.
  const second = await db.transactional(async (tx) => {
    const asked = await decideAgain(tx, deps, task, message);
    return asked.kind === 'allowed'
      ? { ...asked, booked: await book(tx, deps, task, message, { ...asked, notAfter }) }
      : asked;
  });
  if (second.kind !== 'allowed') return second.kind === 'wait' ? second.until : null;
  if (second.booked !== null)
    await send(deps, { ...second, candidates: second.decision.candidates, booked: second.booked });
  return null;
}

type Asked =
  | { readonly kind: 'over' }
  | { readonly kind: 'wait'; readonly until: number }
  | { readonly kind: 'allowed'; readonly debt: DebtContext; readonly now: number; readonly decision: Allowed };

/** Decides under the locks of the gate. A message that is refused now fails, and its writer is told. */
async function decideAgain(
  tx: Tx,
  deps: CollectionDeps,
  { debtId, clock }: DebtTask,
  message: OpenMessage,
): Promise<Asked> {
  const seen = await loadDebt(tx, debtId);
  if (seen === null) return { kind: 'over' };
  await lockPersons(tx, [ledgerKeyOf(seen, deps.personKeys)]);
  await blockPausing(tx, [seen.clientId, seen.campaignId]);
  await lockDebtsOfPerson(tx, seen);
  await keepClock(tx, seen, clock.offsetMs);
  const debt = (await loadDebt(tx, debtId)) ?? seen;
  const now = momentOf(clock, debt, deps.now().getTime());
  if (!debt.erased && (await hasUnhandledInbox(tx, debt))) return { kind: 'wait', until: now + SOON_MS };
  const facts = factsOf(debt, deps);
  const hasShort = (purpose: 'collection' | 'reply') => formsOf(message.text, purpose, facts).short !== null;
  const decision = await decideStaffMessage(tx, deps, { by: 'worker', debt, now, hasShort });
  if (decision.allowed) return { kind: 'allowed', debt, now, decision };
  await refuse(tx, debt, message, decision.verdict, now);
  return { kind: 'over' };
}

async function refuse(
  tx: Tx,
  debt: DebtContext,
  { id, purpose, channel }: OpenMessage,
  { rules, notBefore }: Verdict,
  now: number,
): Promise<void> {
  if ((await refuseStaffMessage(tx, id, 'contact_blocked')) === undefined) return;
  await recordEntries(tx, debt.id, now, [
    { kind: 'message_sent', messageId: id, channel, purpose, reason: 'contact_blocked', rules, notBefore },
  ]);
  await askStaff(tx, debt.id, 'undelivered');
}

/**
 * Books the message, and a contact where it is none that the debtor waits for. The step of the sequence stays, because
 * what a person writes says nothing of what that step says; the wait to the next contact is counted from now.
 */
async function book(
  tx: Tx,
  deps: CollectionDeps,
  { clock }: DebtTask,
  message: OpenMessage,
  { debt, now, decision, notAfter }: Extract<Asked, { readonly kind: 'allowed' }> & { readonly notAfter: number },
): Promise<BookedMessage | null> {
  const { purpose, phone, candidates } = decision;
  const others = purpose === 'collection' ? await withPage(tx, debt, []) : null;
  const forms = formsOf(message.text, purpose, factsOf(debt, deps, { others }));
  // A text that does not fit into a short message has no candidate that takes short ones.
  const booked = {
    id: message.id,
    purpose,
    phone,
    text: forms.text,
    short: forms.short ?? '',
    template: null,
    at: now,
    // What the debtor waits for is answered at any hour.
    ...(purpose === 'collection' ? { notAfter } : {}),
  };
  const [first] = candidates;
  const text = textFor(first, booked);
  const stored = await bookStaffMessage(tx, message.id, {
    purpose,
    phone,
    channel: first.sender.channel.name,
    senderId: first.sender.id,
    text,
    at: new Date(now),
  });
  if (stored === undefined) return null;
  await keepSentText(tx, deps, debt, first, { ...booked, text });
  if (decision.purpose === 'collection') {
    await bookContact(tx, ledgerKeyOf(debt, deps.personKeys), now, message.id);
    await recordEntries(tx, debt.id, now, [{ kind: 'verdict', ...decision.verdict, messageId: message.id }]);
    await moveDebt(tx, deps.workflows, debt.id, 'contacted', now);
  }
  await planNextContact(tx, deps, debt.id, clock, now);
  return booked;
}

async function send(deps: CollectionDeps, { debt, candidates, booked }: ToSend): Promise<void> {
  const hasFailed = await sendBooked(deps, debt, candidates, booked, async (tx, sending) => {
    if (sending.outcome !== 'failed') return false;
    // It reached nobody, so it is no contact. Whether it is written again is for a person to decide.
    if (booked.purpose === 'collection') await unbookContact(tx, booked.id);
    if (saysNothingOfPhone(sending.cause)) await markSenderFailed(tx, booked.id);
    await askStaff(tx, debt.id, 'undelivered');
    return true;
  });
  if (hasFailed) return;
  // In a transaction of its own, because it locks all debts of the person in the order of their ids.
  await deps.db.tenant(debt.clientId).transactional(async (tx) => {
    await lockDebtsOfPerson(tx, debt);
    await staffHasAnswered(tx, debt);
  });
}
