import type { EntityManager } from '@mikro-orm/postgresql';
import { addOutbox } from '../../db/add-outbox.ts';
import {
  freeAttempt,
  type ReceivedMessage,
  setHandled,
  setUnhandled,
  unhandledMessages,
} from '../../db/queries/conversations.ts';
import { debtsInWords } from '../../documents/messages/debts-in-words.ts';
import { localDate } from '../../domain/calendar.ts';
import type { DebtTask } from '../../domain/debt-task.ts';
import { AppError } from '../../domain/errors.ts';
import { isBusinessDay } from '../../domain/holidays.ts';
import type { NextStep } from '../../domain/next-step.ts';
import { areaCodeOf, displayOffset, placeOf } from '../../domain/phone.ts';
import type { Conversation, DebtFacts, Turn, Understanding } from '../../ports/collection-agent.ts';
import { PaymentProviderError } from '../../ports/payment-provider.ts';
import { debtNow, momentOf } from '../debts/clock.ts';
import { type DebtContext, keepClock, loadDebt } from '../debts/debt-context.ts';
import { factsOf, type OtherDebts, readTurns } from '../debts/debt-facts.ts';
import { askStaff } from '../debts/inbox-items.ts';
import { NOTHING_LEFT, nextStepOf } from '../debts/next-step.ts';
import { recordEvents } from '../debts/record-events.ts';
import { ledgerKeyOf } from '../messaging/contact-ledger.ts';
import { type BookedMessage, sendBooked, settleEarlierTry } from '../messaging/send-message.ts';
import { isWrongPhone } from '../messaging/suppressions.ts';
import { checkClaimOfPayment } from '../payments/check-claim-of-payment.ts';
import { findOrMakeCharge } from '../payments/find-or-make-charge.ts';
import { type Applied, applyIntent, saysPaid } from './apply-intent.ts';
import { bookReply } from './book-reply.ts';
import { otherOpenDebts, withPage } from './debts-of-contact.ts';
import type { CollectionDeps } from './deps.ts';
import { planNextContact } from './plan-next-contact.ts';
import { FAST_MS, separateAutomatic } from './separate-automatic.ts';
import { understandTurn } from './understand-turn.ts';

/** A turn of the debtor, with what the answer needs to know. */
interface HeardTurn {
  readonly debt: DebtContext;
  /** The phone from which the debtor wrote, to which the answer goes. */
  readonly phone: string;
  /** The phone is known to belong to another person, who learns nothing of the debt and changes nothing of it. */
  readonly fromStranger: boolean;
  readonly others: OtherDebts | null;
  readonly turns: readonly Turn[];
}

/** Whatever the owner of a wrong phone writes, only a request for silence takes effect, for that phone alone. */
const asStranger = (said: Understanding): Understanding => ({
  ...said,
  intent: 'wrong_person',
  date: null,
  also: [said.intent, ...said.also].filter((intent) => intent === 'opt_out'),
});

/** The most messages of one turn. Further messages make the next turn, and the debt is silent meanwhile. */
const MOST_MESSAGES = 20;

/**
 * Understands all messages of the debtor that have no answer yet, applies them and answers them once. What a machine has
 * answered changes nothing.
 */
export const answerDebtor =
  (deps: CollectionDeps) =>
  async (request: DebtTask): Promise<NextStep> => {
    const { clientId, debtId, clock, attemptKey } = request;
    const db = deps.db.tenant(clientId);
    const turn = await db.transactional(async (em) => {
      const debt = await loadDebt(em, debtId);
      if (debt === null) return null;
      await keepClock(em, debtId, clock.offsetMs);
      const messages = await unhandledMessages(em, debtId, { limit: MOST_MESSAGES + 1, fastMs: FAST_MS });
      const phone = messages[0]?.phone ?? debt.debtorPhone;
      const sender = await deps.senderOf(debt);
      const key = { ...ledgerKeyOf({ ...debt, debtorPhone: phone }, deps.personKeys), sender: sender.number };
      // An answer may go out at any hour, so it speaks of every debt that has fallen due, whatever the window.
      const today = localDate(debtNow(debt.clockOffsetMs, deps.now().getTime()), offsetOf(phone));
      const due = (await otherOpenDebts(em, debt)).filter(({ dueDate }) => dueDate <= today);
      const fromStranger = await isWrongPhone(em, key);
      const others = fromStranger ? null : await withPage(em, debt, due);
      return { debt, messages, phone, sender, fromStranger, others, turns: await readTurns(em, debt, phone) };
    });
    if (turn === null) return NOTHING_LEFT;
    const { debt, phone, sender, fromStranger } = turn;
    // Whoever writes from another phone may be another person, and makes the next turn.
    const messages = turn.messages
      .slice(0, MOST_MESSAGES)
      .filter((message) => (message.phone ?? debt.debtorPhone) === phone);
    const channel = sender.channel.name;
    if (messages.length === 0) {
      await db.transactional((em) => settleEarlierTry(em, debt, channel, attemptKey));
      return nextStepOf(deps, clientId, debtId);
    }

    const now = momentOf(clock, debt, deps.now().getTime());
    const conversation = conversationOf(deps, turn, now);
    const { written, automatic } = await separateAutomatic(deps.agent, messages);
    const wakeForRest = async (em: EntityManager): Promise<void> => {
      if (turn.messages.length > messages.length) await addOutbox(em, deps.workflows.wakeDebt(debt, 'messageReceived'));
    };
    if (written.length === 0) {
      await db.transactional(async (em) => {
        await setHandled(em, idsOf(automatic), AUTOMATIC);
        await wakeForRest(em);
      });
      return nextStepOf(deps, clientId, debtId);
    }
    const texts = written.map(({ text }) => text);
    const { understood: said, needsPerson } = await understandTurn(deps.agent, texts, conversation);
    const understood = fromStranger ? asStranger(said) : said;
    // The request is applied before anything is answered, and a retry finds it applied. The messages are marked as
    // handled together with the answer below.
    const applied = await db.transactional((em) =>
      applyIntent(em, deps, debtId, { understood, text: texts.join('\n'), phone, now, sender }),
    );
    const after = saysPaid(understood) ? await askedAbout(deps, applied.debt, now) : applied.debt;
    const brCode = understood.intent === 'wants_to_pay' ? await codeFor(deps, after, now) : null;
    // No answer is made when a part of the turn was not understood, because that part may contradict any answer.
    const reply = needsPerson
      ? null
      : await deps.agent.reply(said, factsAfter(deps, turn, { ...applied, debt: after }, brCode), conversation);
    const booked = await db.transactional(async (em): Promise<BookedMessage | null> => {
      const intent = needsPerson ? null : understood.intent;
      const handled = await setHandled(em, idsOf(written), { intent, automatic: false });
      await setHandled(em, idsOf(automatic), AUTOMATIC);
      if (handled.length > 0 && needsPerson) {
        await recordEvents(em, debtId, now, [{ kind: 'needs_person', data: { reason: 'not_understood' } }]);
      }
      await wakeForRest(em);
      if (!fromStranger) await planNextContact(em, deps, debtId, clock, now);
      if (handled.length === 0 || reply === null) return null;
      return bookReply(em, deps, { debt, phone, channel, written, reply, now, attemptKey });
    });
    if (booked === null) return nextStepOf(deps, clientId, debtId);
    const sending = await sendBooked(deps, debt, sender, booked);
    if (sending.outcome === 'failed' && (sending.cause === 'passing' || sending.cause === 'throttled')) {
      await db.transactional((em) => openTurnAgain(em, booked.id, written));
      throw new AppError('unavailable', retryAfter(sending.retryAfterMs));
    }
    const hasChannelStopped = sending.outcome === 'failed' && sending.cause === 'sender';
    if (hasChannelStopped) await db.transactional((em) => askStaff(em, debtId, 'undelivered'));
    return nextStepOf(deps, clientId, debtId, hasChannelStopped);
  };

/** The understanding of an automatic answer, which the timeline shows. */
const AUTOMATIC = { intent: 'other', automatic: true } as const;

const idsOf = (messages: readonly Pick<ReceivedMessage, 'id'>[]): string[] => messages.map(({ id }) => id);

/** Marks the turn as unanswered, because the answer was certainly not sent; the next attempt sends another message. */
async function openTurnAgain(
  em: EntityManager,
  answerId: string,
  messages: readonly Pick<ReceivedMessage, 'id'>[],
): Promise<void> {
  await freeAttempt(em, answerId);
  await setUnhandled(em, idsOf(messages));
}

const retryAfter = (ms: number | null): { retryAfterSeconds?: number } =>
  ms === null ? {} : { retryAfterSeconds: Math.ceil(ms / 1000) };

/** An answer does not wait for a provider that fails, because the link in the answer leads to the code as well. */
async function codeFor(deps: CollectionDeps, debt: DebtContext, at: number): Promise<string | null> {
  if (debt.wrongPerson) return null;
  try {
    return (await findOrMakeCharge(deps.payments)({ clientId: debt.clientId, debtId: debt.id, at }))?.brCode ?? null;
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error;
    return null;
  }
}

/** The provider is asked before the answer, so that a debtor who has paid reads so at once. */
async function askedAbout(deps: CollectionDeps, debt: DebtContext, now: number): Promise<DebtContext> {
  const { id: debtId, clientId } = debt;
  await checkClaimOfPayment(deps.payments)({ clientId, debtId, now });
  return (await deps.db.tenant(clientId).transactional((em) => loadDebt(em, debtId))) ?? debt;
}

/**
 * The answer follows from the state of the debt when the message came, except that a payment and a wrong person count
 * at once.
 */
function factsAfter(
  deps: CollectionDeps,
  before: Pick<HeardTurn, 'debt' | 'others' | 'fromStranger'>,
  after: Applied,
  brCode: string | null,
): DebtFacts {
  const { debt, disputed } = after;
  const facts = factsOf(debt.status === 'PAID' ? debt : before.debt, deps, { brCode, others: before.others });
  if (debt.wrongPerson || before.fromStranger) return { ...facts, situation: 'wrong_person' };
  return disputed.length === 0 ? facts : { ...facts, disputed: debtsInWords(disputed) };
}

const offsetOf = (phone: string): number => displayOffset(areaCodeOf(phone));

function conversationOf(
  deps: CollectionDeps,
  { debt, phone, turns }: Pick<HeardTurn, 'debt' | 'phone' | 'turns'>,
  now: number,
): Conversation {
  const place = placeOf(areaCodeOf(phone));
  return {
    debtId: debt.id,
    debtorName: debt.debtorName,
    today: localDate(now, offsetOf(phone)),
    isBusinessDay: (date) => isBusinessDay(deps.policy.holidays, date, place.states),
    turns,
  };
}
