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
}

const ENDS: readonly DebtStatus[] = ['OPTED_OUT', 'EXHAUSTED', 'STOPPED'];

const READ = `
  select status, next_contact_at as "nextContactAt", paused_at as "pausedAt",
    (select min(due_at) from receipt_deliveries where debt_id = $1 and state = 'waiting') as "receiptDueAt"
  from debts where id = $1`;

/** Read after the work was committed, so that what others did meanwhile counts. */
export async function outlookOf(
  { db }: Pick<CollectionDeps, 'db'>,
  clientId: string,
  debtId: string,
): Promise<Outlook> {
  const [debt] = await db
    .tenant(clientId)
    .transactional((em) =>
      runInTransaction<{
        status: DebtStatus;
        nextContactAt: Date | null;
        pausedAt: Date | null;
        receiptDueAt: Date | null;
      }>(em, READ, [debtId]),
    );
  if (debt === undefined) return { nextAt: null, done: 'STOPPED' };
  if (debt.status === 'PAID') return { nextAt: debt.receiptDueAt?.getTime() ?? null, done: 'PAID' };
  if (ENDS.includes(debt.status)) return { nextAt: null, done: debt.status };
  if (!isLive(debt.status) || debt.pausedAt !== null) return { nextAt: null, done: null };
  return { nextAt: debt.nextContactAt?.getTime() ?? null, done: null };
}
