import { isLive } from '../../../kernel/debt-status.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { debtWithOpenOnes, type SeenDebts } from '../../debts/queries/persons.ts';
import type { DebtTask, KnownContact } from '../../debts/rules/debt-task.ts';
import type { KnowingStep } from '../../debts/rules/next-step.ts';
import { momentOf } from '../../debts/use-cases/clock.ts';
import { type DebtContext, keepClock, loadDebt, lockDebts } from '../../debts/use-cases/debt-context.ts';
import { askStaff } from '../../debts/use-cases/inbox-items.ts';
import { moveDebt } from '../../debts/use-cases/move-debt.ts';
import { nextStepIn, nextStepOf } from '../../debts/use-cases/next-step.ts';
import {
  type AgentMessage,
  type ContactStep,
  DUE_REMINDER,
  type Turn,
} from '../../messaging/ports/collection-agent.ts';
import { ownWordingOf } from '../../messaging/queries/message-texts.ts';
import { maySendPix } from '../../messaging/use-cases/attempt-to-send.ts';
import type { PixOfMessage } from '../../messaging/use-cases/booked-message.ts';
import { type Candidate, candidatesFor } from '../../messaging/use-cases/candidates.ts';
import { releaseReservations } from '../../messaging/use-cases/contact-ledger.ts';
import { factsOf, type OtherDebts, turnsOf } from '../../messaging/use-cases/debt-facts.ts';
import { sendBooked, settleEarlierTry } from '../../messaging/use-cases/send-message.ts';
import { SENDER_REST_MS } from '../../messaging/use-cases/sender-state.ts';
import { waitForSenderSlot } from '../../messaging/use-cases/wait-for-sender-slot.ts';
import { type Charge, chargesOfDebt } from '../../payments/queries/charges.ts';
import { cancelCharges } from '../../payments/use-cases/cancel-charges.ts';
import { findOrMakeCharge } from '../../payments/use-cases/find-or-make-charge.ts';
import { pixForMessages } from '../../payments/use-cases/pix-of-message.ts';
import { nextMove } from '../../policy/rules/collection-sequence.ts';
import type { ContactPurpose } from '../../policy/rules/contact-policy.ts';
import { momentOfAll } from '../../policy/rules/next-slot.ts';
import type { CollectionDeps } from '../deps.ts';
import { purposeAt, sequenceOf } from '../gate/ask-policy.ts';
import { askGate, type GateVerdict } from '../gate/contact-gate.ts';
import { debtsToMention, withPage } from '../gate/debts-of-contact.ts';
import { holdIfAsked } from '../gate/hold-debt.ts';
import { planAgain } from '../planning/plan-next-contact.ts';
import { type ContactFacts, contactFacts } from '../queries/contact-facts.ts';
import { failedContacts, isContactBeingSent, setNextContact } from '../queries/contact-gate.ts';
import { recallForgotten } from '../recovery/recall-forgotten.ts';
import { endAfterLast, giveUpPhone, undoContact, undoLateFailures } from './finish-contact.ts';

/**
 * No channel can carry the next contact. When none reaches the phone, the next phone takes over or the debt ends; when
 * the client's senders cannot send, the contact waits with its step, and the client is told.
 */
async function waitForChannel(
  tx: Tx,
  deps: CollectionDeps,
  debt: DebtContext,
  { because, now }: { readonly because: 'sender' | 'recipient'; readonly now: number },
): Promise<void> {
  if (because === 'sender') {
    await askStaff(tx, debt.id, 'undelivered');
    await setNextContact(tx, debt.id, { nextContactAt: new Date(now + SENDER_REST_MS), pausedAt: null });
    return;
  }
  const phone = debt.debtorPhone;
  const { reached } = await failedContacts(tx, { ...debt, phone });
  await giveUpPhone(tx, deps, debt, { purpose: 'collection', phone, reached, at: now });
}

/** The contact keeps its step and comes when the sender has a turn; the gate then decides about that moment. */
const postpone = (deps: Pick<CollectionDeps, 'db'>, { clientId, id, step }: DebtContext, at: number) =>
  deps.db.tenant(clientId).transactional(async (tx) => {
    await lockDebts(tx, [id]);
    const debt = await loadDebt(tx, id);
    if (debt === null || !isLive(debt.status) || debt.step !== step) return;
    await setNextContact(tx, id, { nextContactAt: new Date(at), pausedAt: null });
  });

/** A text is composed again when the person's open debts have changed before the gate decided; rarely even once. */
const MAX_TEXTS = 3;

/**
 * A process may stand still between the decision and the sending: its machine sleeps, is moved or has too much to do.
 * After this time the debtor may have paid or asked for silence, or the day may be over, so the gate decides again.
 */
const SEND_WITHIN_MS = 10_000;

interface DueContact extends SeenDebts {
  readonly charges: readonly Charge[];
  readonly candidates: readonly [Candidate, ...Candidate[]];
  readonly others: OtherDebts | null;
  readonly purpose: ContactPurpose;
  readonly move: ContactStep;
  readonly now: number;
  readonly turns: readonly Turn[];
}

interface Asked {
  readonly message: AgentMessage;
  readonly pix: PixOfMessage | null;
  readonly verdict: GateVerdict;
  readonly notAfter: number;
}

/** Is called with each contact that was booked, before anything is sent. */
type Announce = (contact: KnownContact) => void;

/** Makes the next contact of a debt if it is due and the gate allows it, and returns what the workflow does next. */
export const contactDebtor =
  (deps: CollectionDeps) =>
  async (request: DebtTask, announce: Announce = () => {}): Promise<KnowingStep> => {
    const { clientId, debtId } = request;
    await recallForgotten(deps, request);
    let due = await prepareContact(deps, request);
    if (due === 'undelivered') {
      await undoLateFailures(deps, request);
      due = await prepareContact(deps, request);
    }
    if (due === 'outdated') {
      await planAgain(deps, request);
      due = await prepareContact(deps, request);
    }
    const made = due === null || typeof due === 'string' ? null : await contact(deps, request, due, announce);
    const step = made ?? (await nextStepOf(deps, clientId, debtId));
    if (step.kind === 'finish' && step.status === 'STOPPED') await cancelCharges(deps.payments)({ clientId, debtId });
    return step;
  };

/**
 * Returns null when no contact is due now, `undelivered` when an earlier one is to be undone first, and `outdated` when
 * the contact is to be planned again first.
 */
const prepareContact = (
  deps: CollectionDeps,
  request: DebtTask,
): Promise<DueContact | 'undelivered' | 'outdated' | null> => {
  const { clientId, debtId, clock, attemptKey } = request;
  return deps.db.tenant(clientId).transactional(async (tx) => {
    await lockDebts(tx, [debtId]);
    const seen = await debtWithOpenOnes(tx, debtId);
    const facts = await contactFacts(tx, { debtId, attemptKey });
    if (seen === null || facts === undefined) return null;
    if (facts.hasLateFailure) return 'undelivered';
    const due = await decideContact(tx, deps, request, seen, facts);
    // The gate keeps the clock of a contact that is due.
    if (due === null) await keepClock(tx, seen.debt, clock.offsetMs);
    return due;
  });
};

/** Ends or holds the debt, or lets it wait, where no contact can be made; its row is locked. */
async function decideContact(
  tx: Tx,
  deps: CollectionDeps,
  { debtId, clock, attemptKey }: DebtTask,
  { debt, open }: SeenDebts,
  facts: ContactFacts,
): Promise<DueContact | 'outdated' | null> {
  if (facts.isTried) {
    await settleEarlierTry(tx, debt, attemptKey);
    return null;
  }
  if (!isLive(debt.status)) {
    await releaseReservations(tx, [debtId]);
    return null;
  }
  if (debt.isPlanOutdated) return 'outdated';
  const now = momentOf(clock, debt, deps.now().getTime());
  if (debt.nextContactAt !== null && now < debt.nextContactAt.getTime()) return null;
  if (await holdIfAsked(tx, deps, debt, now)) return null;
  const move = nextMove(sequenceOf(debt, deps.policy), {
    contactsMade: debt.step,
    anchorAt: now,
    promiseLapsed: debt.status === 'PROMISED',
    resumedAfter: facts.resumedAfter,
  });
  if (move.kind === 'exhausted') {
    // The workflow of another debt of the person may be sending the last message, which may yet fail.
    if (await isContactBeingSent(tx, debtId)) {
      await setNextContact(tx, debtId, { nextContactAt: new Date(now + SEND_WITHIN_MS), pausedAt: null });
      return null;
    }
    await releaseReservations(tx, [debtId]);
    await moveDebt(tx, deps.workflows, debtId, 'exhausted', now);
    return null;
  }
  const candidates = await candidatesFor(tx, deps, debt, { phone: debt.debtorPhone });
  if (candidates.nobodyBecause !== null) {
    await waitForChannel(tx, deps, debt, { because: candidates.nobodyBecause, now });
    return null;
  }
  const { policyChannel: channel } = candidates.list[0].sender.channel.capabilities;
  const purpose = purposeAt(debt, deps.policy, { now, channel });
  const others = debtsToMention(open, deps.policy, { now: momentOfAll(now, open), channel, purpose });
  return {
    debt,
    open,
    charges: await chargesOfDebt(tx, debtId),
    candidates: candidates.list,
    others: await withPage(tx, debt, others),
    purpose,
    move:
      purpose === 'reminder'
        ? DUE_REMINDER
        : {
            kind: move.kind,
            tone: move.tone,
            earlierReminders: move.earlierReminders,
            wording: isOfStep(move) ? ownWordingOf(facts.wording) : null,
          },
    now,
    turns: turnsOf(facts.turns),
  };
}

/** Returns the step after a message, or null when none was sent. */
async function contact(
  deps: CollectionDeps,
  request: DebtTask,
  { debt, open, charges, candidates, others, purpose, move, now, turns }: DueContact,
  announce: Announce,
): Promise<KnowingStep | null> {
  const { clientId, debtId, clock, attemptKey } = request;
  const waitMs = await waitForSenderSlot(deps, debt, candidates[0], debt.debtorPhone);
  if (waitMs > 0) {
    await postpone(deps, debt, now + waitMs);
    return null;
  }
  // The charge comes before the text and the gate, because a message is useless when its page has no code to pay.
  const charge = await findOrMakeCharge(deps.payments)({ clientId, debtId, known: { debt, charges }, at: now });
  // Whoever has never answered from this phone may be another person.
  const hasAnswered = turns.some(({ from }) => from === 'debtor');
  const mayHavePix = hasAnswered && candidates.some(maySendPix);
  const pixFor = await pixForMessages(deps.payments)(debt, mayHavePix ? charge : null);
  const ask = async (mentioned: OtherDebts | null) => {
    const facts = factsOf(debt, deps, { brCode: charge?.brCode ?? null, others: mentioned, at: now });
    const message = await deps.agent.compose(move, facts, turns);
    const draft = {
      purpose,
      text: message.text,
      short: message.short,
      ...ownOf(message),
      candidates,
      others: mentioned?.debts ?? [],
      composedFor: {
        contactsMade: debt.step,
        phone: debt.debtorPhone,
        owedCentavos: facts.amountCentavos,
        dueDate: debt.dueDate,
        seen: { debt, open },
        pageId: mentioned?.pageId ?? null,
      },
      attemptKey,
    };
    const { amountCentavos } = facts;
    const isOfOneDebt = facts.together === null;
    const growsDaily = facts.charged != null;
    const pix = isOfOneDebt
      ? pixFor({ amountCentavos, growsDaily, text: textOfProduct(message), template: message.template })
      : null;
    const notAfter = deps.now().getTime() + SEND_WITHIN_MS;
    return { message, pix, notAfter, verdict: await askGate(deps, request, clock, draft) };
  };
  let asked: Asked = await ask(others);
  for (let texts = 1; asked.verdict.kind === 'outdated' && texts < MAX_TEXTS; texts += 1) {
    asked = await ask(asked.verdict.others);
  }
  const { message, pix, verdict, notAfter } = asked;
  if (verdict.kind !== 'allowed') return null;
  const { text, short, template } = message;
  const { messageId: id, at, debts } = verdict;
  // If this process is killed now and the database is restored from an older backup, the next attempt still knows it.
  announce({ id, at });
  const alsoAbout = debts.map((each) => each.id).filter((each) => each !== debtId);
  const booked = {
    id,
    purpose,
    phone: debt.debtorPhone,
    text,
    short,
    template,
    at,
    notAfter,
    alsoAbout,
    ...ownOf(message),
    ...(pix === null ? {} : { pix }),
  } as const;
  return sendBooked(deps, debt, candidates, booked, async (tx, sending) => {
    if (sending.outcome !== 'failed') await endAfterLast(tx, deps, verdict);
    else await undoContact(tx, deps, verdict, sending);
    // Only an operator can repair a channel that refuses all messages of the client.
    return nextStepIn(tx, debtId, sending.outcome === 'failed' && sending.cause === 'sender');
  });
}

/** A channel that shows codes approves texts, and carries the product's own. */
const textOfProduct = ({ text, own }: AgentMessage): string => own?.productText ?? text;

const ownOf = ({ own }: AgentMessage): Pick<AgentMessage, 'own'> => (own === undefined ? {} : { own });

/** What takes up a promise, a dispute or a payment is the product's, because the client's words are about the step. */
const isOfStep = ({ kind }: { readonly kind: ContactStep['kind'] }): boolean =>
  kind === 'first' || kind === 'reminder' || kind === 'last';
