import { addOutbox } from '../../db/outbox.ts';
import { runInTransaction } from '../../db/statement.ts';
import { PaymentProviderError } from '../../ports/payment-provider.ts';
import { debtNow } from '../collection/clock.ts';
import { loadDebt } from '../collection/debt-context.ts';
import { wakeForMissingReceipts } from '../receipts/missing-receipts.ts';
import { applyReport } from './apply-report.ts';
import { cancelCharges, closesCharges } from './cancel-charges.ts';
import type { PaymentDeps } from './deps.ts';
import { markAsked } from './settle-payment.ts';

interface Due {
  readonly id: string;
  readonly clientId: string;
  readonly debtId: string;
  readonly provider: string;
  readonly providerPaymentId: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export interface Reconciled {
  readonly asked: number;
  readonly news: number;
}

const AT_ONCE = 8;
const A_RUN = 1_000;
const SOONEST_MS = 2 * 60_000;
const LATEST_MS = 15 * 60_000;
/** A payment that was made in the last moment may be confirmed later. */
const AFTER_EXPIRY_MS = 24 * 3_600_000;
/** So many failures of one account in one run: it is down, and the rest of the run would only wait for it. */
const ENOUGH_FAILURES = 3;

const DUE = `
  select id, client_id as "clientId", debt_id as "debtId", provider, provider_payment_id as "providerPaymentId",
    created_at as "createdAt", expires_at as "expiresAt"
  from charges where ask_at <= $1 order by ask_at limit ${A_RUN}`;
const TAKE = 'update charges set ask_at = $3 where id = $1 and ask_at <= $2 returning id';
const LAPSED = `
  update charges set status = 'CANCELLED', ask_at = null, updated_at = now() where id = $1 and status = 'PENDING'`;

/** Asks about charges that nobody has told anything of: a lost notification costs minutes, not the payment. */
export const reconcileCharges =
  (deps: PaymentDeps) =>
  async (onProgress: () => void = () => {}): Promise<Reconciled> => {
    const due = await deps.db.system().transactional((em) => runInTransaction<Due>(em, DUE, [deps.now()]));
    const failures = new Map<string, number>();
    const done = { asked: 0, news: 0 };
    const next = due.values();
    const work = async (): Promise<void> => {
      for (const charge of next) {
        const account = `${charge.provider}:${charge.clientId}`;
        if ((failures.get(account) ?? 0) >= ENOUGH_FAILURES) continue;
        const outcome = await reconcile(deps, charge);
        onProgress();
        if (outcome === 'not mine') continue;
        done.asked += 1;
        if (outcome === 'news') done.news += 1;
        if (outcome === 'failed') failures.set(account, (failures.get(account) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    await wakeForMissingReceipts(deps)();
    return done;
  };

type Outcome = 'not mine' | 'news' | 'nothing new' | 'failed';

async function reconcile(deps: PaymentDeps, charge: Due): Promise<Outcome> {
  const { clientId, debtId } = charge;
  const db = deps.db.tenant(clientId);
  const now = deps.now().getTime();
  const waitMs = Math.min(LATEST_MS, Math.max(SOONEST_MS, (now - charge.createdAt.getTime()) / 4));
  const taken = await db.transactional((em) =>
    runInTransaction(em, TAKE, [charge.id, new Date(now), new Date(now + waitMs)]),
  );
  if (taken.length === 0) return 'not mine';
  const debt = await db.transactional((em) => loadDebt(em, debtId));
  try {
    if (debt !== null && closesCharges(debt)) {
      await cancelCharges(deps)({ clientId, debtId });
      return 'nothing new';
    }
    return await ask(deps, charge, now);
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error;
    if (error.kind === 'not_found') await forgetLapsed(deps, charge, now);
    return error.kind === 'not_found' ? 'nothing new' : 'failed';
  }
}

async function ask(deps: PaymentDeps, charge: Due, now: number): Promise<Outcome> {
  const { clientId, debtId } = charge;
  const { provider, credentials } = await deps.accountOf({ clientId, sandbox: charge.provider === 'sandbox' });
  const report = await provider.getCharge(charge.providerPaymentId, credentials);
  const applied = await deps.db.tenant(clientId).transactional(async (em) => {
    const debt = await loadDebt(em, debtId, { forUpdate: true });
    if (debt === null) return 'nothing new';
    await markAsked(em, charge.id);
    const at = debtNow(debt.clockOffsetMs, now);
    const outcome = await applyReport({ em, deps, debt, report, at }, charge.id);
    if (outcome === 'news') await addOutbox(em, deps.workflows.wakeDebt(debt, 'paymentNoticed'));
    return outcome;
  });
  if (applied === 'nothing new') await forgetLapsed(deps, charge, now);
  return applied;
}

async function forgetLapsed(deps: PaymentDeps, charge: Due, now: number): Promise<void> {
  if (now < charge.expiresAt.getTime() + AFTER_EXPIRY_MS) return;
  await deps.db.tenant(charge.clientId).transactional((em) => runInTransaction(em, LAPSED, [charge.id]));
}
