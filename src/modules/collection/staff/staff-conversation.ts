import type { EntityManager } from '@mikro-orm/postgresql';
import { DEBT_STATUSES, type DebtStatus } from '../../../kernel/debt-status.ts';
import { closeInboxItems, setWaiting } from '../../debts/queries/inbox-items.ts';
import { storeTold } from '../../debts/queries/person-requests.ts';
import { staffAnswersUntil } from '../../debts/rules/staff-messages.ts';
import { debtNow } from '../../debts/use-cases/clock.ts';
import { type DebtContext, loadDebt } from '../../debts/use-cases/debt-context.ts';
import { askStaff } from '../../debts/use-cases/inbox-items.ts';
import { debtsOfPersonIn } from '../../messaging/queries/conversations.ts';
import type { Sender } from '../../messaging/use-cases/deps.ts';
import type { CollectionDeps } from '../deps.ts';
import { staffContextOf } from './decide-staff-message.ts';

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
 * The person at the client takes over the conversation with the debtor, which all debts of the person share. The clocks of
 * sandbox debts run apart, so the silence ends when it has ended by each of them. The rows are locked.
 */
export async function takeOver(
  em: EntityManager,
  deps: Pick<CollectionDeps, 'policy' | 'now'>,
  debt: DebtContext,
  senders: readonly Sender[],
): Promise<void> {
  const ends = (await allDebtsOf(em, debt)).map((each) => {
    const now = debtNow(each.clockOffsetMs, deps.now().getTime());
    return staffAnswersUntil(staffContextOf(deps, each, senders, now));
  });
  await storeTold(em, debt, { staffAnswersUntil: new Date(Math.max(...ends)) });
}

/** Gives the conversation back to the agent. Returns false when no person had it. The rows are locked. */
export async function giveBack(
  em: EntityManager,
  deps: Pick<CollectionDeps, 'now'>,
  debt: DebtContext,
): Promise<boolean> {
  const { staffAnswersUntil: until, clockOffsetMs } = debt;
  if (until === null) return false;
  const wasOver = until.getTime() <= debtNow(clockOffsetMs, deps.now().getTime());
  await storeTold(em, debt, { staffAnswersUntil: null });
  const debts = await allDebtsOf(em, debt);
  await setWaiting(em, idsOf(debts), null);
  if (!wasOver) await closeAnswered(em, debts);
  return !wasOver;
}

/** The debtor has written, so that no item waits for the debtor any more. */
export async function personHasWritten(em: EntityManager, debtId: string): Promise<void> {
  const debt = await loadDebt(em, debtId);
  if (debt !== null) await setWaiting(em, idsOf(await allDebtsOf(em, debt)), null);
}

/** The debtor has written to a person at the client, who has to see it. */
export async function tellStaff(em: EntityManager, debtId: string): Promise<void> {
  const debt = await loadDebt(em, debtId);
  if (debt !== null && !WAITS_FOR_DECISION.includes(debt.status)) await askStaff(em, debtId, 'human');
}

/**
 * What the debtor wrote to a person is answered. A debt that waits for a decision goes on waiting, now for the debtor,
 * until the silence ends: the staff then look at it again.
 */
export async function staffHasAnswered(em: EntityManager, debt: DebtContext): Promise<void> {
  const debts = await allDebtsOf(em, debt);
  await closeAnswered(em, debts);
  for (const { id, clockOffsetMs, staffAnswersUntil: until } of debts) {
    // The inbox has real times, because sandbox clocks run apart.
    if (until !== null) await setWaiting(em, [id], new Date(until.getTime() - clockOffsetMs));
  }
}

const idsOf = (debts: readonly DebtContext[]): string[] => debts.map(({ id }) => id);

async function closeAnswered(em: EntityManager, debts: readonly DebtContext[]): Promise<void> {
  for (const { id, status } of debts) {
    await closeInboxItems(em, id, WAITS_FOR_DECISION.includes(status) ? ['question'] : ['human', 'question']);
  }
}
