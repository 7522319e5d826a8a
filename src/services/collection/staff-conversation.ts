import type { EntityManager } from '@mikro-orm/postgresql';
import { debtsOfPersonIn } from '../../db/queries/conversations.ts';
import { closeInboxItems } from '../../db/queries/inbox-items.ts';
import { setStaffAnswersUntil } from '../../db/queries/staff-messages.ts';
import { DEBT_STATUSES, type DebtStatus } from '../../domain/debt-status.ts';
import { staffAnswersUntil } from '../../domain/staff-messages.ts';
import { debtNow } from '../debts/clock.ts';
import { type DebtContext, loadDebt } from '../debts/debt-context.ts';
import { askStaff } from '../debts/inbox-items.ts';
import type { Sender } from '../messaging/deps.ts';
import { staffContextOf } from './decide-staff-message.ts';
import type { CollectionDeps } from './deps.ts';

/** A payment and a withdrawal end the conversation: what the debtor writes afterwards is answered by the agent again. */
const ENDED: readonly DebtStatus[] = ['PAID', 'STOPPED'];
/** Such a debt waits for a decision of the client, and stands in the inbox for that already. */
const WAITS_FOR_DECISION: readonly DebtStatus[] = ['ON_HOLD', 'DISPUTED'];

/** Whether a person at the client has the conversation at this moment of the debt's own clock. */
export const hasStaff = ({ staffAnswersUntil: until, status }: DebtContext, now: number): boolean =>
  until !== null && now < until.getTime() && !ENDED.includes(status);

const allDebtsOf = async (em: EntityManager, debt: DebtContext): Promise<DebtContext[]> =>
  debt.erased ? [debt] : [debt, ...(await debtsOfPersonIn(em, debt, DEBT_STATUSES))];

/**
 * The person at the client takes over the conversation with the debtor, which all debts of the person share. Each debt
 * counts by its own clock, because the clocks of sandbox debts run apart. The rows are locked.
 */
export async function takeOver(
  em: EntityManager,
  deps: Pick<CollectionDeps, 'policy' | 'now'>,
  debt: DebtContext,
  senders: readonly Sender[],
): Promise<void> {
  for (const each of await allDebtsOf(em, debt)) {
    const now = debtNow(each.clockOffsetMs, deps.now().getTime());
    await setStaffAnswersUntil(em, each.id, new Date(staffAnswersUntil(staffContextOf(deps, each, senders, now))));
  }
}

/** Gives the conversation back to the agent. Returns false when no person had it. The rows are locked. */
export async function giveBack(
  em: EntityManager,
  deps: Pick<CollectionDeps, 'now'>,
  debt: DebtContext,
): Promise<boolean> {
  const debts = await allDebtsOf(em, debt);
  const isOver = ({ staffAnswersUntil: until, clockOffsetMs }: DebtContext) =>
    until === null || until.getTime() <= debtNow(clockOffsetMs, deps.now().getTime());
  const wasOver = debts.every(isOver);
  for (const { id } of debts) await setStaffAnswersUntil(em, id, null);
  if (!wasOver) await closeAnswered(em, debts);
  return !wasOver;
}

/** The debtor has written to a person at the client, who has to see it. */
export async function tellStaff(em: EntityManager, debtId: string): Promise<void> {
  const debt = await loadDebt(em, debtId);
  if (debt !== null && !WAITS_FOR_DECISION.includes(debt.status)) await askStaff(em, debtId, 'human');
}

/** What the debtor wrote to a person is answered. A debt that waits for a decision goes on waiting. */
export async function staffHasAnswered(em: EntityManager, debt: DebtContext): Promise<void> {
  await closeAnswered(em, await allDebtsOf(em, debt));
}

async function closeAnswered(em: EntityManager, debts: readonly DebtContext[]): Promise<void> {
  for (const { id, status } of debts) {
    if (!WAITS_FOR_DECISION.includes(status)) await closeInboxItems(em, id, ['human']);
  }
}
