import { debtOutlook } from '../../db/queries/debts.ts';
import { type DebtStatus, isLive } from '../../domain/debt-status.ts';
import type { SharedDeps } from '../shared/deps.ts';

/**
 * What a workflow does next: it ends with `done`, waits until `nextAt`, or waits for a signal when both are null. When
 * both are set, the debt is paid and a receipt has to be sent at `nextAt`.
 */
export interface Outlook {
  readonly nextAt: number | null;
  readonly done: DebtStatus | null;
  /** True when the channel refuses this client's messages: the service cannot correct that without an operator. */
  readonly needsOperator: boolean;
}

/** The result for a debt that no longer exists. */
export const NOTHING_LEFT: Outlook = { nextAt: null, done: 'STOPPED', needsOperator: false };

// A debt of a draft (IMPORTED) is not collected yet: its workflow answers the debtor's message and ends, and the launch
// starts another one.
const END_STATUSES: readonly DebtStatus[] = ['IMPORTED', 'OPTED_OUT', 'EXHAUSTED', 'STOPPED'];

/** Reads the state after the work was committed, so that changes by other transactions count. */
export async function outlookOf(
  { db }: Pick<SharedDeps, 'db'>,
  clientId: string,
  debtId: string,
  needsOperator = false,
): Promise<Outlook> {
  const debt = await db.tenant(clientId).transactional((em) => debtOutlook(em, debtId));
  if (debt === undefined) return NOTHING_LEFT;
  if (debt.status === 'PAID') return { nextAt: debt.receiptDueAt?.getTime() ?? null, done: 'PAID', needsOperator };
  if (END_STATUSES.includes(debt.status)) return { nextAt: null, done: debt.status, needsOperator };
  if (!isLive(debt.status) || debt.pausedAt !== null) return { nextAt: null, done: null, needsOperator };
  return { nextAt: debt.nextContactAt?.getTime() ?? null, done: null, needsOperator };
}
