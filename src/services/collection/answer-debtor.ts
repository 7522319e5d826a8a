import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { addOutbox } from '../../db/outbox.ts';
import { freeAttempt, setHandled, setUnhandled, unhandledMessages } from '../../db/queries/conversations.ts';
import { isBusinessDay, localDate } from '../../domain/calendar.ts';
import { AppError } from '../../domain/errors.ts';
import { type MessageContext, mayReply } from '../../domain/message-policy.ts';
import type { NextStep } from '../../domain/next-step.ts';
import { areaCodeOf, placeOf } from '../../domain/phone.ts';
import type { Conversation, DebtFacts, Turn } from '../../ports/collection-agent.ts';
import { PaymentProviderError } from '../../ports/payment-provider.ts';
import { momentOf } from '../debts/clock.ts';
import { type DebtContext, keepClock, loadDebt } from '../debts/debt-context.ts';
import { factsOf, readTurns } from '../debts/debt-facts.ts';
import type { DebtTask } from '../debts/debt-task.ts';
import { NOTHING_LEFT, nextStepOf } from '../debts/next-step.ts';
import { recordEvents } from '../debts/timeline.ts';
import { type BookedMessage, bookMessage, sendBooked, settleEarlierTry } from '../messaging/send-message.ts';
import { askProvider } from '../payments/ask-provider.ts';
import { ensureCharge } from '../payments/ensure-charge.ts';
import { applyIntent, saysPaid } from './apply-intent.ts';
import type { CollectionDeps } from './deps.ts';
import { planNextContact } from './plan-next-contact.ts';
import { understandTurn } from './understand-turn.ts';

/** The most messages of one turn. Further messages make the next turn, and the debt is silent meanwhile. */
const MOST_MESSAGES = 20;

/** Understands all that the debtor has written and nobody has answered, applies it and answers it once. */
export const answerDebtor =
  (deps: CollectionDeps) =>
  async (request: DebtTask): Promise<NextStep> => {
    const { clientId, debtId, clock, attemptKey } = request;
    const db = deps.db.tenant(clientId);
    const turn = await db.transactional(async (em) => {
      const debt = await loadDebt(em, debtId);
      if (debt === null) return null;
      await keepClock(em, debtId, clock.offsetMs);
      const messages = await unhandledMessages(em, debtId, MOST_MESSAGES + 1);
      return { debt, messages, turns: await readTurns(em, debtId) };
    });
    if (turn === null) return NOTHING_LEFT;
    const { debt } = turn;
    const messages = turn.messages.slice(0, MOST_MESSAGES);
    const sender = await deps.senderOf(debt);
    const channel = sender.channel.name;
    if (messages.length === 0) {
      await db.transactional((em) => settleEarlierTry(em, debt, channel, attemptKey));
      return nextStepOf(deps, clientId, debtId);
    }

    const now = momentOf(clock, debt, deps.now().getTime());
    const conversation = conversationOf(deps, debt, turn.turns, now);
    const texts = messages.map(({ text }) => text);
    const { understood, needsPerson } = await understandTurn(deps.agent, texts, conversation);
    // The request is applied before anything is answered, and a retry finds it applied. The messages are marked as
    // handled together with the answer below.
    const obeyed = await db.transactional((em) => applyIntent(em, deps, debtId, understood, { now, sender }));
    const after = saysPaid(understood) ? await askedAbout(deps, obeyed, now) : obeyed;
    const brCode = understood.intent === 'wants_to_pay' ? await codeFor(deps, after, now) : null;
    // No answer is made when a part of the turn was not understood, because that part may contradict any answer.
    const reply = needsPerson
      ? null
      : await deps.agent.reply(understood, factsAfter(deps, debt, after, brCode), conversation);
    const booked = await db.transactional(async (em): Promise<BookedMessage | null> => {
      const ids = messages.map(({ id }) => id);
      const handled = await setHandled(em, ids, needsPerson ? null : understood.intent);
      if (handled.length > 0 && needsPerson) {
        await recordEvents(em, debtId, now, [{ kind: 'needs_person', data: { reason: 'not_understood' } }]);
      }
      if (turn.messages.length > messages.length) {
        await addOutbox(em, deps.workflows.wakeDebt(debt, 'messageReceived'));
      }
      await planNextContact(em, deps, debtId, clock, now);
      if (handled.length === 0 || reply === null || !mayReply(policyContext(deps, debt, now), 0)) return null;
      const { purpose, text, template } = reply;
      const message = { id: randomUUID(), purpose, text, template, at: now };
      return (await bookMessage(em, debt, channel, { ...message, attemptKey })) ? message : null;
    });
    if (booked === null) return nextStepOf(deps, clientId, debtId);
    const sending = await sendBooked(deps, debt, sender, booked);
    if (sending.outcome === 'failed' && sending.cause === 'passing') {
      await db.transactional((em) => openTurnAgain(em, booked.id, messages));
      throw new AppError('unavailable', retryAfter(sending.retryAfterMs));
    }
    return nextStepOf(deps, clientId, debtId, sending.outcome === 'failed' && sending.cause === 'sender');
  };

/** The answer certainly did not arrive: the turn is still to be answered, by another message. */
async function openTurnAgain(
  em: EntityManager,
  answerId: string,
  messages: readonly { readonly id: string }[],
): Promise<void> {
  await freeAttempt(em, answerId);
  await setUnhandled(
    em,
    messages.map(({ id }) => id),
  );
}

const retryAfter = (ms: number | null): { retryAfterSeconds?: number } =>
  ms === null ? {} : { retryAfterSeconds: Math.ceil(ms / 1000) };

/** An answer does not wait for a provider that fails, because the link in the answer leads to the code as well. */
async function codeFor(deps: CollectionDeps, debt: DebtContext, at: number): Promise<string | null> {
  if (debt.wrongPerson) return null;
  try {
    return (await ensureCharge(deps.payments)({ clientId: debt.clientId, debtId: debt.id, at }))?.brCode ?? null;
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error;
    return null;
  }
}

/** The provider is asked before the answer, so that a debtor who has paid reads so at once. */
async function askedAbout(deps: CollectionDeps, debt: DebtContext, now: number): Promise<DebtContext> {
  const { id: debtId, clientId } = debt;
  await askProvider(deps.payments)({ clientId, debtId, now });
  return (await deps.db.tenant(clientId).transactional((em) => loadDebt(em, debtId))) ?? debt;
}

/**
 * The answer follows from the state of the debt when the message came, except that a payment and a wrong person count
 * at once.
 */
function factsAfter(deps: CollectionDeps, before: DebtContext, after: DebtContext, brCode: string | null): DebtFacts {
  const facts = factsOf(after.status === 'PAID' ? after : before, deps, brCode);
  return after.wrongPerson ? { ...facts, situation: 'wrong_person' } : facts;
}

function conversationOf(deps: CollectionDeps, debt: DebtContext, turns: readonly Turn[], now: number): Conversation {
  const place = placeOf(areaCodeOf(debt.debtorPhone));
  return {
    debtId: debt.id,
    debtorName: debt.debtorName,
    today: localDate(now, place.utcOffsets[0] ?? -3),
    isBusinessDay: (date) => isBusinessDay(deps.policy.holidays, date, place.states),
    turns,
  };
}

const policyContext = (deps: CollectionDeps, debt: DebtContext, now: number): MessageContext => ({
  pack: deps.policy.pack,
  holidays: deps.policy.holidays,
  channel: 'whatsapp',
  phoneAreaCode: areaCodeOf(debt.debtorPhone),
  now,
});
