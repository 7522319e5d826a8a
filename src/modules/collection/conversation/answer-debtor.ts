import { isLive } from '../../../kernel/debt-status.ts';
import { addOutbox } from '../../../platform/database/add-outbox.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { DebtTask } from '../../debts/rules/debt-task.ts';
import type { KnowingStep } from '../../debts/rules/next-step.ts';
import { momentOf } from '../../debts/use-cases/clock.ts';
import {
  asPersonSees,
  type DebtContext,
  isOfAnother,
  keepClock,
  loadDebt,
} from '../../debts/use-cases/debt-context.ts';
import { askStaff, CLOSED_TO_REQUESTS, tellOfWaiting } from '../../debts/use-cases/inbox-items.ts';
import { NOTHING_LEFT, nextStepIn, nextStepOf } from '../../debts/use-cases/next-step.ts';
import { recordEntries } from '../../debts/use-cases/record-entries.ts';
import type { AgentMessage, DebtFacts, Situation, Understanding } from '../../messaging/ports/collection-agent.ts';
import { freeAttempt, type ReceivedMessage, setHandled, setUnhandled } from '../../messaging/queries/conversations.ts';
import { pageDisputeIn } from '../../messaging/rules/page-disputes.ts';
import { attachmentReply, debtsInWords } from '../../messaging/texts/replies.ts';
import type { BookedMessage } from '../../messaging/use-cases/booked-message.ts';
import { factsOf } from '../../messaging/use-cases/debt-facts.ts';
import { sendBooked, settleEarlierTry } from '../../messaging/use-cases/send-message.ts';
import { waitForSenderSlot } from '../../messaging/use-cases/wait-for-sender-slot.ts';
import { PaymentProviderError } from '../../payments/ports/payment-provider.ts';
import { namesOtherPayment } from '../../payments/rules/other-payment.ts';
import { checkClaimOfPayment } from '../../payments/use-cases/check-claim-of-payment.ts';
import { findOrMakeCharge, type LiveCharge } from '../../payments/use-cases/find-or-make-charge.ts';
import { pixForMessages } from '../../payments/use-cases/pix-of-message.ts';
import { isPaidSoFar } from '../agreements/agreement-facts.ts';
import type { CollectionDeps } from '../deps.ts';
import { bookReply } from '../gate/book-reply.ts';
import { planNextContact } from '../planning/plan-next-contact.ts';
import { sendStaffMessages } from '../staff/send-staff-messages.ts';
import { hasStaff, personHasWritten, tellStaff } from '../staff/staff-conversation.ts';
import { acceptedBefore, agreementInWords, answerOffers, offersInTalk } from './answer-offers.ts';
import { isAnsweredByReceipt } from './answered-by-receipt.ts';
import { type Applied, applyIntent, passClaimOn, saysPaid } from './apply-intent.ts';
import { asStranger, conversationOf, type HeardTurn, hearTurn, markRead, separateAutomatic } from './hear-turn.ts';
import { readAttachments } from './read-attachments.ts';
import { certainParts, mayBeReceipt, textsToRead, understandTurn } from './understand-turn.ts';

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
    const { debt, messages, phone, candidates, number, fromStranger, offers } = turn;

    const now = momentOf(clock, debt, deps.now().getTime());
    const conversation = { ...conversationOf(deps, turn, now), offers };
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
    const texts = textsToRead(written);
    const parts = certainParts(written);
    const heard = await understandTurn(deps.agent, texts, conversation, parts);
    const { understood: read, needsPerson } = heard;
    const inAgreement = async <T>({ status }: DebtContext, found: (tx: Tx) => Promise<T>): Promise<T | null> =>
      status === 'AGREEMENT' ? db.transactional(found) : null;
    const said = (await inAgreement(debt, (tx) => acceptedBefore(tx, debt, idsOf(written)))) ?? read;
    const understood = fromStranger ? asStranger(said) : said;
    // The request is applied before anything is answered, and a retry finds it applied. The messages are marked as
    // handled together with the answer below.
    const hasFile = !fromStranger && written.some(({ files }) => files.length > 0);
    const staffAnswers = hasStaff(debt, now);
    const mayOffer = !fromStranger && !needsPerson && !staffAnswers;
    const { applied, offered } = await db.transactional(async (tx) => {
      const listed = offers?.listed ?? [];
      const turnOfOffers = { debt, understood, phone, listed, messageIds: idsOf(written) };
      const found = mayOffer ? await answerOffers(tx, deps, turnOfOffers) : null;
      const disputed = { onPage: pageDisputeIn(written), text: heard.disputesInWords ? texts.join('\n') : '' };
      const request = { understood, disputed, phone, now, number, isAnswered: found !== null };
      const result = await applyIntent(tx, deps, debtId, request);
      if (hasFile) await askStaff(tx, debtId, 'attachment');
      return { applied: result, offered: found };
    });
    const after = saysPaid(understood) ? await askedAbout(deps, applied.debt, now) : applied.debt;
    const isKnown = (await inAgreement(after, (tx) => isPaidSoFar(tx, deps, after))) === true;
    const claimPassedOn = saysPaid(understood) && needsPersonFor(asPersonSees(after), texts, written, isKnown);
    if (claimPassedOn) await db.transactional((tx) => passClaimOn(tx, deps, debtId, { phone, now }));
    const agreement = await inAgreement(after, (tx) => agreementInWords(tx, deps, after));
    const charge = understood.intent === 'wants_to_pay' && !staffAnswers ? await codeFor(deps, after, now) : null;
    // No answer is made when a part of the turn was not understood, because that part may contradict any answer.
    const facts = {
      ...factsAfter(deps, turn, { ...applied, debt: after }, charge?.brCode ?? null),
      claimPassedOn,
      offered,
      agreement,
    };
    // Of a turn without words only the file is answered, which stands in the client's inbox by now.
    const isDaily =
      hasFile && FILE_IS_TOLD.includes(facts.situation) && (texts.length === 0 || said.intent === 'other');
    const answerOf = async (): Promise<AgentMessage> =>
      isDaily && !written.some(({ button }) => button !== null)
        ? { purpose: 'reply', ...attachmentReply(facts), template: null }
        : deps.agent.reply(said, facts, conversation);
    const answer = needsPerson ? null : await answerOf();
    // Only the end of a conversation is confirmed while a person has it.
    const [first] = candidates.list;
    const byReceipt =
      first !== undefined && isAnsweredByReceipt({ before: debt, after, understood, facts, phone, by: first.sender });
    const reply = (staffAnswers || byReceipt) && answer?.purpose === 'reply' ? null : answer;
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
    // The request is applied already; the answer waits until a sender of the client works or has a turn, and must not
    // keep the workflow from other work, because a payment may come meanwhile.
    const waitedMs = now - (written[0]?.at.getTime() ?? now);
    const isTooLate = waitedMs > MAX_RETRY_MS;
    const later = (ms: number | null, needsOperator = false): KnowingStep => ({
      kind: 'tryAgain',
      at: now + Math.max(retryDelay(waitedMs), ms ?? 0),
      needsOperator,
    });
    if (first === undefined && reply !== null && !isTooLate) {
      await db.transactional((tx) => tellOfWaiting(tx, debtId));
      return later(null, true);
    }
    const waitMs = first === undefined || reply === null ? 0 : await waitForSenderSlot(deps, debt, first, phone);
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
      if (handled.length === 0 || reply === null || first === undefined) return null;
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

const isQuestion = ({ intent, also }: Understanding): boolean => intent === 'question' || also.includes('question');

/**
 * Whether a person has to look at a claim of payment at once: the debtor names another way, day or place, or sends a
 * receipt, or the debt waits for no contact at whose moment the claim would be checked. What is known to be paid of an
 * agreement needs no check.
 */
const needsPersonFor = (
  debt: DebtContext,
  texts: readonly string[],
  written: readonly ReceivedMessage[],
  isKnown: boolean,
): boolean =>
  !CLOSED_TO_REQUESTS.includes(debt.status) &&
  ((!isLive(debt.status) && !isKnown) || texts.some(namesOtherPayment) || written.some(mayBeReceipt));

/** In these situations a file waits for the client's staff: see `askStaff`. */
const FILE_IS_TOLD: readonly Situation[] = ['open', 'exhausted', 'opted_out'];

/** The understanding of an automatic answer, which the timeline shows. */
const AUTOMATIC = { intent: 'other', automatic: true } as const;

const idsOf = (messages: readonly Pick<ReceivedMessage, 'id'>[]): string[] => messages.map(({ id }) => id);

/** Marks the turn as unanswered, because the answer was certainly not sent; the next attempt sends another message. */
async function openTurnAgain(
  tx: Tx,
  answerId: string,
  messages: readonly Pick<ReceivedMessage, 'id'>[],
): Promise<void> {
  await freeAttempt(tx, answerId);
  await setUnhandled(tx, idsOf(messages));
}

const SOONEST_RETRY_MS = 15_000;
const LATEST_RETRY_MS = 30 * 60_000;
/** An answer that comes later than this is no answer any more. The staff have read of it in the inbox. */
const MAX_RETRY_MS = 24 * 60 * 60_000;

/** The longer the debtor has waited, the more rarely the answer is tried again. */
const retryDelay = (waitedMs: number): number => Math.min(LATEST_RETRY_MS, Math.max(SOONEST_RETRY_MS, waitedMs / 2));

/** An answer does not wait for a provider that fails, because the link in the answer leads to the code as well. */
async function codeFor({ payments }: CollectionDeps, debt: DebtContext, at: number): Promise<LiveCharge | null> {
  if (debt.wrongPerson || isOfAnother(debt)) return null;
  const { clientId, id: debtId } = debt;
  try {
    return await findOrMakeCharge(payments)({ clientId, debtId, at });
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error;
    return null;
  }
}

/** The provider is asked before the answer, so that a debtor who has paid reads so at once. */
async function askedAbout(deps: CollectionDeps, debt: DebtContext, now: number): Promise<DebtContext> {
  const { id: debtId, clientId } = debt;
  await checkClaimOfPayment(deps.payments)({ clientId, debtId, now });
  return (await deps.db.tenant(clientId).transactional((tx) => loadDebt(tx, debtId))) ?? debt;
}

/**
 * The answer follows from the state of the debt when the message came, except that a payment and a wrong person count
 * at once.
 */
function factsAfter(
  deps: CollectionDeps,
  before: Pick<HeardTurn, 'debt' | 'others' | 'fromStranger' | 'rightsPageId'>,
  after: Applied,
  brCode: string | null,
): DebtFacts {
  const { debt, disputed } = after;
  const facts = factsOf(asPersonSees(debt.status === 'PAID' ? debt : before.debt), deps, {
    brCode,
    others: before.others,
    rightsPageId: before.rightsPageId,
  });
  if (debt.wrongPerson || before.fromStranger) return { ...facts, situation: 'wrong_person' };
  return disputed.length === 0 ? facts : { ...facts, disputed: debtsInWords(disputed) };
}
