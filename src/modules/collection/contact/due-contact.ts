import { isLive } from '../../../kernel/debt-status.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { debtWithOpenOnes, type SeenDebts } from '../../debts/queries/persons.ts';
import type { DebtTask } from '../../debts/rules/debt-task.ts';
import { momentOf } from '../../debts/use-cases/clock.ts';
import { type DebtContext, keepClock, lockDebts } from '../../debts/use-cases/debt-context.ts';
import { askStaff } from '../../debts/use-cases/inbox-items.ts';
import { moveDebt } from '../../debts/use-cases/move-debt.ts';
import { type ContactStep, DUE_REMINDER, type Turn } from '../../messaging/ports/collection-agent.ts';
import { ownWordingOf } from '../../messaging/queries/message-texts.ts';
import { SEND_WITHIN_MS } from '../../messaging/use-cases/booked-message.ts';
import { type Candidate, candidatesFor } from '../../messaging/use-cases/candidates.ts';
import { releaseReservations } from '../../messaging/use-cases/contact-ledger.ts';
import { type OtherDebts, turnsOf } from '../../messaging/use-cases/debt-facts.ts';
import { settleEarlierTry } from '../../messaging/use-cases/send-message.ts';
import { SENDER_REST_MS } from '../../messaging/use-cases/sender-state.ts';
import { type Charge, chargesOfDebt } from '../../payments/queries/charges.ts';
import { nextMove } from '../../policy/rules/collection-sequence.ts';
import type { ContactPurpose } from '../../policy/rules/contact-policy.ts';
import { momentOfAll } from '../../policy/rules/next-slot.ts';
import type { CollectionDeps } from '../deps.ts';
import { purposeAt, sequenceOf } from '../gate/ask-policy.ts';
import { debtsToMention, withPage } from '../gate/debts-of-contact.ts';
import { holdIfAsked } from '../gate/hold-debt.ts';
import { type ContactFacts, contactFacts } from '../queries/contact-facts.ts';
import { failedContacts, isContactBeingSent, setNextContact } from '../queries/contact-gate.ts';
import { giveUpPhone } from './finish-contact.ts';

export interface DueContact extends SeenDebts {
  readonly charges: readonly Charge[];
  readonly candidates: readonly [Candidate, ...Candidate[]];
  readonly others: OtherDebts | null;
  readonly purpose: ContactPurpose;
  readonly move: ContactStep;
  readonly now: number;
  readonly turns: readonly Turn[];
}

/**
 * Returns null when no contact is due now, `undelivered` when an earlier one is to be undone first, and `outdated` when
 * the contact is to be planned again first.
 */
export const prepareContact = (
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

/** What takes up a promise, a dispute or a payment is the product's, because the client's words are about the step. */
const isOfStep = ({ kind }: { readonly kind: ContactStep['kind'] }): boolean =>
  kind === 'first' || kind === 'reminder' || kind === 'last';
