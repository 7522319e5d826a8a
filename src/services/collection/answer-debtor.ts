import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { addOutbox } from '../../db/outbox.ts';
import { runInTransaction } from '../../db/statement.ts';
import { isBusinessDay, localDate } from '../../domain/calendar.ts';
import { AppError } from '../../domain/errors.ts';
import { type MessageContext, mayReply } from '../../domain/message-policy.ts';
import { areaCodeOf, placeOf } from '../../domain/phone.ts';
import type { Conversation, DebtFacts, Turn } from '../../ports/collection-agent.ts';
import { PaymentProviderError } from '../../ports/payment-provider.ts';
import { momentOf } from '../debts/clock.ts';
import { type DebtContext, keepClock, loadDebt } from '../debts/debt-context.ts';
import { factsOf, readTurns } from '../debts/debt-facts.ts';
import { NOTHING_LEFT, type Outlook, outlookOf } from '../debts/next-step.ts';
import { recordEvents } from '../debts/timeline.ts';
import { type BookedMessage, bookMessage, sendBooked, settleEarlierTry } from '../messaging/send-message.ts';
import { askProvider } from '../payments/ask-provider.ts';
import { ensureCharge } from '../payments/ensure-charge.ts';
import { applyIntent, saysPaid } from './apply-intent.ts';
import type { ContactRequest } from './contact-debtor.ts';
import type { CollectionDeps } from './deps.ts';
import { planNextContact } from './plan-next-contact.ts';
import { understandTurn } from './understand-turn.ts';

interface Unhandled {
  readonly id: string;
  readonly text: string;
}

/** Of one turn; what somebody writes beyond it is the next turn, and keeps the debt silent meanwhile. */
const MOST_MESSAGES = 20;

const UNHANDLED = `
  select id, text from messages where debt_id = $1 and direction = 'in' and handled_at is null
  order by created_at, id limit ${MOST_MESSAGES + 1}`;
const HANDLED = `
  update messages set handled_at = now(), intent = $2 where id = any ($1) and handled_at is null returning id`;

/** One turn: all that the debtor has written and nobody has answered is understood, obeyed and answered once. */
export const answerDebtor =
  (deps: CollectionDeps) =>
  async (request: ContactRequest): Promise<Outlook> => {
    const { clientId, debtId, clock, attemptKey } = request;
    const db = deps.db.tenant(clientId);
    const turn = await db.transactional(async (em) => {
      const debt = await loadDebt(em, debtId);
      if (debt === null) return null;
      await keepClock(em, debtId, clock.offsetMs);
      const messages = await runInTransaction<Unhandled>(em, UNHANDLED, [debtId]);
      return { debt, messages, turns: await readTurns(em, debtId) };
    });
    if (turn === null) return NOTHING_LEFT;
    const { debt } = turn;
    const messages = turn.messages.slice(0, MOST_MESSAGES);
    const sender = await deps.senderOf(debt);
    const channel = sender.channel.name;
    if (messages.length === 0) {
      await db.transactional((em) => settleEarlierTry(em, debt, channel, attemptKey));
      return outlookOf(deps, clientId, debtId);
    }

    const now = momentOf(clock, debt, deps.now().getTime());
    const conversation = conversationOf(deps, debt, turn.turns, now);
    const texts = messages.map(({ text }) => text);
    const { understood, needsPerson } = await understandTurn(deps.agent, texts, conversation);
    // Obeyed before anything is answered; a retry finds it done. The messages are marked with the answer below.
    const obeyed = await db.transactional((em) => applyIntent(em, deps, debtId, understood, { now, sender }));
    const after = saysPaid(understood) ? await askedAbout(deps, obeyed, now) : obeyed;
    const brCode = understood.intent === 'wants_to_pay' ? await codeFor(deps, after, now) : null;
    // What was not read may say that the answer is wrong, whatever it is.
    const reply = needsPerson
      ? null
      : await deps.agent.reply(understood, factsAfter(deps, debt, after, brCode), conversation);
    const booked = await db.transactional(async (em): Promise<BookedMessage | null> => {
      const ids = messages.map(({ id }) => id);
      const handled = await runInTransaction(em, HANDLED, [ids, needsPerson ? null : understood.intent]);
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
    if (booked === null) return outlookOf(deps, clientId, debtId);
    const sending = await sendBooked(deps, debt, sender, booked);
    if (sending.outcome === 'failed' && sending.cause === 'passing') {
      await db.transactional((em) => openTurnAgain(em, booked.id, messages));
      throw new AppError('unavailable', retryAfter(sending.retryAfterMs));
    }
    return outlookOf(deps, clientId, debtId, sending.outcome === 'failed' && sending.cause === 'sender');
  };

const UNHANDLE = 'update messages set handled_at = null where id = any ($1)';
const FREE_ATTEMPT = 'update messages set attempt_key = null where id = $1';

/** The answer surely did not arrive: the turn is still to be answered, by a message of its own. */
async function openTurnAgain(em: EntityManager, answerId: string, messages: readonly Unhandled[]): Promise<void> {
  await runInTransaction(em, FREE_ATTEMPT, [answerId]);
  await runInTransaction(em, UNHANDLE, [messages.map(({ id }) => id)]);
}

const retryAfter = (ms: number | null): { retryAfterSeconds?: number } =>
  ms === null ? {} : { retryAfterSeconds: Math.ceil(ms / 1000) };

/** An answer does not wait for a provider that is down: its link leads to the code as well. */
async function codeFor(deps: CollectionDeps, debt: DebtContext, at: number): Promise<string | null> {
  if (debt.wrongPerson) return null;
  try {
    return (await ensureCharge(deps.payments)({ clientId: debt.clientId, debtId: debt.id, at }))?.brCode ?? null;
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error;
    return null;
  }
}

/** Before the answer: whoever has paid is told so at once. */
async function askedAbout(deps: CollectionDeps, debt: DebtContext, now: number): Promise<DebtContext> {
  const { id: debtId, clientId } = debt;
  await askProvider(deps.payments)({ clientId, debtId, now });
  return (await deps.db.tenant(clientId).transactional((em) => loadDebt(em, debtId))) ?? debt;
}

/** What decides how the message may be answered is how things stood when it came, two cases excepted. */
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
