import { randomUUID } from 'node:crypto';
import { DAY, HOUR } from '../../../kernel/calendar.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { blockPausing } from '../../accounts/queries/pause-locks.ts';
import { forgetNotice, type StoredAgreement, updateAgreement } from '../../agreements/queries/agreements.ts';
import {
  agreementStep,
  instalmentStates,
  lastDayToPay,
  type SentNotice,
} from '../../agreements/rules/agreement-state.ts';
import type { AgreementTask } from '../../agreements/rules/agreement-task.ts';
import { countInCampaign } from '../../debts/use-cases/campaign-day.ts';
import type { DebtContext } from '../../debts/use-cases/debt-context.ts';
import { askStaff, tellOfWaiting } from '../../debts/use-cases/inbox-items.ts';
import { debtorDay } from '../../debts/use-cases/owed.ts';
import { recordEntries } from '../../debts/use-cases/record-entries.ts';
import { unbookContact } from '../../messaging/queries/contact-ledger.ts';
import { deliveriesOf, latestFailedNotice } from '../../messaging/queries/message-reports.ts';
import { agreementNotice } from '../../messaging/texts/agreement-notice.ts';
import { maySendPix } from '../../messaging/use-cases/attempt-to-send.ts';
import { type BookedMessage, SEND_WITHIN_MS } from '../../messaging/use-cases/booked-message.ts';
import { type Candidate, candidatesFor } from '../../messaging/use-cases/candidates.ts';
import { bookContact, ledgerKeyOf, lockPersons } from '../../messaging/use-cases/contact-ledger.ts';
import { factsOf, readTurns } from '../../messaging/use-cases/debt-facts.ts';
import { bookMessage, sendBooked, settleEarlierTry } from '../../messaging/use-cases/send-message.ts';
import { waitForSenderSlot } from '../../messaging/use-cases/wait-for-sender-slot.ts';
import { type LockedAgreement, lockAgreement } from '../../payments/use-cases/agreement-money.ts';
import { findOrMakeCharge } from '../../payments/use-cases/find-or-make-charge.ts';
import { pixForMessages } from '../../payments/use-cases/pix-of-message.ts';
import { momentAfterRefusal } from '../../policy/rules/next-slot.ts';
import type { CollectionDeps } from '../deps.ts';
import { askPolicy, verdictOf } from '../gate/ask-policy.ts';
import { withPage } from '../gate/debts-of-contact.ts';
import { type DueNotice, factsOfAgreement, momentOfWork, type NotifiedAgreement } from './agreement-facts.ts';

/** How soon a notice that reached nobody, or whose sender had no turn, is tried again. */
const RETRY_MS = HOUR;

/** What came of a notice. One that is `done` was sent, or is not due any more. */
export type NoticeOutcome =
  | { readonly kind: 'done' }
  | {
      readonly kind: 'later';
      /** The moment before which it is not tried again; null when only news lead to another decision. */
      readonly notBefore: number | null;
      /** The channel refuses this client's messages, which only an operator can repair. */
      readonly needsOperator: boolean;
    };

const DONE: NoticeOutcome = { kind: 'done' };
const later = (notBefore: number | null, needsOperator = false): NoticeOutcome => ({
  kind: 'later',
  notBefore,
  needsOperator,
});

/**
 * Sends a notice of an agreement. The contact policy decides about it immediately before, as about every message that
 * nobody has asked for, and it counts as a contact. A notice is booked with its message, so that none is sent twice.
 */
export async function sendNotice(deps: CollectionDeps, task: AgreementTask, due: DueNotice): Promise<NoticeOutcome> {
  const { clientId, agreementId, attemptKey } = task;
  const { debt, at: now } = due;
  const db = deps.db.tenant(clientId);
  const prepared = await db.transactional(async (tx) => {
    // An attempt before this one was interrupted: what it had booked may have been sent.
    if (await settleEarlierTry(tx, debt, attemptKey)) return null;
    const candidates = await candidatesFor(tx, deps, debt, { phone: debt.debtorPhone });
    if (candidates.nobodyBecause === null)
      return { candidates: candidates.list, notBefore: await restAfterFailure(tx, debt, candidates.list) };
    await tellOfWaiting(tx, debt.id);
    return { candidates: null };
  });
  if (prepared === null) return DONE;
  if (prepared.candidates === null) return later(now + DAY);
  const { candidates, notBefore } = prepared;
  if (notBefore > now) return later(notBefore);
  const waitMs = await waitForSenderSlot(deps, debt, candidates[0], debt.debtorPhone);
  if (waitMs > 0) return later(now + waitMs);
  // The page needs a code before anybody is sent there.
  const charge = await findOrMakeCharge(deps.payments)({ clientId, debtId: debt.id });
  const pixFor = await pixForMessages(deps.payments)(debt, candidates.some(maySendPix) ? charge : null);
  const notAfter = deps.now().getTime() + SEND_WITHIN_MS;
  const asked = await db.transactional((tx) => askAndBook(tx, deps, task, { ...due, candidates, notAfter }));
  if (asked.kind !== 'booked') return asked.kind === 'over' ? DONE : later(asked.notBefore);
  const { booked, openCentavos, hasAnswered } = asked;
  // The code is the one of the next instalment that is open, which may be an earlier one than the notice speaks of.
  const pix = hasAnswered
    ? pixFor({ amountCentavos: openCentavos, growsDaily: false, text: booked.text, template: booked.template })
    : null;
  const message = pix === null ? booked : { ...booked, pix };
  return sendBooked(deps, debt, candidates, message, async (tx, sending) => {
    if (sending.outcome !== 'failed') return DONE;
    // It reached nobody, so it is neither a contact nor a warning.
    await unbookContact(tx, booked.id);
    await forgetNotice(tx, agreementId, booked.id);
    const isStopped = sending.cause === 'sender';
    if (isStopped || sending.cause === 'recipient') await tellOfWaiting(tx, debt.id);
    return later(
      now + (sending.cause === 'recipient' ? DAY : Math.max(RETRY_MS, sending.retryAfterMs ?? 0)),
      isStopped,
    );
  });
}

/**
 * Returns until when a notice rests whose sender would be used again: what a channel accepts and then cannot deliver is not
 * repeated at once, and news of the agreement do not shorten the wait.
 */
async function restAfterFailure(tx: Tx, debt: DebtContext, candidates: readonly Candidate[]): Promise<number> {
  const failed = await latestFailedNotice(tx, debt.id);
  const isUsed = candidates.some(
    ({ sender }) => sender.channel.name === failed?.channel && sender.id === failed.senderId,
  );
  return failed !== undefined && isUsed ? failed.at.getTime() + RETRY_MS : 0;
}

/**
 * Returns a locked agreement with what the channels have said of its notices. Those that reached nobody are removed, so
 * that they are due again.
 */
export async function withDeliveries(tx: Tx, locked: LockedAgreement): Promise<NotifiedAgreement> {
  const { agreement } = locked;
  const deliveries = await deliveriesOf(
    tx,
    agreement.notices.flatMap(({ messageId }) => messageId ?? []),
  );
  const failed = deliveries.filter(({ delivery }) => delivery === 'failed').map(({ id }) => id);
  for (const messageId of failed) {
    await unbookContact(tx, messageId);
    await forgetNotice(tx, agreement.id, messageId);
  }
  const isLeft = ({ messageId }: SentNotice) => messageId === undefined || !failed.includes(messageId);
  const unsureMessages = deliveries
    .filter(({ delivery }) => delivery === 'unknown' || delivery === 'booked')
    .map(({ id }) => id);
  return { ...locked, agreement: { ...agreement, notices: agreement.notices.filter(isLeft) }, unsureMessages };
}

interface Draft extends DueNotice {
  readonly candidates: readonly [Candidate, ...Candidate[]];
  readonly notAfter: number;
}

type Asked =
  | {
      readonly kind: 'booked';
      readonly booked: BookedMessage;
      /** What is open of the instalment. */
      readonly openCentavos: number;
      /** The person has answered before, from the phone that gets the notice. */
      readonly hasAnswered: boolean;
    }
  | { readonly kind: 'refused'; readonly notBefore: number | null }
  /** Something has come meanwhile, so that this notice is not due any more. */
  | { readonly kind: 'over' };

/** Decides by the contact policy and books the contact, its message and the notice, under the locks of the gate. */
async function askAndBook(tx: Tx, deps: CollectionDeps, task: AgreementTask, draft: Draft): Promise<Asked> {
  const { agreementId, clock } = task;
  const { debt: to } = draft;
  const key = ledgerKeyOf(to, deps.personKeys);
  // The locks are taken in the order of the gate.
  await lockPersons(tx, [key]);
  await blockPausing(tx, [to.clientId, to.campaignId]);
  const locked = await lockAgreement(tx, agreementId);
  const debt = locked?.rows[0];
  if (locked === null || debt === undefined || debt.erased || debt.debtorPhone !== to.debtorPhone)
    return { kind: 'over' };
  const seen = await withDeliveries(tx, locked);
  const { agreement } = seen;
  const now = momentOfWork(deps, clock, seen);
  const today = debtorDay(debt, now);
  const step = agreementStep(factsOfAgreement(deps, seen), today);
  if (step.kind !== 'notify' || step.instalment !== draft.instalment || step.notice !== draft.notice)
    return { kind: 'over' };
  const senders = draft.candidates.map(({ sender }) => sender);
  const instalment = instalmentStates(agreement, today).find(({ number }) => number === draft.instalment)!;
  const prescribedSince = instalment.dueDate;
  const { question, decision } = await askPolicy(tx, deps, debt, { now, senders, prescribedSince });
  if (!decision.allowed) {
    const { shown } = decision;
    const verdict = verdictOf(question, { ...shown, allowed: false });
    await recordEntries(tx, debt.id, now, [{ kind: 'verdict', ...verdict }]);
    await countInCampaign(tx, debt, { contactsBlocked: 1 });
    if (shown.rules.includes('said_paid') && shown.notBefore === null) await askStaff(tx, debt.id, 'said_paid');
    // Without a moment only a decision helps. It is looked for each day, and by a simulated clock, which would run ahead,
    // only after news.
    const moment = momentAfterRefusal(question, decision, debt.id) ?? (clock.exact ? null : now + DAY);
    return { kind: 'refused', notBefore: moment };
  }
  const booked = await book(tx, deps, task, { seen, debt, draft, instalment, now, today });
  if (booked === null) return { kind: 'over' };
  await bookContact(tx, key, now, booked.id);
  const verdict = verdictOf(question, { ...decision, notBefore: null });
  await recordEntries(tx, debt.id, now, [{ kind: 'verdict', ...verdict, messageId: booked.id }]);
  const { instalment: number, notice } = draft;
  const sent: SentNotice = { instalment: number, notice, on: today, messageId: booked.id };
  await updateAgreement(tx, agreementId, { notices: [...agreement.notices, sent] });
  const hasAnswered = (await readTurns(tx, debt, debt.debtorPhone)).some(({ from }) => from === 'debtor');
  return { kind: 'booked', booked, openCentavos: instalment.openCentavos, hasAnswered };
}

async function book(
  tx: Tx,
  deps: CollectionDeps,
  { attemptKey }: AgreementTask,
  {
    seen,
    debt,
    draft,
    instalment,
    now,
    today,
  }: {
    readonly seen: NotifiedAgreement;
    readonly debt: DebtContext;
    readonly draft: Draft;
    readonly instalment: StoredAgreement['instalments'][number];
    readonly now: number;
    readonly today: string;
  },
): Promise<BookedMessage | null> {
  const facts = factsOf(debt, deps, { others: await withPage(tx, debt, []) });
  const { text, short, template } = agreementNotice(
    {
      notice: draft.notice,
      instalment: instalment.number,
      of: seen.agreement.instalments.length,
      dueDate: instalment.dueDate,
      lastDay: lastDayToPay(factsOfAgreement(deps, seen), instalment.dueDate, today),
    },
    facts,
  );
  const booked: BookedMessage = {
    id: randomUUID(),
    purpose: 'agreement',
    phone: debt.debtorPhone,
    text,
    short,
    template,
    at: now,
    notAfter: draft.notAfter,
  };
  return (await bookMessage(tx, deps, debt, draft.candidates[0], { ...booked, attemptKey })) ? booked : null;
}
