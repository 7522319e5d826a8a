import { addOutbox } from '../../../platform/database/add-outbox.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { DebtTask } from '../../debts/rules/debt-task.ts';
import type { KnowingStep } from '../../debts/rules/next-step.ts';
import { momentOf } from '../../debts/use-cases/clock.ts';
import { type DebtContext, keepClock, loadDebt } from '../../debts/use-cases/debt-context.ts';
import { askStaff, tellOfWaiting } from '../../debts/use-cases/inbox-items.ts';
import { NOTHING_LEFT, nextStepIn, nextStepOf } from '../../debts/use-cases/next-step.ts';
import { recordEntries } from '../../debts/use-cases/record-entries.ts';
import type { AgentMessage, Conversation, Situation, Understanding } from '../../messaging/ports/collection-agent.ts';
import { freeAttempt, type ReceivedMessage, setHandled, setUnhandled } from '../../messaging/queries/conversations.ts';
import { attachmentReply } from '../../messaging/texts/replies.ts';
import type { BookedMessage } from '../../messaging/use-cases/booked-message.ts';
import { sendBooked, settleEarlierTry } from '../../messaging/use-cases/send-message.ts';
import { waitForSenderSlot } from '../../messaging/use-cases/wait-for-sender-slot.ts';
import { pixForMessages } from '../../payments/use-cases/pix-of-message.ts';
import type { CollectionDeps } from '../deps.ts';
import { bookReply } from '../gate/book-reply.ts';
import { planNextContact } from '../planning/plan-next-contact.ts';
import { sendStaffMessages } from '../staff/send-staff-messages.ts';
import { hasStaff, personHasWritten, tellStaff } from '../staff/staff-conversation.ts';
import { acceptedBefore, agreementInWords, offersInTalk } from './answer-offers.ts';
import { isAnsweredByReceipt } from './answered-by-receipt.ts';
import { applyTurn, hasAskedForSilence, idsOf, isSilenced } from './apply-turn.ts';
import { codeFor, factsAfter } from './facts-of-answer.ts';
import { asStranger, conversationOf, daysOfTurn, hearTurn, markRead, separateAutomatic } from './hear-turn.ts';
import { readAttachments } from './read-attachments.ts';
import { textsToRead, understandTurn } from './understand-turn.ts';
import { MAX_RETRY_MS, retryDelay, waitForWindow } from './when-to-answer.ts';

/**
 * Understands all messages of the debtor that have no answer yet, applies them and answers them once. What a machine has
 * answered changes nothing.
 */
export const answerDebtor = (deps: CollectionDeps) => {
  const answer = answerTurn(deps);
  return async (request: DebtTask): Promise<KnowingStep> => {
    const step = await answer(request);
    await readAttachments(deps, request);
    // What the debtor has asked for is obeyed before a person's message is decided about.
    const sent = await sendStaffMessages(deps, request);
    if (sent === null || step.kind === 'tryAgain') return step;
    const { needsOperator } = step;
    return sent.waitUntil === null
      ? nextStepOf(deps, request.clientId, request.debtId, needsOperator)
      : { kind: 'tryAgain', at: sent.waitUntil, needsOperator };
  };
};

const answerTurn =
  (deps: CollectionDeps) =>
  async (request: DebtTask): Promise<KnowingStep> => {
    const { clientId, debtId, clock, attemptKey } = request;
    const db = deps.db.tenant(clientId);
    const turn = await db.transactional(async (tx) => {
      const stored = await loadDebt(tx, debtId);
      if (stored === null) return null;
      const debt = await keepClock(tx, stored, clock.offsetMs);
      // An attempt before this one was interrupted after its answer. What has come since has a signal of its own.
      if (await settleEarlierTry(tx, debt, attemptKey)) return 'answered';
      const heard = await hearTurn(tx, deps, debt);
      return { ...heard, offers: heard.messages.length === 0 ? null : await offersInTalk(tx, deps, heard) };
    });
    if (turn === null) return NOTHING_LEFT;
    if (turn === 'answered' || turn.messages.length === 0) return nextStepOf(deps, clientId, debtId);
    const { debt, messages, phone, candidates, fromStranger, offers } = turn;

    const now = momentOf(clock, debt, deps.now().getTime());
    const conversationAt = (at: number): Conversation => ({ ...conversationOf(deps, turn, at), offers });
    const { written, automatic } = await separateAutomatic(deps.agent, messages);
    const wakeForRest = async (tx: Tx): Promise<void> => {
      if (turn.isMore) await addOutbox(tx, deps.workflows.wakeDebt(debt, 'messageReceived'));
    };
    if (written.length === 0) {
      await db.transactional(async (tx) => {
        await setHandled(tx, idsOf(automatic), AUTOMATIC);
        await wakeForRest(tx);
      });
      return nextStepOf(deps, clientId, debtId);
    }
    // What was written is applied first; its answer waits until a sender of the client works or has a turn, or until the
    // window opens, and must not keep the workflow from other work, because a payment may come meanwhile.
    const waitedMs = now - written[0]!.at.getTime();
    const isTooLate = waitedMs > MAX_RETRY_MS;
    const later = (ms: number | null, needsOperator = false): KnowingStep => ({
      kind: 'tryAgain',
      at: now + Math.max(retryDelay(waitedMs), ms ?? 0),
      needsOperator,
    });
    const [first] = candidates.list;
    const toWindowMs = waitForWindow(deps, { debt, phone, by: first?.sender, written, now });
    const isApplied = written.every(({ appliedAt }) => appliedAt !== null);
    // Nothing is read again while nothing but the window is waited for.
    const isWaiting =
      isApplied &&
      toWindowMs > 0 &&
      (await db.transactional(async (tx) => {
        if (await hasAskedForSilence(tx, deps, { debt, phone, written })) return false;
        await tellOfWaiting(tx, debtId);
        return true;
      }));
    if (isWaiting) return later(toWindowMs);
    const texts = textsToRead(written);
    const heard = await understandTurn(deps.agent, daysOfTurn(written, conversationAt));
    const { understood: read, needsPerson } = heard;
    const inAgreement = async <T>({ status }: DebtContext, found: (tx: Tx) => Promise<T>): Promise<T | null> =>
      status === 'AGREEMENT' ? db.transactional(found) : null;
    const said = (await inAgreement(debt, (tx) => acceptedBefore(tx, debt, idsOf(written)))) ?? read;
    const understood = fromStranger ? asStranger(said) : said;
    // The request is applied before anything is answered. The messages are marked as handled together with the answer.
    const hasFile = !fromStranger && written.some(({ files }) => files.length > 0);
    const staffAnswers = hasStaff(debt, now);
    const toApply = { ...turn, written, heard, understood, conversationAt, staffAnswers, now };
    const applied = await applyTurn(deps, toApply);
    const { debt: after, offered, claimPassedOn } = applied;
    const agreement = await inAgreement(after, (tx) => agreementInWords(tx, deps, after));
    const charge = understood.intent === 'wants_to_pay' && !staffAnswers ? await codeFor(deps, after, now) : null;
    // No answer is made when a part of the turn was not understood, because that part may contradict any answer.
    const facts = {
      ...factsAfter(deps, turn, applied, charge?.brCode ?? null),
      claimPassedOn,
      offered,
      agreement,
    };
    // Of a turn without words only the file is answered, which stands in the client's inbox by now.
    const isDaily =
      hasFile && FILE_IS_TOLD.includes(facts.situation) && (texts.length === 0 || said.intent === 'other');
    const conversation = conversationAt(now);
    const answerOf = async (): Promise<AgentMessage> =>
      isDaily && !written.some(({ button }) => button !== null)
        ? { purpose: 'reply', ...attachmentReply(facts), template: null }
        : deps.agent.reply(withoutPastDay(said, conversation), facts, conversation);
    const answer = needsPerson ? null : await answerOf();
    // Only the end of a conversation and an agreement are confirmed while a person has it.
    const byReceipt =
      first !== undefined && isAnsweredByReceipt({ before: debt, after, understood, facts, phone, by: first.sender });
    const byStaff = staffAnswers && offered?.kind !== 'accepted';
    const isLeftOut = applied.isSilenced || ((byStaff || byReceipt) && answer?.purpose === 'reply');
    const reply = isLeftOut ? null : answer;
    // The person has asked for the code, so it may come with the answer.
    const hasCode = charge !== null && reply?.text.includes(charge.brCode) === true;
    const pix = hasCode
      ? (await pixForMessages(deps.payments)(after, charge))({
          amountCentavos: agreement === null ? facts.amountCentavos : charge.amountCentavos,
          growsDaily: agreement === null && facts.charged != null,
          text: reply.text,
          template: null,
        })
      : null;
    if (first === undefined && reply !== null && !isTooLate) {
      await db.transactional((tx) => tellOfWaiting(tx, debtId));
      return later(null, true);
    }
    if (reply !== null && toWindowMs > 0) {
      await db.transactional((tx) => tellOfWaiting(tx, debtId));
      return later(toWindowMs);
    }
    const isUnsent = first === undefined || reply === null;
    const waitMs = isUnsent ? 0 : await waitForSenderSlot(deps, debt, first, phone);
    if (waitMs > 0) return later(waitMs);
    const booked = await db.transactional(async (tx): Promise<BookedMessage | null> => {
      const intent = needsPerson ? null : understood.intent;
      const handled = await setHandled(tx, idsOf(written), { intent, automatic: false });
      await setHandled(tx, idsOf(automatic), AUTOMATIC);
      if (handled.length > 0 && needsPerson) {
        await recordEntries(tx, debtId, now, [{ kind: 'needs_person', reason: 'not_understood' }]);
      }
      if (handled.length > 0 && !fromStranger) await personHasWritten(tx, debtId);
      if (handled.length > 0 && staffAnswers && !fromStranger) await tellStaff(tx, debtId);
      await wakeForRest(tx);
      if (!fromStranger) await planNextContact(tx, deps, debtId, clock, now);
      if (handled.length === 0 || isUnsent || (await isSilenced(tx, deps, toApply))) return null;
      const answered = await bookReply(tx, deps, {
        debt,
        phone,
        candidate: first,
        written,
        reply,
        pix,
        now,
        attemptKey,
        isDaily: isDaily || offered !== null,
        isConfirmation: offered?.kind === 'accepted',
      });
      // The same answer does not help again, so a person reads the question.
      if (answered === null && (isQuestion(understood) || offered !== null)) await askStaff(tx, debtId, 'question');
      return answered;
    });
    markRead(deps, clientId, messages);
    if (booked === null) return nextStepOf(deps, clientId, debtId);
    return sendBooked(deps, debt, candidates.list, booked, async (tx, sending) => {
      const mayWork = sending.outcome === 'failed' && (sending.cause === 'passing' || sending.cause === 'throttled');
      if (mayWork && !isTooLate) {
        await openTurnAgain(tx, booked.id, written);
        return later(sending.retryAfterMs);
      }
      const hasChannelStopped = sending.outcome === 'failed' && sending.cause === 'sender';
      if (hasChannelStopped) await askStaff(tx, debtId, 'undelivered');
      return nextStepIn(tx, debtId, hasChannelStopped);
    });
  };

/** A promised day may be over when the answer is made. Nothing is left of the time until then: another day is asked for. */
const withoutPastDay = (said: Understanding, { today }: Conversation): Understanding =>
  said.date !== null && said.date < today ? { ...said, date: null } : said;

const isQuestion = ({ intent, also }: Understanding): boolean => intent === 'question' || also.includes('question');

/** In these situations a file waits for the client's staff: see `askStaff`. */
const FILE_IS_TOLD: readonly Situation[] = ['open', 'exhausted', 'opted_out'];

/** The understanding of an automatic answer, which the timeline shows. */
const AUTOMATIC = { intent: 'other', automatic: true } as const;

/** Marks the turn as unanswered, because the answer was certainly not sent; the next attempt sends another message. */
async function openTurnAgain(
  tx: Tx,
  answerId: string,
  messages: readonly Pick<ReceivedMessage, 'id'>[],
): Promise<void> {
  await freeAttempt(tx, answerId);
  await setUnhandled(tx, idsOf(messages));
}
