import { DAY } from '../../../kernel/calendar.ts';
import { isLive } from '../../../kernel/debt-status.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { debtWithOpenOnes, type SeenDebts } from '../../debts/queries/persons.ts';
import type { DebtClock } from '../../debts/rules/debt-task.ts';
import type { PhoneProblem } from '../../debts/rules/timeline-entry.ts';
import { countInCampaign } from '../../debts/use-cases/campaign-day.ts';
import { momentOf } from '../../debts/use-cases/clock.ts';
import { type DebtContext, keepClock } from '../../debts/use-cases/debt-context.ts';
import { noOpening, openingAgain } from '../../debts/use-cases/inbox-items.ts';
import { moveDebt } from '../../debts/use-cases/move-debt.ts';
import { owedNow } from '../../debts/use-cases/owed.ts';
import { recordEntries } from '../../debts/use-cases/record-entries.ts';
import { countedSince, type LedgerKey, ledgerKeyOf, lockNamesOf } from '../../messaging/use-cases/contact-ledger.ts';
import type { OtherDebts } from '../../messaging/use-cases/debt-facts.ts';
import { policyChannelOf } from '../../messaging/use-cases/deps.ts';
import { type ContactDecision, purposeOf } from '../../policy/rules/contact-policy.ts';
import type { ContactQuestion, VerdictRule } from '../../policy/rules/contact-question.ts';
import { FINAL_RULES, momentAfterRefusal, momentOfAll } from '../../policy/rules/next-slot.ts';
import type { Policy } from '../../policy/use-cases/load-policy.ts';
import type { CollectionDeps } from '../deps.ts';
import { debtsAtGate, type PolicyFacts } from '../queries/contact-facts.ts';
import { setNextContact, waitingSince } from '../queries/contact-gate.ts';
import { lockContact } from '../queries/contact-locks.ts';
import { decideByPolicy, verdictOf } from './ask-policy.ts';
import { type BookedContact, bookContactOf, type ContactDraft, type GateContext } from './book-contact.ts';
import { debtsToMention, withPage } from './debts-of-contact.ts';
import { holdIfAsked } from './hold-debt.ts';
import { reserveSlot } from './next-slot.ts';
import { useNextPhone } from './use-next-phone.ts';

export type GateVerdict =
  | ({ readonly kind: 'allowed' } & BookedContact)
  | { readonly kind: 'refused' }
  /** The text speaks of other debts than it should by now, or leads to another page. Nothing was decided or booked. */
  | { readonly kind: 'outdated'; readonly others: OtherDebts | null };

const PAUSE_RULES: readonly VerdictRule[] = ['paused', 'client_inactive', 'client_not_verified'];

/**
 * The only gate before every message that collects or reminds. It decides by the policy, records the verdict, books the
 * contact and reserves the next slots, all in one transaction under a lock for the person. It is called immediately
 * before sending.
 */
export async function askGate(
  deps: CollectionDeps,
  { clientId, debtId }: { readonly clientId: string; readonly debtId: string },
  clock: DebtClock,
  draft: ContactDraft,
): Promise<GateVerdict> {
  return deps.db.tenant(clientId).transactional(async (tx) => {
    const seen = draft.composedFor?.seen ?? (await debtWithOpenOnes(tx, debtId));
    if (seen === null) return { kind: 'refused' };
    const key = ledgerKeyOf(seen.debt, deps.personKeys);
    const found = await lockDebtsOfContact(tx, seen, key, momentOf(clock, seen.debt, deps.now().getTime()));
    // The debt was erased or its phone corrected, so that another person or phone is locked.
    if (found === null || !isOfKey(found.debt, key, deps)) return { kind: 'refused' };
    const { debt, open } = found;
    const ownMoment = momentOf(clock, debt, deps.now().getTime());
    if (draft.composedFor !== undefined && !isFor(draft.composedFor, debt, owedNow(deps, debt, ownMoment).total))
      return { kind: 'refused' };
    // The settings of the campaign have changed since the text was composed.
    if (debt.isPlanOutdated) return { kind: 'refused' };
    if (debt.nextContactAt !== null && ownMoment < debt.nextContactAt.getTime()) return { kind: 'refused' };
    const senders = draft.candidates.map(({ sender }) => sender);
    const channel = policyChannelOf(senders);
    const { purpose } = draft;
    const others = debtsToMention(open, deps.policy, { now: momentOfAll(ownMoment, open), channel, purpose });
    const page = await withPage(tx, debt, others);
    if (!areSame(draft.others, others) || !leadsTo(draft, page)) return { kind: 'outdated', others: page };
    const now = momentOfAll(ownMoment, others);

    const asked = decideByPolicy(deps, debt, found.facts, { now, senders });
    const { decision } = asked;
    const context: GateContext = {
      tx,
      deps,
      debt,
      others,
      key,
      clock,
      now,
      rows: asked.rows,
      question: asked.question,
    };
    // The debt has fallen due, or its rules have changed, since the text was composed.
    if (decision.allowed && purposeOf(asked.question) !== purpose) return { kind: 'refused' };
    await followSettings(tx, debt, decision);
    if (decision.allowed) return { kind: 'allowed', ...(await bookContactOf(context, decision, draft)) };
    await refuse(context, decision);
    return { kind: 'refused' };
  });
}

/**
 * The debts are read again under their locks, because a payment, an opt-out or a pause may have come in meanwhile. `now`
 * is the moment of the debt as it was seen, and no later than its present one.
 */
async function lockDebtsOfContact(
  tx: Tx,
  { debt, open }: SeenDebts,
  key: LedgerKey,
  now: number,
): Promise<(SeenDebts & { readonly facts: PolicyFacts }) | null> {
  const seen = [debt, ...open];
  const debtIds = seen.map(({ id }) => id);
  const campaignAndClientIds = [debt.clientId, ...new Set(seen.map(({ campaignId }) => campaignId))];
  await lockContact.run(tx, { names: lockNamesOf(key), campaignAndClientIds, debtIds });
  const { debtorTaxId } = debt;
  const found = await debtsAtGate(tx, { ...key, debtorTaxId, since: countedSince(now) });
  return found && { ...found, open: found.open.filter(({ id }) => debtIds.includes(id)) };
}

function isOfKey(debt: DebtContext, key: LedgerKey, { personKeys }: Pick<CollectionDeps, 'personKeys'>): boolean {
  const own = ledgerKeyOf(debt, personKeys);
  return own.personKey === key.personKey && own.phoneKey === key.phoneKey;
}

const areSame = (some: readonly { readonly id: string }[], others: readonly { readonly id: string }[]): boolean =>
  some.length === others.length && some.every(({ id }) => others.some((other) => other.id === id));

/**
 * A contact for another debt may have advanced this one, another phone may be in use, the client has corrected it, or
 * another day has begun, on which more is owed.
 */
const isFor = (text: Required<ContactDraft>['composedFor'], debt: DebtContext, owedCentavos: number): boolean =>
  text.contactsMade === debt.step &&
  text.phone === debt.debtorPhone &&
  text.owedCentavos === owedCentavos &&
  text.dueDate === debt.dueDate;

const leadsTo = ({ composedFor }: ContactDraft, page: OtherDebts | null): boolean =>
  composedFor === undefined || composedFor.pageId === (page?.pageId ?? null);

/** Settings never end a debt: while they leave no opening, it waits and the client is told. */
async function followSettings(tx: Tx, debt: DebtContext, decision: ContactDecision): Promise<void> {
  if (!decision.allowed && decision.shown.shut) await noOpening(tx, debt.id);
  else if (debt.pausedAt !== null) await openingAgain(tx, debt.id);
}

/** Why this phone is not used for the person, who may have another one. Whoever opts out is contacted on none. */
function problemOfPhone({ suppressions }: ContactQuestion): PhoneProblem | null {
  if (suppressions.wrongPerson) return 'wrong_person';
  return suppressions.phoneSilenced === true && !suppressions.optedOut ? 'opt_out' : null;
}

type Refused = Extract<ContactDecision, { readonly allowed: false }>;

/**
 * Records a refusal. Only the rules shown to the client decide whether the debt ends, because a status or a pause must
 * not disclose what the verdict withholds.
 */
async function refuse(context: GateContext, refused: Refused): Promise<void> {
  const { tx, deps, debt, key, clock, now } = context;
  await keepClock(tx, debt, clock.offsetMs);
  const { shown, inVain } = refused;
  const notBefore = momentAfterRefusal(context.question, refused, debt.id);
  const verdict = verdictOf(context.question, { ...shown, allowed: false });
  await recordEntries(tx, debt.id, now, [{ kind: 'verdict', ...verdict }]);
  await countInCampaign(tx, debt, { contactsBlocked: 1 });
  // What the person has asked for was asked meanwhile, or for another debt.
  if (isLive(debt.status) && (await holdIfAsked(tx, deps, debt, now))) return;
  const problem = problemOfPhone(context.question);
  if (problem !== null && (await useNextPhone(tx, deps, debt, { problem, at: now }))) return;
  const isPaused = shown.shut === true || shown.rules.some((rule) => PAUSE_RULES.includes(rule));
  const pausedAt = isPaused ? deps.now() : null;
  await setNextContact(tx, debt.id, { nextContactAt: notBefore === null ? null : new Date(notBefore), pausedAt });
  const ends =
    shown.rules.some((rule) => FINAL_RULES.includes(rule)) ||
    (shown.rules.includes('scheduling') && (await waitedInVain(tx, deps.policy, debt.id, now)));
  await reserveSlot(tx, deps, { key, clock, now, at: inVain || ends ? null : notBefore });
  if (ends) await moveDebt(tx, deps.workflows, debt.id, 'exhausted', now);
}

/**
 * Returns whether a debt has found no free slot for as long as its whole sequence takes, which ends the sequence. A
 * debt ends in this way also when a suppression that another client received forbids contact. The decision uses only
 * the timeline that the client sees, and any debt without a free slot ends alike, so the end discloses nothing about
 * other clients.
 */
async function waitedInVain(
  tx: Tx,
  { sequence }: Pick<Policy, 'sequence'>,
  debtId: string,
  now: number,
): Promise<boolean> {
  const since = await waitingSince(tx, debtId);
  if (since === null) return false;
  const longest = sequence.steps.reduce((days, step) => days + step.thenWaitDays, 0) * DAY;
  return now - since.getTime() >= longest;
}
