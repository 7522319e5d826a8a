import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { currentRowOf, type DebtContext, loadDebt } from '../../debts/use-cases/debt-context.ts';
import { PaymentProviderError } from '../ports/payment-provider.ts';
import { type Charge, chargesOfDebt, insertCharge, supersedeCharge } from '../queries/charges.ts';
import { CHARGE_LIFETIME_MS, LEAST_TIME_TO_PAY_MS, SHORTEST_CHARGE_LIFETIME_MS } from '../rules/charge-lifetime.ts';
import { cancelCharge } from './cancel-charges.ts';
import type { PaymentAccount, PaymentDeps } from './deps.ts';
import { isOpen, isPayable, isUnwanted, openCentavos } from './payable.ts';
import { requestCharge } from './request-charge.ts';

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
  /** The debt, for a caller who has just read it. It only selects the account; the rest is read again under its lock. */
  readonly known?: DebtContext;
  /**
   * Makes a code also for a closed debt, because the simulated bank, like real people, may pay a code that was kept.
   */
  readonly evenIfClosed?: boolean;
  /** The moment of the step that needs the charge. A simulated step keeps its own moment, however late it runs. */
  readonly at?: number;
}

/** An unfinished charge is requested again while it has this long to live; the margin covers a slow request. */
const LEAST_LIFE_MS = SHORTEST_CHARGE_LIFETIME_MS + 5 * 60_000;
/** Each further try means that the amount of the debt has changed again while the provider made the charge. */
const MOST_TRIES = 4;

/**
 * Returns the payable code of a debt, and makes a new one for its current row when there is none or the present one is
 * about to expire. The request to the provider is idempotent, because all of its values are stored before it is sent.
 * Returns null when the debt is not payable.
 */
export const findOrMakeCharge =
  (deps: PaymentDeps) =>
  async (request: ChargeRequest): Promise<LiveCharge | null> => {
    const db = deps.db.tenant(request.clientId);
    const known = request.known ?? (await db.transactional((em) => loadDebt(em, request.debtId)));
    if (known === null) return null;
    const account = await deps.accountFor(known);
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const prepared = await db.transactional((em) => prepare(em, deps, account, request));
      if (prepared === null) return null;
      if (prepared === 'made_meanwhile') continue;
      const { debt, charge } = prepared;
      if (isOpen(charge)) return liveOf(charge);
      const made = await requestCharge(deps, { debt, charge, at: request.at }, account);
      if (made.supersededAt === null) return liveOf(made);
      if (isUnwanted(made)) await cancelCharge(deps, request.clientId, made);
    }
    throw new PaymentProviderError('retryable', 'The amount of the debt changed while the charge was made.');
  };

const liveOf = ({ id, providerPaymentId, brCode, amountCentavos, expiresAt }: Charge): LiveCharge | null =>
  providerPaymentId === null || brCode === null ? null : { id, providerPaymentId, brCode, amountCentavos, expiresAt };

interface Prepared {
  readonly debt: DebtContext;
  readonly charge: Charge;
}

/**
 * Runs under the debt's lock: when two callers need a charge at once, the second finds the charge of the first. A charge
 * that cannot be used is superseded and not cancelled, because another caller's request may still make it.
 */
async function prepare(
  em: EntityManager,
  deps: PaymentDeps,
  account: PaymentAccount,
  request: ChargeRequest,
): Promise<Prepared | 'made_meanwhile' | null> {
  const current = await currentRowOf(em, request.debtId);
  const debt = current === undefined ? null : await loadDebt(em, current, { forUpdate: true });
  if (debt === null || debt.status === 'PAID') return null;
  // An import has continued the debt meanwhile.
  if (debt.continuedBy !== null) return 'made_meanwhile';
  const charges = await chargesOfDebt(em, debt.id);
  if (request.evenIfClosed !== true && !isPayable(debt.status)) return null;
  const now = deps.now();
  const amountCentavos = openCentavos(debt.amountCentavos, charges);
  if (amountCentavos <= 0) return null;
  const remainingMs = (charge: Charge) => charge.expiresAt.getTime() - now.getTime();
  // A code of an account that was replaced can still be paid, but it is not shown any more.
  const fits = (charge: Charge) => charge.amountCentavos === amountCentavos && isMadeBy(charge, account);
  const live = charges.find((charge) => isOpen(charge) && fits(charge) && remainingMs(charge) > LEAST_TIME_TO_PAY_MS);
  if (live !== undefined) return { debt, charge: live };

  // A payment that the client received elsewhere was never requested from a provider.
  const last = charges.find(({ provider: source }) => source !== 'outside');
  if (last !== undefined && last.providerPaymentId === null) {
    if (isMadeBy(last, account)) refuseTooEarly(last, now);
    const usable = last.status === 'PENDING' && fits(last) && remainingMs(last) > LEAST_LIFE_MS;
    if (usable) return { debt, charge: last };
    if (!(await supersedeCharge(em, last.id))) return 'made_meanwhile';
  }
  const charge = await insertCharge(em, {
    id: randomUUID(),
    clientId: debt.clientId,
    debtId: debt.id,
    provider: account.provider.name,
    accountId: account.accountId,
    amountCentavos,
    expiresAt: new Date(now.getTime() + CHARGE_LIFETIME_MS),
    createdAt: now,
  });
  return { debt, charge };
}

const isMadeBy = (charge: Charge, { provider, accountId }: PaymentAccount): boolean =>
  charge.provider === provider.name && charge.accountId === accountId;

/** Refuses a request before its retry moment, so that reloading the page does not flood a provider that is down. */
function refuseTooEarly({ retryAt }: Charge, now: Date): void {
  if (retryAt === null || retryAt <= now) return;
  const retryAfterSeconds = Math.ceil((retryAt.getTime() - now.getTime()) / 1000);
  throw new PaymentProviderError('retryable', 'The charge could not be made a moment ago.', { retryAfterSeconds });
}
