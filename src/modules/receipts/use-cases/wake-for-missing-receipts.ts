import { DAY } from '../../../kernel/calendar.ts';
import { addOutboxRows } from '../../../platform/database/add-outbox.ts';
import { agreementsWithoutReceipt, debtsWithoutReceipt } from '../queries/missing-receipts.ts';
import type { ReceiptDeps } from './deps.ts';

const DEBTS_PER_RUN = 500;
/** The workflow that applied the payment normally issues its receipt in less time. */
const LATE_MS = 5 * 60_000;
/** A receipt that is missing for longer needs an operator. The answers of regenerate-all list it. */
const LOOK_BACK_MS = 30 * DAY;

/** Wakes the workflows of confirmed payments without a receipt, whatever prevented them from issuing it. */
export const wakeForMissingReceipts =
  ({ db, now, workflows }: Pick<ReceiptDeps, 'db' | 'now' | 'workflows'>) =>
  async (): Promise<number> => {
    const at = now().getTime();
    const [paidFrom, paidTo] = [new Date(at - LOOK_BACK_MS), new Date(at - LATE_MS)];
    return db.system().transactional(async (tx) => {
      const search = { paidFrom, paidTo, limit: DEBTS_PER_RUN };
      const debts = await debtsWithoutReceipt(tx, search);
      const agreements = await agreementsWithoutReceipt(tx, search);
      await addOutboxRows(tx, [
        ...debts.map((debt) => workflows.wakeDebt(debt, 'receiptWanted')),
        ...agreements.map((agreement) => workflows.wakeAgreement(agreement, 'stateChanged')),
      ]);
      return debts.length + agreements.length;
    });
  };
