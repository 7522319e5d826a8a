import { type DebtStatus, isLive } from '../../../kernel/debt-status.ts';
import { areaCodeOf, phonesBehind } from '../../../kernel/phone.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { Verdict } from '../../debts/rules/timeline-entry.ts';
import type { DebtContext } from '../../debts/use-cases/debt-context.ts';
import type { LedgerRow } from '../../messaging/queries/contact-ledger.ts';
import { countedSince, ledgerKeyOf } from '../../messaging/use-cases/contact-ledger.ts';
import { numbersOf, policyChannelOf, type Sender } from '../../messaging/use-cases/deps.ts';
import { type Suppressed, suppressedBy } from '../../messaging/use-cases/suppressions.ts';
import { type StricterPack, stricterPack } from '../../policy/rules/campaign-settings.ts';
import type { CollectionSequence } from '../../policy/rules/collection-sequence.ts';
import { decideAtGate, ledgerFor, NO_CONTACTS } from '../../policy/rules/contact-ledger.ts';
import { type ContactDecision, type ContactPurpose, purposeOf } from '../../policy/rules/contact-policy.ts';
import type { ContactQuestion, Ledger } from '../../policy/rules/contact-question.ts';
import { bindingPack, type Channel } from '../../policy/rules/policy-pack.ts';
import type { RemindersOfDebt } from '../../policy/rules/reminder-days.ts';
import type { Policy } from '../../policy/use-cases/load-policy.ts';
import type { CollectionDeps } from '../deps.ts';
import { type PolicyFacts, policyFacts } from '../queries/contact-facts.ts';

export interface AskedPolicy {
  readonly question: ContactQuestion;
  readonly decision: ContactDecision;
  readonly rows: readonly LedgerRow[];
}

interface AskedFor {
  readonly now: number;
  readonly senders: readonly Sender[];
  readonly prescribedSince?: string;
}

/**
 * Decides by all stored facts whether the debt may be contacted at `now`. The gate asks as the worker, which sees the
 * contacts and suppressions of all clients. Eligibility asks as the API, whose row security shows those of the asking
 * client alone.
 */
export async function askPolicy(
  tx: Tx,
  deps: Pick<CollectionDeps, 'policy' | 'personKeys'>,
  debt: DebtContext,
  asked: AskedFor,
): Promise<AskedPolicy> {
  const { debtorTaxId } = debt;
  const key = ledgerKeyOf(debt, deps.personKeys);
  const facts = await policyFacts(tx, { ...key, debtorTaxId, since: countedSince(asked.now) });
  return decideByPolicy(deps, debt, facts, asked);
}

/** Decides by facts that were read with the debt. */
export function decideByPolicy(
  deps: Pick<CollectionDeps, 'policy' | 'personKeys'>,
  debt: DebtContext,
  { contacts: rows, suppressions, inboxWaiting }: PolicyFacts,
  { now, senders, prescribedSince }: AskedFor,
): AskedPolicy {
  const key = ledgerKeyOf(debt, deps.personKeys);
  const suppressed = suppressedBy(suppressions, { ...key, numbers: numbersOf(senders) });
  const question = questionAbout(debt, deps.policy, {
    channel: policyChannelOf(senders),
    ledger: ledgerFor(rows, key),
    suppressed,
    inboxWaiting,
    now,
    ...(prescribedSince === undefined ? {} : { prescribedSince }),
  });
  return { question, decision: decideAtGate(question, rows, key), rows };
}

const INACTIVE_CLIENT_STATUSES = ['PAUSED', 'CANCELLED'];
const isInactive = ({ clientStatus }: DebtContext): boolean => INACTIVE_CLIENT_STATUSES.includes(clientStatus);

/** The launch of a draft asks for the operator's check itself, and nobody real is contacted in the sandbox. */
const isUnverified = ({ sandbox, clientVerified, campaignStatus }: DebtContext): boolean =>
  !sandbox && !clientVerified && campaignStatus !== 'DRAFT';

/** Nobody is contacted about the debt until the client or the operator decides, whatever the debtor does. */
export const isPaused = (debt: DebtContext): boolean =>
  debt.campaignStatus === 'PAUSED' || isInactive(debt) || isUnverified(debt);

/** What the person has asked for about any debt holds each of them, until the client decides. */
const statusOf = ({ status, requests }: DebtContext): DebtStatus =>
  requests.length > 0 && (status === 'IMPORTED' || isLive(status)) ? 'ON_HOLD' : status;

/** An agreement has notices of its own. */
const remindersOf = ({ reminders, remindedAt, status }: DebtContext): RemindersOfDebt | null =>
  reminders === null || status === 'AGREEMENT'
    ? null
    : { daysBefore: reminders.daysBefore, sentAt: remindedAt?.getTime() ?? null };

export function questionAbout(
  debt: DebtContext,
  policy: Policy,
  facts: {
    readonly channel: Channel;
    readonly ledger: Ledger;
    readonly suppressed: Suppressed;
    readonly inboxWaiting: boolean;
    readonly now: number;
    /** See `ContactQuestion`. */
    readonly prescribedSince?: string;
  },
): ContactQuestion {
  return {
    pack: stricterPack(bindingPack(policy.pack, debt.collectsFor), debt.ownRules, debt.contactHours, debt.preference),
    holidays: policy.holidays,
    channel: facts.channel,
    now: facts.now,
    phoneAreaCode: areaCodeOf(debt.debtorPhone),
    otherAreaCodes: phonesBehind(debt.phones, debt.debtorPhone).map(areaCodeOf),
    debt: {
      status: statusOf(debt),
      dueDate: debt.dueDate,
      ...(facts.prescribedSince === undefined ? {} : { prescribedSince: facts.prescribedSince }),
      promisedDate: debt.promisedFor,
      saidPaidAt: debt.saidPaidAt?.getTime() ?? null,
      staffAnswersUntil: debt.staffAnswersUntil?.getTime() ?? null,
      reminders: remindersOf(debt),
    },
    suppressions: facts.suppressed,
    campaignPaused: debt.campaignStatus === 'PAUSED',
    campaignArchived: debt.campaignStatus === 'ARCHIVED',
    clientInactive: isInactive(debt),
    clientUnverified: isUnverified(debt),
    inboxWaiting: facts.inboxWaiting,
    ledger: facts.ledger,
  };
}

/** Asks about a contact by the debt itself alone: neither other contacts nor what the person has asked for count. */
export const questionByDebt = (
  debt: DebtContext,
  policy: Policy,
  { now, channel }: { readonly now: number; readonly channel: Channel },
): ContactQuestion =>
  questionAbout(debt, policy, {
    now,
    channel,
    ledger: NO_CONTACTS,
    suppressed: { optedOut: false, wrongPerson: false, elsewhere: false },
    inboxWaiting: false,
  });

/** Returns what a contact about the debt at `now` would be for, by its due date alone. */
export const purposeAt = (...about: Parameters<typeof questionByDebt>): ContactPurpose =>
  purposeOf(questionByDebt(...about));

/**
 * Returns a verdict as it is stored and shown. The version of the pack makes it evidence of the text that was in force.
 */
export const verdictOf = (
  { pack: { id, version, ownVersion } }: { readonly pack: Pick<StricterPack, 'id' | 'version' | 'ownVersion'> },
  {
    allowed,
    rules,
    ruleIds,
    notBefore,
  }: Pick<Verdict, 'allowed' | 'rules' | 'ruleIds'> & { readonly notBefore: number | null },
): Verdict => ({
  allowed,
  rules,
  ruleIds,
  pack: { id, version, ...(ownVersion === undefined ? {} : { ownVersion }) },
  notBefore: notBefore === null ? null : new Date(notBefore).toISOString(),
});

/** The same contacts give the same sequence: a rehearsal hands each one to its thread once. */
const MAX_KEPT = 1_000;
const sequences = new WeakMap<Policy, Map<string, CollectionSequence>>();

/** Returns the contacts of the debt's campaign: its own, or those of the deployment. */
export function sequenceOf({ sequence: steps }: Pick<DebtContext, 'sequence'>, policy: Policy): CollectionSequence {
  if (steps === null) return policy.sequence;
  const known = sequences.get(policy) ?? new Map<string, CollectionSequence>();
  sequences.set(policy, known);
  const name = JSON.stringify(steps);
  const found = known.get(name);
  if (found !== undefined) return found;
  if (known.size >= MAX_KEPT) known.clear();
  const made = { ...policy.sequence, id: 'campaign', steps };
  known.set(name, made);
  return made;
}
