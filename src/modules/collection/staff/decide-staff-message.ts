import { areaCodeOf, phonesBehind } from '../../../kernel/phone.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { mayAnswer, type StaffContext } from '../../debts/rules/staff-messages.ts';
import type { Verdict } from '../../debts/rules/timeline-entry.ts';
import { debtNow } from '../../debts/use-cases/clock.ts';
import type { DebtContext } from '../../debts/use-cases/debt-context.ts';
import { lastWrittenBy } from '../../messaging/queries/staff-messages.ts';
import { type Candidate, candidatesFor, mayWriteFreeText } from '../../messaging/use-cases/candidates.ts';
import { ledgerKeyOf } from '../../messaging/use-cases/contact-ledger.ts';
import { numbersOf, policyChannelOf, type Sender } from '../../messaging/use-cases/deps.ts';
import { readSuppressions, type Suppressed, suppressedBy } from '../../messaging/use-cases/suppressions.ts';
import type { Refusal } from '../../policy/rules/contact-policy.ts';
import { idsInForce, nextOpening } from '../../policy/rules/message-policy.ts';
import { bindingPack } from '../../policy/rules/policy-pack.ts';
import type { CollectionDeps } from '../deps.ts';
import { type AskedPolicy, askPolicy, verdictOf } from '../gate/ask-policy.ts';
import { refusalOf } from '../gate/check-eligibility.ts';
import { waitingSince } from '../queries/contact-gate.ts';

export type StaffDecision =
  | { readonly allowed: false; readonly verdict: Verdict }
  | ({
      readonly allowed: true;
      readonly phone: string;
      readonly candidates: readonly [Candidate, ...Candidate[]];
    } & (
      | { readonly purpose: 'reply' }
      /** The verdict goes on the timeline, and the contact counts for every cap. */
      | { readonly purpose: 'collection'; readonly asked: AskedPolicy; readonly verdict: Verdict }
    ));

type DecisionDeps = Pick<CollectionDeps, 'policy' | 'personKeys' | 'sendersOf' | 'now'>;

interface Question {
  /** The API asks before the message is taken, the worker before it is sent. */
  readonly by: 'api' | 'worker';
  readonly debt: DebtContext;
  readonly now: number;
  /** Whether the text fits into a channel of short texts. */
  readonly hasShort: (purpose: 'reply' | 'collection') => boolean;
}

const refused = (
  deps: DecisionDeps,
  rules: readonly string[],
  { ruleIds = [], notBefore = null }: { readonly ruleIds?: readonly string[]; readonly notBefore?: number | null } = {},
): StaffDecision => ({
  allowed: false,
  verdict: verdictOf(deps.policy, { allowed: false, rules, ruleIds, notBefore }),
});

export const staffContextOf = (
  { policy: { pack, holidays } }: Pick<CollectionDeps, 'policy'>,
  debt: DebtContext,
  senders: readonly Sender[],
  now: number,
): StaffContext => ({
  pack: bindingPack(pack, debt.collectsFor),
  holidays,
  channel: policyChannelOf(senders),
  phoneAreaCode: areaCodeOf(debt.debtorPhone),
  otherAreaCodes: phonesBehind(debt.phones, debt.debtorPhone).map(areaCodeOf),
  now,
});

/**
 * Decides whether a person at the client may write to the debtor now: as an answer while the debtor waits for one or has
 * written lately, otherwise as a contact, about which the contact policy decides. The request asks as the API, which sees
 * what its own client knows. The worker asks again, with what all clients know, in the transaction that books.
 */
export async function decideStaffMessage(
  tx: Tx,
  deps: DecisionDeps,
  { by, debt, now, hasShort }: Question,
): Promise<StaffDecision> {
  // Erased debts of different persons have the same empty CPF.
  if (debt.erased) return refused(deps, ['erased']);
  const senders = await deps.sendersOf(tx, debt);
  const suppressedOn = async (debtorPhone: string): Promise<Suppressed> => {
    const key = ledgerKeyOf({ ...debt, debtorPhone }, deps.personKeys);
    return suppressedBy(await readSuppressions(tx, [key]), { ...key, numbers: numbersOf(senders) });
  };
  const written = (await lastWrittenBy(tx, debt)) ?? null;
  const onThatPhone = written === null ? null : await suppressedOn(written.phone);
  // Whoever holds a wrong phone is not the debtor, whatever they wrote.
  const last = onThatPhone === null || onThatPhone.wrongPerson ? null : written;
  const context = staffContextOf(deps, debt, senders, now);
  const ageMs = last === null ? 0 : debtNow(last.clockOffsetMs, deps.now().getTime()) - last.at.getTime();
  if (last !== null && onThatPhone !== null && mayAnswer(context, { waits: last.waits, ageMs })) {
    const isSilenced = onThatPhone.optedOut || onThatPhone.phoneSilenced || debt.status === 'OPTED_OUT';
    const rules = [
      ...(isSilenced ? ['opt_out'] : []),
      ...(INACTIVE.includes(debt.clientStatus) ? ['client_inactive'] : []),
    ];
    const ruleIds = isSilenced ? idsInForce(context, 'opt_out') : [];
    if (rules.length > 0) return refused(deps, rules, { ruleIds });
    // What only another client knows is not said, as everywhere.
    if (onThatPhone.elsewhere) return refused(deps, ['scheduling'], { notBefore: nextOpening(context) });
    return withCandidates(
      tx,
      deps,
      debt,
      { phone: last.phone, answers: last.channel, short: hasShort('reply'), readOnly: by === 'api' },
      (to) => ({
        ...to,
        purpose: 'reply',
      }),
    );
  }
  if (debt.status === 'IMPORTED' || debt.campaignStatus === 'DRAFT') return refused(deps, ['not_launched']);
  // The client's staff do not wait for themselves.
  const asked = await askPolicy(tx, deps, { ...debt, staffAnswersUntil: null, reminders: null }, { now, senders });
  const planned = (await waitingSince(tx, debt.id)) === null ? null : debt.nextContactAt;
  const refusal = refusalOf(asked.question, asked.decision, planned);
  if (refusal !== null || !asked.decision.allowed) return refusedBy(deps, refusal);
  const verdict = verdictOf(deps.policy, { ...asked.decision, notBefore: null });
  const to = { phone: debt.debtorPhone, answers: null, short: hasShort('collection'), readOnly: by === 'api' };
  return withCandidates(tx, deps, debt, to, (to) => ({ ...to, purpose: 'collection', asked, verdict }));
}

const INACTIVE: readonly string[] = ['PAUSED', 'CANCELLED'];

const refusedBy = (deps: DecisionDeps, refusal: Refusal | null): StaffDecision => ({
  allowed: false,
  verdict: verdictOf(deps.policy, { ...(refusal ?? { rules: [], ruleIds: [], notBefore: null }), allowed: false }),
});

/** Free text goes only by a channel that takes it now, and never cut. No template says what a person has written. */
async function withCandidates(
  tx: Tx,
  deps: DecisionDeps,
  debt: DebtContext,
  {
    phone,
    answers,
    short,
    readOnly,
  }: { readonly phone: string; readonly answers: string | null; readonly short: boolean; readonly readOnly: boolean },
  allowed: (by: {
    readonly allowed: true;
    readonly phone: string;
    readonly candidates: readonly [Candidate, ...Candidate[]];
  }) => StaffDecision,
): Promise<StaffDecision> {
  const { list } = await candidatesFor(tx, deps, debt, { phone, answers, readOnly });
  if (list.length === 0) return refused(deps, ['channel']);
  const open = list.filter((candidate) => mayWriteFreeText(candidate, deps, debt, phone));
  if (open.length === 0) {
    const senders = list.map(({ sender }) => sender);
    const context = staffContextOf(deps, debt, senders, deps.now().getTime());
    return refused(deps, ['free_text'], { ruleIds: idsInForce(context, 'free_text') });
  }
  const [first, ...others] = open.filter(({ sender }) => short || sender.channel.capabilities.texts !== 'short');
  if (first === undefined) return refused(deps, ['text_length']);
  return allowed({ allowed: true, phone, candidates: [first, ...others] });
}
