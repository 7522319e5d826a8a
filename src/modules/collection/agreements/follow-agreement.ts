import { type LocalDate, startOfDay } from '../../../kernel/calendar.ts';
import { areaCodeOf, displayOffset } from '../../../kernel/phone.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { updateAgreement } from '../../agreements/queries/agreements.ts';
import { agreementStep } from '../../agreements/rules/agreement-state.ts';
import type { AgreementNext, AgreementTask } from '../../agreements/rules/agreement-task.ts';
import type { DebtContext } from '../../debts/use-cases/debt-context.ts';
import { debtorDay } from '../../debts/use-cases/owed.ts';
import { endAgreement, followMoney, lockAgreementAt } from '../../payments/use-cases/agreement-money.ts';
import { NO_CONTACTS } from '../../policy/rules/contact-ledger.ts';
import { laterSlot } from '../../policy/rules/next-slot.ts';
import type { CollectionDeps } from '../deps.ts';
import { isPaused, questionAbout, sequenceOf } from '../gate/ask-policy.ts';
import { setStepBack } from '../queries/contact-gate.ts';
import { type DueNotice, factsOfAgreement, momentOfWork } from './agreement-facts.ts';
import { sendNotice, withDeliveries } from './send-notice.ts';

/**
 * Does what an agreement has due: completes or breaks it, or sends a notice through the contact policy. It returns when
 * there is something to do next. Its state is read again after a notice, because a payment may have come meanwhile.
 */
export const followAgreement =
  (deps: CollectionDeps) =>
  async (task: AgreementTask): Promise<AgreementNext> => {
    const first = await look(deps, task, null);
    if (first.kind !== 'notify') return first.next;
    const sent = await sendNotice(deps, task, first.due);
    const after = await look(deps, task, sent.kind === 'later' ? sent : null);
    // Another instalment may be due too.
    if (after.kind === 'notify') return waitUntil(after.due.at);
    return sent.kind === 'later' ? { ...after.next, needsOperator: sent.needsOperator } : after.next;
  };

type Looked =
  | { readonly kind: 'notify'; readonly due: DueNotice }
  | { readonly kind: 'next'; readonly next: AgreementNext };

const waitUntil = (until: number | null): AgreementNext => ({ kind: 'wait', until, needsOperator: false });

const look = (
  deps: CollectionDeps,
  { clientId, agreementId, clock }: AgreementTask,
  /** Until when a notice that could not be sent rests; null when none has just been tried in vain. */
  resting: { readonly notBefore: number | null } | null,
): Promise<Looked> =>
  deps.db.tenant(clientId).transactional(async (tx): Promise<Looked> => {
    const found = await lockAgreementAt(tx, agreementId, clock.offsetMs);
    if (found === null) return { kind: 'next', next: { kind: 'finish', status: 'CANCELLED', needsOperator: false } };
    const isActive = found.agreement.status === 'ACTIVE';
    // The workflow of the debt may not have heard of it yet, and nobody breaks an agreement without a warning.
    const locked = isActive ? await withDeliveries(tx, found) : { ...found, unsureMessages: [] };
    const { agreement, rows } = locked;
    const now = momentOfWork(deps, clock, locked);
    const context = { tx, deps: deps.payments, momentOf: () => now };
    if (agreement.status !== 'ACTIVE') {
      await followMoney(context, locked);
      return { kind: 'next', next: { kind: 'finish', status: agreement.status, needsOperator: false } };
    }
    const facts = factsOfAgreement(deps, locked);
    const today = debtorDay(rows[0]!, now);
    let step = agreementStep(facts, today);
    // A breach would come while the debtor cannot be reminded: what is late is due again from today instead.
    const isPutOff = step.kind === 'broken' && isPaused(rows[0]!);
    if (isPutOff) {
      await updateAgreement(tx, agreementId, { dueAgainOn: today });
      step = agreementStep({ ...facts, dueAgainOn: today }, today);
    }
    if (step.kind === 'completed' || step.kind === 'broken') {
      await endAgreement(context, locked, step.kind);
      if (step.kind === 'broken') await giveStepsBack(tx, deps, rows);
      const status = step.kind === 'completed' ? 'COMPLETED' : 'BROKEN';
      return { kind: 'next', next: { kind: 'finish', status, needsOperator: false } };
    }
    if (step.kind === 'notify' && resting === null) {
      const { instalment, notice } = step;
      return { kind: 'notify', due: { instalment, notice, debt: rows[0]!, at: now } };
    }
    const until =
      step.kind === 'notify'
        ? (resting?.notBefore ?? null)
        : // A simulated clock would run through the pause; the end of the pause continues it.
          step.until === null || (isPutOff && clock.exact)
          ? null
          : openingOn(deps, rows[0]!, step.until);
    // A warning that went out before it was stopped is none any more, whoever decides about it.
    const nextAt = until === null ? null : new Date(until);
    await updateAgreement(tx, agreementId, { nextAt, ...(facts.isStopped ? { dueAgainOn: today } : {}) });
    return { kind: 'next', next: waitUntil(until) };
  });

/** A debt whose sequence was used up before the agreement is asked once more. */
async function giveStepsBack(
  tx: Tx,
  deps: Pick<CollectionDeps, 'policy'>,
  rows: readonly DebtContext[],
): Promise<void> {
  for (const debt of rows) {
    const { steps } = sequenceOf(debt, deps.policy);
    if (debt.step >= steps.length) await setStepBack(tx, debt.id, { ...debt, step: steps.length - 1 }, null);
  }
}

/** The debt's own moment after the opening of a day, so that not all notices of a morning leave in one second. */
function openingOn(deps: CollectionDeps, debt: DebtContext, day: LocalDate): number {
  const from = startOfDay(day, displayOffset(areaCodeOf(debt.debtorPhone)));
  const question = questionAbout(debt, deps.policy, {
    now: from,
    channel: 'whatsapp',
    ledger: NO_CONTACTS,
    suppressed: { optedOut: false, wrongPerson: false, elsewhere: false },
    inboxWaiting: false,
  });
  return laterSlot({ ...question, debt: { ...question.debt, prescribedSince: day } }, from, debt.id).at ?? from;
}
