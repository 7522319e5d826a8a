import type { EntityManager } from '@mikro-orm/postgresql';
import type { ChargeProvider } from '../../db/entities/charge.ts';
import { runInTransaction } from '../../db/statement.ts';
import type { PaymentStatus } from '../../domain/payment-status.ts';
import { recordEvents } from '../debts/timeline.ts';

export interface Charge {
  readonly id: string;
  readonly debtId: string;
  readonly attempt: number;
  readonly provider: ChargeProvider;
  readonly providerPaymentId: string | null;
  readonly status: PaymentStatus;
  readonly amountCentavos: number;
  readonly paidCentavos: number;
  readonly refundedCentavos: number;
  readonly brCode: string | null;
  readonly expiresAt: Date;
  readonly paidAt: Date | null;
  readonly underpaidAt: Date | null;
  readonly chargedBackAt: Date | null;
  readonly duplicate: boolean;
  readonly problem: string | null;
  readonly retryAt: Date | null;
  readonly createdAt: Date;
}

const SELECT = `
  select id, debt_id as "debtId", attempt, provider, provider_payment_id as "providerPaymentId", status,
    amount_centavos as "amountCentavos", paid_centavos as "paidCentavos", refunded_centavos as "refundedCentavos",
    br_code as "brCode", expires_at as "expiresAt", paid_at as "paidAt", underpaid_at as "underpaidAt",
    charged_back_at as "chargedBackAt", duplicate, problem, retry_at as "retryAt", created_at as "createdAt"
  from charges`;

/** Returns the charges of one debt, the latest first. A caller that decides by them holds the debt's lock. */
export const chargesOf = (em: EntityManager, debtId: string): Promise<Charge[]> =>
  runInTransaction<Charge>(em, `${SELECT} where debt_id = $1 order by attempt desc`, [debtId]);

export const isOpen = (charge: Charge): boolean =>
  charge.status === 'PENDING' && charge.providerPaymentId !== null && charge.underpaidAt === null;

const PROBLEM = 'update charges set problem = $2, updated_at = now() where id = $1 and problem is distinct from $2';

/** Records why a charge cannot continue. The timeline shows each problem once, however often it occurs again. */
export async function recordProblem(
  em: EntityManager,
  charge: Pick<Charge, 'id' | 'debtId'>,
  problem: string,
  at: number,
): Promise<void> {
  const changed = await runInTransaction(em, `${PROBLEM} returning id`, [charge.id, problem]);
  if (changed.length === 0) return;
  await recordEvents(em, charge.debtId, at, [{ kind: 'payment_changed', data: { paymentId: charge.id, problem } }]);
}
