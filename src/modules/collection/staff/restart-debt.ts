import { AppError } from '../../../kernel/errors.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { closeInboxItems } from '../../debts/queries/inbox-items.ts';
import type { InboxReason } from '../../debts/rules/inbox-reasons.ts';
import type { DebtContext } from '../../debts/use-cases/debt-context.ts';
import type { VerdictRule } from '../../policy/rules/contact-question.ts';
import { FINAL_RULES } from '../../policy/rules/next-slot.ts';
import type { CollectionDeps } from '../deps.ts';
import { askPolicy } from '../gate/ask-policy.ts';
import { endedDebt, setEndCorrected, setRestarted } from '../queries/restarts.ts';
import { restartFrom } from '../rules/restart-term.ts';

type PolicyDeps = Pick<CollectionDeps, 'policy' | 'personKeys' | 'sendersOf'>;

/** Whether the debt ended without a payment and without a decision of the debtor or the client. */
export const hasEnded = ({ status }: Pick<DebtContext, 'status'>): boolean =>
  status === 'EXHAUSTED' || status === 'UNREACHABLE';

/** What staff have checked before a person who disputes a debt, or says to have paid it, is written to again. */
const LEAST_NOTE = 10;

/** A debt that its debtor disputes or says to have paid is resumed only with a note of what was checked. */
export function requireReview(
  { status }: DebtContext,
  reasons: readonly InboxReason[],
  note: string | null | undefined,
): void {
  const needsNote = status === 'DISPUTED' || reasons.includes('said_paid');
  if (!needsNote || (note ?? '').length >= LEAST_NOTE) return;
  const message = `What was checked, in ${LEAST_NOTE} characters or more`;
  throw new AppError('validation_failed', { errors: [{ pointer: '/note', code: 'required', message }] });
}

/** Refuses a new sequence that comes too soon, or that the policy would end at once. */
export async function requireRestartable(tx: Tx, deps: PolicyDeps, debt: DebtContext, at: number): Promise<void> {
  const from = restartFrom(await endedDebt(tx, debt.id));
  if (from !== null && at < from) {
    const detail = `A new sequence may begin from ${new Date(from).toISOString()}: 30 days after the last contact, and 90 days after the sequence before.`;
    throw new AppError('debt_state', { detail });
  }
  const rules = await finalRules(tx, deps, debt, at);
  if (rules.length === 0) return;
  throw new AppError('debt_state', { detail: `The contact policy never allows a contact: ${rules.join(', ')}.` });
}

/** The debt is collected from the first step on, and the message that could not be delivered is decided about. */
export async function beginAgain(tx: Tx, { id }: DebtContext, at: number): Promise<void> {
  await setRestarted(tx, id, new Date(at));
  await closeInboxItems(tx, id, ['undelivered']);
}

/**
 * Keeps whether a correction has removed what had ended the debt: another address for one that nobody reached, or values
 * with which the policy does not refuse for ever any more. `before` is the debt as it was.
 */
export async function followCorrection(
  tx: Tx,
  deps: PolicyDeps,
  { before, after, at }: { readonly before: DebtContext; readonly after: DebtContext; readonly at: number },
): Promise<void> {
  if (!hasEnded(after)) return;
  const isReachable =
    after.status === 'UNREACHABLE' &&
    (after.debtorPhone !== before.debtorPhone || (after.debtorEmail ?? before.debtorEmail) !== before.debtorEmail);
  const nowRefused = (await finalRules(tx, deps, after, at)).length > 0;
  if (nowRefused) return void (await setEndCorrected(tx, after.id, null));
  const wasRefused = (await finalRules(tx, deps, before, at)).length > 0;
  if (isReachable || wasRefused) await setEndCorrected(tx, after.id, new Date(at));
}

/** Returns the rules that no wait lifts, for the debt as if it were collected. */
async function finalRules(tx: Tx, deps: PolicyDeps, debt: DebtContext, now: number): Promise<readonly VerdictRule[]> {
  const senders = await deps.sendersOf(tx, debt);
  const { decision } = await askPolicy(tx, deps, { ...debt, status: 'IN_COLLECTION' }, { now, senders });
  return decision.allowed ? [] : decision.shown.rules.filter((rule) => FINAL_RULES.includes(rule));
}
