import { AppError } from '../../../kernel/errors.ts';
import { toReais } from '../../../kernel/money.ts';
import type { PaymentStatus } from '../../../kernel/payment-status.ts';
import { createBatchedLookup } from '../../../platform/shared/batched-lookup.ts';
import { loadDebt } from '../../debts/use-cases/debt-context.ts';
import { owedNow } from '../../debts/use-cases/owed.ts';
import { PAYMENTS_OF_DEBTS } from '../queries/payment-states.ts';
import type { PaymentDeps } from './deps.ts';
import { isPayable } from './payable.ts';
import { paymentStatusOf } from './payment-view.ts';

export interface PaymentView {
  readonly debtId: string;
  readonly paymentId: string | null;
  readonly providerPaymentId: string | null;
  readonly status: PaymentStatus;
  readonly amount: number;
  readonly currency: 'BRL';
  readonly brCode: string | null;
  readonly expiresAt: string | null;
  readonly paidAt: string | null;
  readonly receiptProtocol: string | null;
}

type Deps = Pick<PaymentDeps, 'db' | 'now' | 'policy'>;

const keyOf = ({ clientId, debtId }: { readonly clientId: string; readonly debtId: string }): string =>
  `${clientId}:${debtId.toLowerCase()}`;

/** What a code would ask for now, as long as there is none that can be paid. */
async function owedToday(
  deps: Deps,
  { clientId, debtId }: { readonly clientId: string; readonly debtId: string },
): Promise<number | undefined> {
  const debt = await deps.db.tenant(clientId).transactional((tx) => loadDebt(tx, debtId));
  return debt === null || debt.status === 'PAID' ? undefined : owedNow(deps, debt).total;
}

/** Programs of clients poll this, so one statement answers all requests that ask at the same time. */
export const readPayment = (deps: Deps) => {
  const { db, now } = deps;
  const rowsOf = async (keys: readonly string[]) => {
    const pairs = keys.map((key) => key.split(':') as [clientId: string, debtId: string]);
    const debtIds = pairs.map(([, debtId]) => debtId);
    return db.runSigned(PAYMENTS_OF_DEBTS, (sign) => ({
      signedClients: pairs.map(([clientId]) => sign('app.client_id', clientId)),
      debtIds,
    }));
  };
  const find = createBatchedLookup(rowsOf, keyOf);
  return async ({ clientId, debtId }: { readonly clientId: string; readonly debtId: string }): Promise<PaymentView> => {
    const row = await find(keyOf({ clientId, debtId }));
    if (row === undefined) throw new AppError('not_found');
    const { paymentId, providerPaymentId, expiresAt } = row;
    const status = paymentStatusOf(row);
    // A correction, an import or a part payment has ended the code, and the next one asks for another amount.
    const hasEnded = row.chargeStatus === 'CANCELLED' || row.underpaidAt !== null;
    const asked = status === 'PENDING' && hasEnded ? null : row.amountCentavos;
    const live = row.chargeStatus === 'PENDING' && row.underpaidAt === null && expiresAt !== null && expiresAt > now();
    return {
      debtId,
      paymentId,
      providerPaymentId,
      status,
      amount: toReais(asked ?? (await owedToday(deps, { clientId, debtId })) ?? row.debtAmountCentavos),
      currency: 'BRL',
      brCode: live && isPayable(row.debtStatus) ? row.brCode : null,
      // What the client received elsewhere was never a code that expires.
      expiresAt: providerPaymentId === null ? null : (expiresAt?.toISOString() ?? null),
      paidAt: row.paidAt?.toISOString() ?? null,
      // The receipt of a part is not that of the debt.
      receiptProtocol: row.underpaidAt === null ? row.receiptProtocol : null,
    };
  };
};
