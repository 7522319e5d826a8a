import { isLive } from '../../../kernel/debt-status.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { openRequests } from '../../debts/queries/person-requests.ts';
import { type PersonRequest, reasonOfRequest } from '../../debts/rules/person-requests.ts';
import type { Forgotten } from '../../debts/rules/timeline-entry.ts';
import { debtNow } from '../../debts/use-cases/clock.ts';
import type { DebtContext } from '../../debts/use-cases/debt-context.ts';
import { askStaff, wakeAgreementsOf } from '../../debts/use-cases/inbox-items.ts';
import { moveDebt } from '../../debts/use-cases/move-debt.ts';
import { recordEntries } from '../../debts/use-cases/record-entries.ts';
import { releaseReservations } from '../../messaging/use-cases/contact-ledger.ts';
import { NO_CONTACTS } from '../../policy/rules/contact-ledger.ts';
import { claimEndsAt } from '../../policy/rules/contact-policy.ts';
import type { CollectionDeps } from '../deps.ts';
import { questionAbout } from './ask-policy.ts';

/** Holds a debt for what its person has asked for, and shows in the client's inbox why. The debt is locked. */
export async function holdForPerson(
  tx: Tx,
  deps: Pick<CollectionDeps, 'workflows'>,
  debt: DebtContext,
  { requests, at }: { readonly requests: readonly PersonRequest[]; readonly at: number },
): Promise<void> {
  await moveDebt(tx, deps.workflows, debt.id, 'held', at);
  // Only a live debt has a reservation, and the API, which resumes debts, may not change any.
  if (isLive(debt.status)) await releaseReservations(tx, [debt.id]);
  for (const reason of new Set(requests.map(reasonOfRequest))) await askStaff(tx, debt.id, reason);
}

/**
 * Returns what the person has asked for that the client has not decided about. It is among it that the debt is paid, when
 * no payment has come within the silence that follows.
 */
export function requestsToDecide(
  deps: Pick<CollectionDeps, 'policy'>,
  debt: DebtContext,
  now: number,
): readonly PersonRequest[] {
  return isClaimOver(deps, debt, now) ? [...debt.requests, 'said_paid'] : debt.requests;
}

function isClaimOver(deps: Pick<CollectionDeps, 'policy'>, debt: DebtContext, now: number): boolean {
  const endsAt = silenceOfClaim(deps, debt, now);
  return endsAt !== null && now >= endsAt;
}

/** Holds a debt whose person has asked for something that is not decided. Returns whether the debt is held now. */
export async function holdIfAsked(
  tx: Tx,
  deps: Pick<CollectionDeps, 'workflows' | 'policy'>,
  debt: DebtContext,
  now: number,
): Promise<boolean> {
  const requests = requestsToDecide(deps, debt, now);
  if (requests.length === 0) return false;
  if (isClaimOver(deps, debt, now)) {
    await openRequests(tx, debt, ['said_paid']);
    await wakeAgreementsOf(tx, deps.workflows, debt);
  }
  await holdForPerson(tx, deps, debt, { requests, at: now });
  return true;
}

/** Returns the end of the silence after the person has said that it is paid; null when the person has not. */
export const silenceOfClaim = (
  { policy }: Pick<CollectionDeps, 'policy'>,
  debt: DebtContext,
  now: number,
): number | null =>
  debt.saidPaidAt === null
    ? null
    : claimEndsAt(
        questionAbout(debt, policy, {
          now,
          channel: 'whatsapp',
          ledger: NO_CONTACTS,
          suppressed: { optedOut: false, wrongPerson: false, elsewhere: false },
          inboxWaiting: false,
        }),
      );

/** Holds a live debt until the client resumes or withdraws it, and says so on its timeline. */
export async function holdForClient(
  tx: Tx,
  deps: Pick<CollectionDeps, 'workflows' | 'now'>,
  debt: DebtContext,
  forgotten: Forgotten,
): Promise<boolean> {
  const at = debtNow(debt.clockOffsetMs, deps.now().getTime());
  const moved = await moveDebt(tx, deps.workflows, debt.id, 'held', at);
  if (moved === null || moved.from === moved.to) return false;
  await releaseReservations(tx, [debt.id]);
  await recordEntries(tx, debt.id, at, [{ kind: 'needs_person', ...forgotten }]);
  return true;
}
