import { isLive, nextDebtStatus } from '../../../kernel/debt-status.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { openReasons } from '../../debts/queries/inbox-items.ts';
import { reasonOfRequest } from '../../debts/rules/person-requests.ts';
import type { Verdict } from '../../debts/rules/timeline-entry.ts';
import { debtNow } from '../../debts/use-cases/clock.ts';
import { type DebtContext, loadDebt } from '../../debts/use-cases/debt-context.ts';
import { wantedFirst } from '../../messaging/use-cases/deps.ts';
import { type ContactDecision, decideContact, type Refusal } from '../../policy/rules/contact-policy.ts';
import type { ContactQuestion } from '../../policy/rules/contact-question.ts';
import type { CollectionDeps } from '../deps.ts';
import { waitingSince } from '../queries/contact-gate.ts';
import { askPolicy, verdictOf } from './ask-policy.ts';

interface EligibilityQuestion {
  readonly clientId: string;
  readonly debtId: string;
  /** Asks as if the client had resumed the debt. */
  readonly resumed?: boolean;
}

/** The client decides what the debt stands in the inbox for. What the person has asked for about another debt remains. */
async function asResumed(tx: Tx, debt: DebtContext): Promise<DebtContext> {
  const reasons = await openReasons(tx, debt.id);
  return {
    ...debt,
    status: nextDebtStatus(debt.status, 'resumed') ?? debt.status,
    staffAnswersUntil: null,
    saidPaidAt: reasons.includes('said_paid') ? null : debt.saidPaidAt,
    requests: debt.requests.filter((request) => !reasons.includes(reasonOfRequest(request))),
  };
}

/** Answers the gate's question from what the client may know, and books or reserves nothing. */
export const checkEligibility =
  (deps: CollectionDeps) =>
  async ({ clientId, debtId, resumed = false }: EligibilityQuestion): Promise<Verdict> =>
    deps.db.tenant(clientId).transactional(async (tx) => {
      const stored = await loadDebt(tx, debtId);
      if (stored === null) throw new AppError('not_found');
      const debt = resumed ? await asResumed(tx, stored) : stored;
      const now = debtNow(debt.clockOffsetMs, deps.now().getTime());
      const senders = wantedFirst(await deps.sendersOf(tx, debt), debt);
      const { question, decision } = await askPolicy(tx, deps, debt, { now, senders });
      const waitsForSlot = isLive(debt.status) && (debt.step === 0 || (await waitingSince(tx, debtId)) !== null);
      const plannedAt = waitsForSlot ? debt.nextContactAt : null;
      const refusal = refusalOf(question, decision, plannedAt);
      return verdictOf(
        question,
        refusal === null ? { ...decision, allowed: true, notBefore: null } : { ...refusal, allowed: false },
      );
    });

/**
 * The client's own facts may allow a contact that the gate has planned for a later day, because contacts of other
 * clients come first. The answer is then what the gate shows: `scheduling`, with the client's own next opening.
 */
export function refusalOf(
  question: ContactQuestion,
  decision: ContactDecision,
  plannedAt: Date | null,
): Refusal | null {
  if (!decision.allowed) return decision.shown;
  if (plannedAt === null) return null;
  const scheduling = decideContact({ ...question, suppressions: { ...question.suppressions, elsewhere: true } });
  if (scheduling.allowed || scheduling.shown.notBefore === null) return null;
  return plannedAt.getTime() < scheduling.shown.notBefore ? null : scheduling.shown;
}
