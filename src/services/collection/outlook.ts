import { runInTransaction } from '../../db/statement.ts';
import { type DebtStatus, isLive } from '../../domain/debt-status.ts';
import type { CollectionDeps } from './deps.ts';

/**
 * What a workflow does next: end with `done`, wait until `nextAt`, or, when both are null, wait to be told. With both it
 * is paid, and a receipt is to be sent at `nextAt`.
 */
export interface Outlook {
  readonly nextAt: number | null;
  readonly done: DebtStatus | null;
  /** The channel refuses this client's messages: nothing that the service does by itself mends that. */
  readonly needsOperator: boolean;
}

/** For a debt that is no longer there. */
export const NOTHING_LEFT: Outlook = { nextAt: null, done: 'STOPPED', needsOperator: false };

// A draft's debt is no one's to work yet: what the debtor wrote is answered, and the launch begins anew.
const ENDS: readonly DebtStatus[] = ['IMPORTED', 'OPTED_OUT', 'EXHAUSTED', 'STOPPED'];

const READ = `
  select status, next_contact_at as "nextContactAt", paused_at as "pausedAt",
    (select min(due_at) from receipt_deliveries where debt_id = $1 and state = 'waiting') as "receiptDueAt"
  from debts where id = $1`;

/** Read after the work was committed, so that what others did meanwhile counts. */
export async function outlookOf(
  { db }: Pick<CollectionDeps, 'db'>,
  clientId: string,
  debtId: string,
  needsOperator = false,
): Promise<Outlook> {
  const [debt] = await db.tenant(clientId).transactional((em) =>
    runInTransaction<{
      status: DebtStatus;
      nextContactAt: Date | null;
      pausedAt: Date | null;
      receiptDueAt: Date | null;
    }>(em, READ, [debtId]),
  );
  if (debt === undefined) return NOTHING_LEFT;
  if (debt.status === 'PAID') return { nextAt: debt.receiptDueAt?.getTime() ?? null, done: 'PAID', needsOperator };
  if (ENDS.includes(debt.status)) return { nextAt: null, done: debt.status, needsOperator };
  if (!isLive(debt.status) || debt.pausedAt !== null) return { nextAt: null, done: null, needsOperator };
  return { nextAt: debt.nextContactAt?.getTime() ?? null, done: null, needsOperator };
}
