import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { runInTransaction } from '../../db/statement.ts';
import { PaymentProviderError } from '../../ports/payment-provider.ts';
import { type DebtContext, loadDebt } from '../collection/debt-context.ts';
import { type Charge, chargesOf, isOpen } from './charges.ts';
import type { PaymentAccount, PaymentDeps } from './deps.ts';
import { makeCharge } from './make-charge.ts';
import { isPayable, openCentavos } from './payable.ts';

/** A code that can be paid now. */
export interface LiveCharge {
  readonly id: string;
  readonly providerPaymentId: string;
  readonly brCode: string;
  readonly amountCentavos: number;
  readonly expiresAt: Date;
}

export interface ChargeRequest {
  readonly clientId: string;
  readonly debtId: string;
  /** The simulated bank pays whatever it is told to, as people do with codes that they kept. */
  readonly evenIfClosed?: boolean;
  /** Of the step that needs the charge: a simulated step happens at its own moment, however late it runs. */
  readonly at?: number;
}

const LIFE_MS = 3 * 86_400_000;
/** Whoever opens the page has at least so long to pay. */
const TIME_TO_PAY_MS = 60 * 60_000;
/** An unfinished charge is asked for again while the provider would take it: it wants at least 30 minutes of life. */
const LEAST_LIFE_MS = 35 * 60_000;

/**
 * The code of a debt: the one that is there, or a new one where none is or it is about to lapse. Made once per attempt:
 * everything that the provider is asked with is written down before, so that asking again is the same question.
 * Null for a debt that nothing is charged for.
 */
export const ensureCharge =
  (deps: PaymentDeps) =>
  async (request: ChargeRequest): Promise<LiveCharge | null> => {
    const db = deps.db.tenant(request.clientId);
    const known = await db.transactional((em) => loadDebt(em, request.debtId));
    if (known === null) return null;
    const account = await deps.accountOf(known);
    const prepared = await db.transactional((em) => prepare(em, deps, account, request));
    if (prepared === null) return null;
    const { debt, charge } = prepared;
    return liveOf(isOpen(charge) ? charge : await makeCharge(deps, { debt, charge, at: request.at }, account));
  };

const liveOf = ({ id, providerPaymentId, brCode, amountCentavos, expiresAt }: Charge): LiveCharge | null =>
  providerPaymentId === null || brCode === null ? null : { id, providerPaymentId, brCode, amountCentavos, expiresAt };

interface Prepared {
  readonly debt: DebtContext;
  readonly charge: Charge;
}

const GIVE_UP = `update charges set status = 'CANCELLED', updated_at = now() where id = $1`;
const BEGIN = `
  insert into charges (id, client_id, debt_id, attempt, provider, status, amount_centavos, expires_at, created_at)
  values ($1, $2, $3, $4, $5, 'PENDING', $6, $7, $8)`;

/** Under the debt's lock: of two that need a charge at once, the second finds the first one's. */
async function prepare(
  em: EntityManager,
  deps: PaymentDeps,
  { provider }: PaymentAccount,
  request: ChargeRequest,
): Promise<Prepared | null> {
  const debt = await loadDebt(em, request.debtId, { forUpdate: true });
  if (debt === null || debt.status === 'PAID') return null;
  const charges = await chargesOf(em, debt.id);
  if (request.evenIfClosed !== true && !isPayable(debt.status, charges)) return null;
  const now = deps.now();
  const amountCentavos = openCentavos(debt.amountCentavos, charges);
  if (amountCentavos <= 0) return null;
  const left = (charge: Charge) => charge.expiresAt.getTime() - now.getTime();
  const live = charges.find(
    (charge) => isOpen(charge) && charge.amountCentavos === amountCentavos && left(charge) > TIME_TO_PAY_MS,
  );
  if (live !== undefined) return { debt, charge: live };

  const last = charges[0];
  if (last !== undefined && last.providerPaymentId === null) {
    refuseTooEarly(last, now);
    if (last.status === 'PENDING') {
      if (last.amountCentavos === amountCentavos && left(last) > LEAST_LIFE_MS) return { debt, charge: last };
      await runInTransaction(em, GIVE_UP, [last.id]);
    }
  }
  const id = randomUUID();
  await runInTransaction(em, BEGIN, [
    id,
    debt.clientId,
    debt.id,
    (last?.attempt ?? 0) + 1,
    provider.name,
    amountCentavos,
    new Date(now.getTime() + LIFE_MS),
    now,
  ]);
  const charge = (await chargesOf(em, debt.id))[0];
  return charge === undefined ? null : { debt, charge };
}

/** Whoever opens the page again and again must not ask a provider that is down as often. */
function refuseTooEarly({ retryAt }: Charge, now: Date): void {
  if (retryAt === null || retryAt <= now) return;
  const retryAfterSeconds = Math.ceil((retryAt.getTime() - now.getTime()) / 1000);
  throw new PaymentProviderError('retryable', 'making the charge failed a moment ago', { retryAfterSeconds });
}
