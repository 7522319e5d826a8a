import { cancelPendingCharge } from '../../db/queries/charges.ts';
import { type DueCharge, dueCharges, takeDueCharge } from '../../db/queries/reconciliation.ts';
import { PaymentProviderError } from '../../ports/payment-provider.ts';
import { debtNow } from '../debts/clock.ts';
import { loadDebt } from '../debts/debt-context.ts';
import { askAndApply } from './ask-provider.ts';
import { cancelCharges, closesCharges } from './cancel-charges.ts';
import type { PaymentDeps } from './deps.ts';

export interface Reconciled {
  readonly asked: number;
  readonly changed: number;
}

const CONCURRENT_REQUESTS = 8;
const CHARGES_PER_RUN = 1_000;
const SHORTEST_WAIT_MS = 2 * 60_000;
const LONGEST_WAIT_MS = 15 * 60_000;
/** A payment that was made just before the expiry may be confirmed up to this long after it. */
const CONFIRMATION_DELAY_MS = 24 * 3_600_000;
/** After this many failures of one account, a run skips the account, because waiting for it would delay the others. */
const MAX_ACCOUNT_FAILURES = 3;

/**
 * Asks the provider about charges without a notification, so that a lost notification delays a payment but does not
 * lose it.
 */
export const reconcileCharges =
  (deps: PaymentDeps) =>
  async (onProgress: () => void = () => {}): Promise<Reconciled> => {
    const due = await deps.db
      .system()
      .transactional((em) => dueCharges(em, { at: deps.now(), limit: CHARGES_PER_RUN }));
    const failures = new Map<string, number>();
    const done = { asked: 0, changed: 0 };
    const next = due.values();
    const work = async (): Promise<void> => {
      for (const charge of next) {
        const account = `${charge.provider}:${charge.clientId}`;
        if ((failures.get(account) ?? 0) >= MAX_ACCOUNT_FAILURES) continue;
        const outcome = await reconcile(deps, charge);
        onProgress();
        if (outcome === 'taken') continue;
        done.asked += 1;
        if (outcome === 'changed') done.changed += 1;
        if (outcome === 'failed') failures.set(account, (failures.get(account) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENT_REQUESTS }, work));
    return done;
  };

/** `taken`: another run asks about the charge. */
type Outcome = 'taken' | 'changed' | 'unchanged' | 'failed';

async function reconcile(deps: PaymentDeps, charge: DueCharge): Promise<Outcome> {
  const { clientId, debtId } = charge;
  const db = deps.db.tenant(clientId);
  const now = deps.now().getTime();
  const waitMs = Math.min(LONGEST_WAIT_MS, Math.max(SHORTEST_WAIT_MS, (now - charge.createdAt.getTime()) / 4));
  const taken = await db.transactional((em) =>
    takeDueCharge(em, charge.id, { dueBy: new Date(now), nextAskAt: new Date(now + waitMs) }),
  );
  if (!taken) return 'taken';
  const debt = await db.transactional((em) => loadDebt(em, debtId));
  try {
    if (debt !== null && (charge.supersededAt !== null || closesCharges(debt))) {
      await cancelCharges(deps)({ clientId, debtId });
      return 'unchanged';
    }
    return await ask(deps, charge, now);
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error;
    if (error.kind === 'not_found') await cancelExpired(deps, charge, now);
    return error.kind === 'not_found' ? 'unchanged' : 'failed';
  }
}

async function ask(deps: PaymentDeps, charge: DueCharge, now: number): Promise<Outcome> {
  const applied = await askAndApply(deps, charge, charge, ({ clockOffsetMs }) => debtNow(clockOffsetMs, now));
  if (applied === 'unchanged') await cancelExpired(deps, charge, now);
  return applied;
}

async function cancelExpired(deps: PaymentDeps, charge: DueCharge, now: number): Promise<void> {
  if (now < charge.expiresAt.getTime() + CONFIRMATION_DELAY_MS) return;
  await deps.db.tenant(charge.clientId).transactional((em) => cancelPendingCharge(em, charge.id));
}
