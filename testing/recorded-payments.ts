import { randomUUID } from 'node:crypto';
import { settleDebt } from '../src/modules/payments/use-cases/settle-debt.ts';
import { undoSettlement } from '../src/modules/payments/use-cases/undo-settlement.ts';
import type { MadeDebt, openEngine } from './engine.ts';
import { SOURCE } from './source.ts';

/** What the engine's debts owe. */
export const WHOLE = 15_075;

/** Payments that staff record about debts of an engine, and take back. */
export function recordedPayments(engine: Pick<Awaited<ReturnType<typeof openEngine>>, 'deps' | 'ofApi' | 'clock'>) {
  const payments = { ...engine.deps.payments, db: engine.ofApi.db };
  return {
    /** Records a payment and returns its id. */
    async settle({ clientId, id: debtId }: MadeDebt, amountCentavos = WHOLE): Promise<string> {
      const paymentId = randomUUID();
      const paidAt = new Date(engine.clock.now);
      const payment = { clientId, debtId, paymentId, amountCentavos, paidAt, method: 'cash', note: null } as const;
      await settleDebt(payments)({ ...payment, rest: null, source: SOURCE });
      return paymentId;
    },
    undo: ({ clientId }: MadeDebt, id: string) => undoSettlement(payments)({ clientId, id, source: SOURCE }),
  };
}
