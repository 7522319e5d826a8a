import { type DebtStatus, isLive } from '../../../kernel/debt-status.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { closeInboxItems, moneyQuestions, openInboxItem } from '../queries/inbox-items.ts';
import { endClaim, endForgottenRequests } from '../queries/person-requests.ts';
import { INBOX_REASONS, type InboxReason, REASON_OF_STATUS, reasonsEndedBy } from '../rules/inbox-reasons.ts';
import type { TimelineEntry } from '../rules/timeline-entry.ts';

/** A request about a debt that is paid or stopped awaits no decision, and no answer says that it was passed on. */
export const CLOSED_TO_REQUESTS: readonly DebtStatus[] = ['PAID', 'STOPPED'];

/** The debtor has asked for something that only a person at the client can decide. */
export const askStaff = (tx: Tx, debtId: string, reason: InboxReason): Promise<unknown> =>
  openInboxItem(tx, debtId, reason, { exceptIn: CLOSED_TO_REQUESTS });

/** A person at the client has seen the files of the debt, or has decided about it. */
export const filesSeen = (tx: Tx, debtId: string): Promise<unknown> => closeInboxItems(tx, debtId, ['attachment']);

/** The hours that hold for the debt leave no opening, which only the client can change. */
export const noOpening = (tx: Tx, debtId: string): Promise<unknown> =>
  openInboxItem(tx, debtId, 'settings', { exceptIn: [] });

export const openingAgain = (tx: Tx, debtId: string): Promise<unknown> => closeInboxItems(tx, debtId, ['settings']);

/** Returns whether an item of a debt that is not collected any more was waiting; it waits no more. */
export async function endItemsOfStopped(
  tx: Tx,
  { id, status }: { readonly id: string; readonly status: DebtStatus },
): Promise<boolean> {
  if (status !== 'STOPPED') return false;
  const { numUpdatedRows } = await closeInboxItems(tx, id, INBOX_REASONS);
  return numUpdatedRows > 0n;
}

/** Opens what a new status asks of the client, and closes what it has ended. `moveDebt` calls it. */
export async function followStatus(
  tx: Tx,
  debtId: string,
  { from, to }: { readonly from: DebtStatus; readonly to: DebtStatus },
): Promise<void> {
  // Between these a debt changes with each contact, and no reason ends.
  if (isLive(from) && isLive(to)) return;
  await closeInboxItems(tx, debtId, reasonsEndedBy(to));
  if (CLOSED_TO_REQUESTS.includes(to)) await endForgottenRequests(tx, { debtId });
  const reason = REASON_OF_STATUS[to];
  if (reason !== undefined) await openInboxItem(tx, debtId, reason, { exceptIn: [] });
}

/** Opens and closes what an entry of the timeline asks of the client. `recordEntries` calls it for each that it stores. */
export async function followEntry(tx: Tx, debtId: string, entry: TimelineEntry): Promise<void> {
  switch (entry.kind) {
    case 'needs_person':
      await askStaff(tx, debtId, 'human');
      return;
    case 'payment_approved':
      await endClaim(tx, debtId);
      return reviewMoney(tx, debtId);
    case 'payment_duplicate':
      return reviewMoney(tx, debtId);
    case 'payment_changed':
      if ('change' in entry) return reviewMoney(tx, debtId);
      // Another problem is one of the provider and moves no money.
      if ('problem' in entry && entry.problem === 'underpaid') {
        await openInboxItem(tx, debtId, 'underpaid', { exceptIn: ['PAID'] });
      }
  }
}

/** Compares the items about money with the payments as they are now, in whatever order the reports have come. */
async function reviewMoney(tx: Tx, debtId: string): Promise<void> {
  const money = await moneyQuestions(tx, debtId);
  if (money === undefined) return;
  const { currentId, duplicate, overpaid, short } = money;
  const asked: readonly (readonly [InboxReason, boolean])[] = [
    ['duplicate', duplicate],
    ['overpaid', overpaid],
    ['refunded', short],
  ];
  const ended = asked.filter(([, isAsked]) => !isAsked).map(([reason]) => reason);
  await closeInboxItems(tx, currentId, ended);
  for (const [reason, isAsked] of asked) {
    if (isAsked) await openInboxItem(tx, currentId, reason, { exceptIn: [] });
  }
}
