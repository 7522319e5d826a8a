import { DEBT_STATUSES, type DebtStatus } from '../../../kernel/debt-status.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { addRequestAudit, type RequestSource } from '../../accounts/queries/add-audit.ts';
import { closeInboxItems, endSnooze, setWaiting } from '../../debts/queries/inbox-items.ts';
import { storeTold } from '../../debts/queries/person-requests.ts';
import { staffAnswersUntil } from '../../debts/rules/staff-messages.ts';
import { debtNow } from '../../debts/use-cases/clock.ts';
import { type DebtContext, loadDebt, lockDebtsOfPerson } from '../../debts/use-cases/debt-context.ts';
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

const allDebtsOf = async (tx: Tx, debt: DebtContext): Promise<DebtContext[]> =>
  debt.erased ? [debt] : [debt, ...(await debtsOfPersonIn(tx, debt, DEBT_STATUSES))];

/**
 * The person at the client takes over the conversation with the debtor, which all debts of the person share. The clocks of
 * sandbox debts run apart, so the silence ends when it has ended by each of them. The rows are locked.
 */
export async function takeOver(
  tx: Tx,
  deps: Pick<CollectionDeps, 'policy' | 'now'>,
  debt: DebtContext,
  senders: readonly Sender[],
): Promise<void> {
  const ends = (await allDebtsOf(tx, debt)).map((each) => {
    const now = debtNow(each.clockOffsetMs, deps.now().getTime());
    return staffAnswersUntil(staffContextOf(deps, each, senders, now));
  });
  await storeTold(tx, debt, { staffAnswersUntil: new Date(Math.max(...ends)) });
}

/** Gives the conversation back to the agent. Returns false when no person had it. The rows are locked. */
export async function giveBack(tx: Tx, deps: Pick<CollectionDeps, 'now'>, debt: DebtContext): Promise<boolean> {
  const { staffAnswersUntil: until, clockOffsetMs } = debt;
  if (until === null) return false;
  const wasOver = until.getTime() <= debtNow(clockOffsetMs, deps.now().getTime());
  await storeTold(tx, debt, { staffAnswersUntil: null });
  const debts = await allDebtsOf(tx, debt);
  await setWaiting(tx, idsOf(debts), null);
  if (!wasOver) await closeAnswered(tx, debts);
  return !wasOver;
}

/** The debtor has written, so that no item waits for the debtor any more. */
export async function personHasWritten(tx: Tx, debtId: string): Promise<void> {
  const debt = await loadDebt(tx, debtId);
  if (debt !== null) await setWaiting(tx, idsOf(await allDebtsOf(tx, debt)), null);
}

/** The debtor has written to a person at the client, who has to see it, also where they had snoozed what waits already. */
export async function tellStaff(tx: Tx, debtId: string): Promise<void> {
  const debt = await loadDebt(tx, debtId);
  if (debt === null) return;
  if (!WAITS_FOR_DECISION.includes(debt.status)) await askStaff(tx, debtId, 'human');
  const waiting = (await allDebtsOf(tx, debt)).filter(({ status }) => WAITS_FOR_DECISION.includes(status));
  await endSnooze(tx, idsOf(waiting));
}

/**
 * What the debtor wrote to a person is answered. A debt that waits for a decision goes on waiting, now for the debtor,
 * until the silence ends: the staff then look at it again.
 */
export async function staffHasAnswered(tx: Tx, debt: DebtContext): Promise<void> {
  const debts = await allDebtsOf(tx, debt);
  await closeAnswered(tx, debts);
  for (const { id, clockOffsetMs, staffAnswersUntil: until } of debts) {
    // The inbox has real times, because sandbox clocks run apart.
    if (until !== null) await setWaiting(tx, [id], new Date(until.getTime() - clockOffsetMs));
  }
}

const idsOf = (debts: readonly DebtContext[]): string[] => debts.map(({ id }) => id);

async function closeAnswered(tx: Tx, debts: readonly DebtContext[]): Promise<void> {
  for (const { id, status } of debts) {
    await closeInboxItems(tx, id, WAITS_FOR_DECISION.includes(status) ? ['question'] : ['human', 'question']);
  }
}

/** A person at the client ends their conversation with the debtor: the agent answers and collects again. */
export const handBack =
  (deps: CollectionDeps) =>
  async (request: {
    readonly clientId: string;
    readonly debtId: string;
    readonly source: RequestSource;
  }): Promise<void> => {
    const { clientId, debtId, source } = request;
    await deps.db.tenant(clientId).transactional(async (tx) => {
      const seen = await loadDebt(tx, debtId);
      if (seen === null) throw new AppError('not_found');
      await lockDebtsOfPerson(tx, seen);
      const debt = (await loadDebt(tx, debtId)) ?? seen;
      if (!(await giveBack(tx, deps, debt))) {
        throw new AppError('debt_state', { detail: 'Nobody of your staff has the conversation with this debtor.' });
      }
      await addRequestAudit(tx, { clientId, source, action: 'debt_handed_back', target: debtId });
    });
  };
