import { DEBT_STATUSES, type DebtStatus, isLive } from '../../../kernel/debt-status.ts';
import type { CollectionWorkflows } from '../../../kernel/ports/collection-workflows.ts';
import { addOutbox } from '../../../platform/database/add-outbox.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { closeInboxItems, openInboxItem } from '../queries/inbox-items.ts';
import {
  activeAgreementsOfPerson,
  endClaim,
  endForgottenRequests,
  type PersonOfClient,
} from '../queries/person-requests.ts';
import type { MoneyQuestions } from '../rules/debt-payments.ts';
import { INBOX_REASONS, type InboxReason, REASON_OF_STATUS, reasonsEndedBy } from '../rules/inbox-reasons.ts';
import type { TimelineEntry } from '../rules/timeline-entry.ts';

/** A request about a debt that is paid or stopped awaits no decision, and no answer says that it was passed on. */
export const CLOSED_TO_REQUESTS: readonly DebtStatus[] = ['PAID', 'STOPPED'];

/** The debtor has asked for something that only a person at the client can decide. */
export const askStaff = (tx: Tx, debtId: string, reason: InboxReason): Promise<unknown> =>
  openInboxItem(tx, debtId, reason, { exceptIn: CLOSED_TO_REQUESTS, ofPerson: true });

/**
 * A message cannot be delivered now and is tried again by itself, so that another failure is no news to somebody who has put
 * the case off.
 */
export const tellOfWaiting = (tx: Tx, debtId: string): Promise<unknown> =>
  openInboxItem(tx, debtId, 'undelivered', { exceptIn: CLOSED_TO_REQUESTS, ofPerson: true, isNews: false });

/** A person at the client has seen the files of the debt, or has decided about it. */
export const filesSeen = (tx: Tx, debtId: string): Promise<unknown> => closeInboxItems(tx, debtId, ['attachment']);

/** The hours that hold for the debt leave no opening, which only the client can change. */
export const noOpening = (tx: Tx, debtId: string): Promise<unknown> =>
  openInboxItem(tx, debtId, 'settings', { exceptIn: [] });

/** The debt may no longer be listed at a bureau. Each call has it told again, because the term comes nearer. */
export const askForRemoval = (tx: Tx, debtId: string, removeBy: Date): Promise<unknown> =>
  openInboxItem(tx, debtId, 'negativation', { exceptIn: [], dueAt: removeBy, tellAgain: true });

export const listingRemoved = (tx: Tx, debtId: string): Promise<unknown> =>
  closeInboxItems(tx, debtId, ['negativation']);

export const openingAgain = (tx: Tx, debtId: string): Promise<unknown> => closeInboxItems(tx, debtId, ['settings']);

/** The law gives a request about rights a term, also when the debt is not collected any more. */
const ENDED_BY_STOP = INBOX_REASONS.filter((reason) => reason !== 'rights');

/** Returns whether an item of a debt that is not collected any more was waiting; it waits no more. */
export async function endItemsOfStopped(
  tx: Tx,
  { id, status }: { readonly id: string; readonly status: DebtStatus },
): Promise<boolean> {
  if (status !== 'STOPPED') return false;
  const { numUpdatedRows } = await closeInboxItems(tx, id, ENDED_BY_STOP);
  return numUpdatedRows > 0n;
}

/**
 * Wakes the agreements of a person, which wait while the client has to decide about a claim of payment: when the claim
 * begins to wait, so that no warning from before counts afterwards, and when it is decided. Another wish of the person
 * wakes them too, because it changes when their notices may be sent.
 */
export async function wakeAgreementsOf(tx: Tx, workflows: CollectionWorkflows, person: PersonOfClient): Promise<void> {
  for (const agreement of await activeAgreementsOfPerson(tx, person)) {
    await addOutbox(tx, workflows.wakeAgreement(agreement, 'stateChanged'));
  }
}

/** Ends what was asked for about debts that are over, for each person of theirs. */
export async function endForgotten(
  tx: Tx,
  workflows: CollectionWorkflows,
  over: { readonly debtId: string } | { readonly campaignId: string },
): Promise<void> {
  for (const person of await endForgottenRequests(tx, over)) await wakeAgreementsOf(tx, workflows, person);
}

/** Opens what a new status asks of the client, and closes what it has ended. `moveDebt` calls it. */
export async function followStatus(
  tx: Tx,
  workflows: CollectionWorkflows,
  debtId: string,
  { from, to }: { readonly from: DebtStatus; readonly to: DebtStatus },
): Promise<void> {
  // Between these a debt changes with each contact, and no reason ends.
  if (isLive(from) && isLive(to)) return;
  await closeInboxItems(tx, debtId, reasonsEndedBy(to));
  if (CLOSED_TO_REQUESTS.includes(to)) await endForgotten(tx, workflows, { debtId });
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
      return;
    case 'instalment_paid':
      // The debt stays in its agreement, so no status ends what the claim has asked for.
      await endClaim(tx, debtId);
      await closeInboxItems(tx, debtId, ['said_paid']);
      await endForgottenRequests(tx, { debtId });
      return;
    case 'payment_changed':
      // Another problem is one of the provider and moves no money.
      if ('problem' in entry && entry.problem === 'underpaid') {
        await openInboxItem(tx, debtId, 'underpaid', { exceptIn: ['PAID'] });
      }
  }
}

/** A debt on hold turns out to be paid in part. */
export const askAboutPart = (tx: Tx, debtId: string): Promise<unknown> =>
  openInboxItem(tx, debtId, 'underpaid', { exceptIn: DEBT_STATUSES.filter((status) => status !== 'ON_HOLD') });

/** Makes the items about money those that the payments of a debt ask for now. Its current row is named. */
export async function askAboutMoney(tx: Tx, debtId: string, asks: MoneyQuestions): Promise<void> {
  const reasons = ['duplicate', 'overpaid', 'refunded'] as const;
  const ended = reasons.filter((reason) => !asks[reason]);
  await closeInboxItems(tx, debtId, ended);
  for (const reason of reasons) {
    if (asks[reason]) await openInboxItem(tx, debtId, reason, { exceptIn: [] });
  }
}

/**
 * A bank took money back, whatever the debt still has: the client has to know, and may contest it until `contestUntil`
 * where there is such a term. It is told again with each return.
 */
export const tellOfReturn = (tx: Tx, debtId: string, contestUntil: Date | null): Promise<unknown> =>
  openInboxItem(tx, debtId, 'refunded', { exceptIn: [], dueAt: contestUntil, endsWithTerm: true, tellAgain: true });
