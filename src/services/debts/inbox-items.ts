import type { EntityManager } from '@mikro-orm/postgresql';
import type { NewDebtEvent } from '../../db/queries/debt-events.ts';
import { closeInboxItems, moneyQuestions, openInboxItem } from '../../db/queries/inbox-items.ts';
import { type DebtStatus, isLive } from '../../domain/debt-status.ts';
import { type InboxReason, REASON_OF_STATUS, reasonsEndedBy } from '../../domain/inbox-reasons.ts';

/** A request about a debt that is paid or stopped awaits no decision, and no answer says that it was passed on. */
const CLOSED_TO_REQUESTS: readonly DebtStatus[] = ['PAID', 'STOPPED'];

/** The debtor has asked for something that only a person at the client can decide. */
export const askStaff = (em: EntityManager, debtId: string, reason: InboxReason): Promise<unknown> =>
  openInboxItem(em, debtId, reason, { exceptIn: CLOSED_TO_REQUESTS });

/** A person at the client has seen the files of the debt, or has decided about it. */
export const filesSeen = (em: EntityManager, debtId: string): Promise<unknown> =>
  closeInboxItems(em, debtId, ['attachment']);

/** Opens what a new status asks of the client, and closes what it has ended. `moveDebt` calls it. */
export async function followStatus(
  em: EntityManager,
  debtId: string,
  { from, to }: { readonly from: DebtStatus; readonly to: DebtStatus },
): Promise<void> {
  // Between these a debt changes with each contact, and no reason ends.
  if (isLive(from) && isLive(to)) return;
  await closeInboxItems(em, debtId, reasonsEndedBy(to));
  const reason = REASON_OF_STATUS[to];
  if (reason !== undefined) await openInboxItem(em, debtId, reason, { exceptIn: [] });
}

/** Opens and closes what an event asks of the client. `recordEvents` calls it for each event that it stores. */
export async function followEvent(em: EntityManager, debtId: string, { kind, data }: NewDebtEvent): Promise<void> {
  if (kind === 'needs_person') return void (await askStaff(em, debtId, 'human'));
  const concernsMoney = kind === 'payment_approved' || kind === 'payment_duplicate' || kind === 'payment_changed';
  if (!concernsMoney) return;
  if (data['problem'] === 'underpaid') await openInboxItem(em, debtId, 'underpaid', { exceptIn: ['PAID'] });
  // Another problem is one of the provider and moves no money.
  if (kind === 'payment_changed' && data['change'] === undefined) return;
  await reviewMoney(em, debtId);
}

/** Compares the items about money with the payments as they are now, in whatever order the reports have come. */
async function reviewMoney(em: EntityManager, debtId: string): Promise<void> {
  const money = await moneyQuestions(em, debtId);
  if (money === undefined) return;
  const { duplicate, short } = money;
  const ended: InboxReason[] = [...(duplicate ? [] : ['duplicate' as const]), ...(short ? [] : ['refunded' as const])];
  await closeInboxItems(em, debtId, ended);
  if (duplicate) await openInboxItem(em, debtId, 'duplicate', { exceptIn: [] });
  if (short) await openInboxItem(em, debtId, 'refunded', { exceptIn: [] });
}
