import { addOutboxRows } from '../../db/outbox.ts';
import { runInTransaction } from '../../db/statement.ts';
import { DAY } from '../../domain/calendar.ts';
import type { DebtRef } from '../../ports/collection-workflows.ts';
import type { ReceiptDeps } from './deps.ts';
import { SETTLES } from './settled-payments.ts';

const DEBTS_PER_RUN = 500;
/** The workflow that settled the payment normally issues its receipt in less time. */
const LATE_MS = 5 * 60_000;
/** A receipt that is missing for longer needs an operator. The answers of regenerate-all list it. */
const LOOK_BACK_MS = 30 * DAY;

const MISSING = `
  select distinct d.id, d.client_id as "clientId", d.campaign_id as "campaignId", d.sandbox,
    d.clock_offset_ms as "clockOffsetMs"
  from charges ch join debts d on d.id = ch.debt_id left join receipts r on r.charge_id = ch.id
  where ch.approved_at between $1 and $2 and ${SETTLES} and r.pdf is null
  limit ${DEBTS_PER_RUN}`;

/** Wakes the workflows of settled payments without a receipt, whatever prevented them from issuing it. */
export const wakeForMissingReceipts =
  ({ db, now, workflows }: Pick<ReceiptDeps, 'db' | 'now' | 'workflows'>) =>
  async (): Promise<number> => {
    const at = now().getTime();
    const span = [new Date(at - LOOK_BACK_MS), new Date(at - LATE_MS)];
    return db.system().transactional(async (em) => {
      const debts = await runInTransaction<DebtRef>(em, MISSING, span);
      await addOutboxRows(
        em,
        debts.map((debt) => workflows.wakeDebt(debt, 'receiptWanted')),
      );
      return debts.length;
    });
  };
