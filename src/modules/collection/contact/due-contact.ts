import { isLive } from '../../../kernel/debt-status.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { SeenDebts } from '../../debts/queries/persons.ts';
import type { DebtTask } from '../../debts/rules/debt-task.ts';
import { momentOf } from '../../debts/use-cases/clock.ts';
import { type DebtContext, keepClock, lockDebts } from '../../debts/use-cases/debt-context.ts';
import { askStaff, tellOfWaiting } from '../../debts/use-cases/inbox-items.ts';
import { moveDebt } from '../../debts/use-cases/move-debt.ts';
import { type ContactStep, DUE_REMINDER, type Turn } from '../../messaging/ports/collection-agent.ts';
import { ownWordingOf } from '../../messaging/queries/message-texts.ts';
import { SEND_WITHIN_MS } from '../../messaging/use-cases/booked-message.ts';
import { type Candidate, candidatesFor } from '../../messaging/use-cases/candidates.ts';
import { releaseReservations } from '../../messaging/use-cases/contact-ledger.ts';
import { type OtherDebts, turnsOf } from '../../messaging/use-cases/debt-facts.ts';
import { policyChannelOf } from '../../messaging/use-cases/deps.ts';
import { settleEarlierTry } from '../../messaging/use-cases/send-message.ts';
import { SENDER_REST_MS } from '../../messaging/use-cases/sender-state.ts';
import type { Charge } from '../../payments/queries/charges.ts';
import { nextMove } from '../../policy/rules/collection-sequence.ts';
import { type ContactPurpose, purposeOf } from '../../policy/rules/contact-policy.ts';
import { momentOfAll, slotAfterContact, stepsAfter } from '../../policy/rules/next-slot.ts';
import type { Channel } from '../../policy/rules/policy-pack.ts';
import type { CollectionDeps } from '../deps.ts';
import { isPaused, purposeAt, questionByDebt, sequenceOf } from '../gate/ask-policy.ts';
import { debtsToMention, withPage } from '../gate/debts-of-contact.ts';
import { holdIfAsked, requestsToDecide } from '../gate/hold-debt.ts';
import { contactOf, type ReadContact } from '../queries/contact-facts.ts';
import { failedContacts, isContactBeingSent, passStep, setNextContact } from '../queries/contact-gate.ts';
import { endAfterLast, giveUpPhone } from './finish-contact.ts';

export interface DueContact extends SeenDebts {
  readonly charges: readonly Charge[];
  readonly candidates: readonly [Candidate, ...Candidate[]];
  readonly others: OtherDebts | null;
  readonly purpose: ContactPurpose;
  readonly move: ContactStep;
  readonly now: number;
  readonly turns: readonly Turn[];
}

/** What can be said of the next contact of a debt by what was read. */
type Decision =
  | ({ readonly kind: 'due' } & DueContact)
  /** An earlier contact is to be undone first. */
  | { readonly kind: 'undelivered' }
  /** The contact is to be planned again first. */
  | { readonly kind: 'outdated' }
  /** An earlier run of this attempt has booked a message. */
  | { readonly kind: 'tried' }
  | { readonly kind: 'notLive' }
  | { readonly kind: 'early' }
  /** The person has asked for something that the client has to decide about first. */
  | { readonly kind: 'asked'; readonly now: number }
  | { readonly kind: 'exhausted'; readonly now: number }
  /** No channel can carry it. */
  | {
      readonly kind: 'noChannel';
      readonly because: 'sender' | 'recipient';
      /** The kind of channel that would be tried first. */
      readonly channel: Channel;
      readonly now: number;
    };

/**
 * Returns null when no contact is due now, `undelivered` when an earlier one is to be undone first, and `outdated` when
 * the contact is to be planned again first. A contact that is due is decided about once more by the gate, under its locks.
 * Anything else is decided here, by what is read again once the debt is locked.
 */
export const prepareContact = (
  deps: CollectionDeps,
  request: DebtTask,
): Promise<DueContact | 'undelivered' | 'outdated' | null> =>
  deps.db.tenant(request.clientId).transactional(async (tx) => {
    const seen = await contactOf(tx, request);
    if (seen === null) return null;
    const decision = await decideContact(tx, deps, request, seen);
    if (decision.kind === 'due') return decision;
    await lockDebts(tx, [request.debtId]);
    const locked = await contactOf(tx, request);
    return locked === null
      ? null
      : follow(tx, deps, request, locked.debt, await decideContact(tx, deps, request, locked));
  });

async function decideContact(
  tx: Tx,
  deps: CollectionDeps,
  { clock }: DebtTask,
  { debt, open, facts, charges }: ReadContact,
): Promise<Decision> {
  if (facts.hasLateFailure) return { kind: 'undelivered' };
  if (facts.isTried) return { kind: 'tried' };
  if (!isLive(debt.status)) return { kind: 'notLive' };
  if (debt.isPlanOutdated) return { kind: 'outdated' };
  const now = momentOf(clock, debt, deps.now().getTime());
  if (debt.nextContactAt !== null && now < debt.nextContactAt.getTime()) return { kind: 'early' };
  if (requestsToDecide(deps, debt, now).length > 0) return { kind: 'asked', now };
  const move = nextMove(sequenceOf(debt, deps.policy), {
    contactsMade: debt.step,
    anchorAt: now,
    promiseLapsed: debt.status === 'PROMISED',
    resumedAfter: facts.resumedAfter,
  });
  if (move.kind === 'exhausted') return { kind: 'exhausted', now };
  const candidates = await candidatesFor(tx, deps, debt, { phone: debt.debtorPhone });
  if (candidates.nobodyBecause !== null) {
    const { senders, nobodyBecause: because } = candidates;
    return { kind: 'noChannel', because, channel: policyChannelOf(senders), now };
  }
  const { policyChannel: channel } = candidates.list[0].sender.channel.capabilities;
  const purpose = purposeAt(debt, deps.policy, { now, channel });
  const others = debtsToMention(open, deps.policy, { now: momentOfAll(now, open), channel, purpose });
  return {
    kind: 'due',
    debt,
    open,
    charges,
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

/** Ends or holds the debt, or lets it wait, where no contact can be made; its row is locked. */
async function follow(
  tx: Tx,
  deps: CollectionDeps,
  { debtId, clock, attemptKey }: DebtTask,
  debt: DebtContext,
  decision: Decision,
): Promise<DueContact | 'undelivered' | 'outdated' | null> {
  if (decision.kind === 'due') return decision;
  if (decision.kind === 'undelivered') return decision.kind;
  if (decision.kind === 'outdated') return decision.kind;
  if (decision.kind === 'tried') await settleEarlierTry(tx, debt, attemptKey);
  if (decision.kind === 'notLive') await releaseReservations(tx, [debtId]);
  if (decision.kind === 'asked') await holdIfAsked(tx, deps, debt, decision.now);
  if (decision.kind === 'exhausted') await endUnlessSending(tx, deps, debtId, decision.now);
  if (decision.kind === 'noChannel') await waitForChannel(tx, deps, debt, decision);
  // The gate keeps the clock of a contact that is due.
  await keepClock(tx, debt, clock.offsetMs);
  return null;
}

/** The workflow of another debt of the person may be sending the last message, which may yet fail. */
async function endUnlessSending(tx: Tx, deps: CollectionDeps, debtId: string, now: number): Promise<void> {
  if (await isContactBeingSent(tx, debtId)) {
    await setNextContact(tx, debtId, { nextContactAt: new Date(now + SEND_WITHIN_MS), pausedAt: null });
    return;
  }
  await releaseReservations(tx, [debtId]);
  await moveDebt(tx, deps.workflows, debtId, 'exhausted', now);
}

/**
 * No channel can carry the next contact. When none reaches the phone, the next phone takes over, the debt ends, or the
 * step is passed over; when the client's senders cannot send, the contact waits with its step, and the client is told.
 */
async function waitForChannel(
  tx: Tx,
  deps: CollectionDeps,
  debt: DebtContext,
  { because, channel, now }: Extract<Decision, { readonly kind: 'noChannel' }>,
): Promise<void> {
  if (because === 'sender') {
    await tellOfWaiting(tx, debt.id);
    await setNextContact(tx, debt.id, { nextContactAt: new Date(now + SENDER_REST_MS), pausedAt: null });
    return;
  }
  // While nobody may be contacted at all, no debt ends and no step is lost.
  if (isPaused(debt)) {
    await setNextContact(tx, debt.id, { nextContactAt: null, pausedAt: deps.now() });
    return;
  }
  const phone = debt.debtorPhone;
  const { reached } = await failedContacts(tx, { ...debt, phone });
  if (await giveUpPhone(tx, deps, debt, { purpose: 'collection', phone, reached, at: now })) return;
  await passOver(tx, deps, debt, { channel, at: now });
}

/** An earlier message reached the person, so the step counts as done and the sequence goes on. The client is told. */
async function passOver(
  tx: Tx,
  deps: CollectionDeps,
  debt: DebtContext,
  { channel, at }: { readonly channel: Channel; readonly at: number },
): Promise<void> {
  const question = questionByDebt(debt, deps.policy, { now: at, channel });
  const purpose = purposeOf(question);
  const made = { purpose, debtId: debt.id, question, sequence: sequenceOf(debt, deps.policy), step: debt.step, at };
  await passStep(tx, debt.id, {
    step: stepsAfter(made),
    remindedAt: purpose === 'reminder' ? new Date(at) : debt.remindedAt,
    nextContactAt: new Date(slotAfterContact(made).at),
  });
  await askStaff(tx, debt.id, 'undelivered');
  await releaseReservations(tx, [debt.id]);
  await endAfterLast(tx, deps, { purpose, debts: [debt], at });
}

/** What takes up a promise, a dispute or a payment is the product's, because the client's words are about the step. */
const isOfStep = ({ kind }: { readonly kind: ContactStep['kind'] }): boolean =>
  kind === 'first' || kind === 'reminder' || kind === 'last';
