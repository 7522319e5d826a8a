import { randomUUID } from 'node:crypto';
import { isCnpj } from '../../../kernel/tax-id.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { ChargeProblem } from '../../debts/rules/timeline-entry.ts';
import { countInCampaign } from '../../debts/use-cases/campaign-day.ts';
import { debtNow } from '../../debts/use-cases/clock.ts';
import { currentRowOf, type DebtContext, loadDebt } from '../../debts/use-cases/debt-context.ts';
import { owedNow } from '../../debts/use-cases/owed.ts';
import { recordEntries } from '../../debts/use-cases/record-entries.ts';
import {
  type CreatedCharge,
  type Payer,
  PaymentProviderError,
  type PaymentProviderErrorKind,
} from '../ports/payment-provider.ts';
import {
  type Charge,
  chargesOfDebt,
  insertCharge,
  storeFailedRequest,
  storeMadeCharge,
  supersedeCharge,
} from '../queries/charges.ts';
import { CHARGE_LIFETIME_MS, LEAST_TIME_TO_PAY_MS, SHORTEST_CHARGE_LIFETIME_MS } from '../rules/charge-lifetime.ts';
import { chargedCounts, chargedSoFar, hasCharges, minus } from '../rules/credited-parts.ts';
import { recordProblem } from './apply-report.ts';
import { cancelCharge } from './cancel-charges.ts';
import type { PaymentAccount, PaymentDeps } from './deps.ts';
import { isOpen, isPayable, isUnwanted } from './payable.ts';

/** The wait after a temporary failure, unless the provider asks for a longer one. */
const RETRY_MS = 30_000;
/**
 * The wait after a refusal. It is not endless, because an operator may correct the cause, nor short, because each view
 * of the page would repeat the request.
 */
const REFUSED_RETRY_MS = 60 * 60_000;
/** Without a notification, the reconciliation first asks the provider after this time. */
const FIRST_ASK_MS = 2 * 60_000;

/** A stored charge that the provider has not made yet, with its debt. */
interface PendingCharge {
  readonly debt: DebtContext;
  readonly charge: Charge;
  readonly at?: number | undefined;
}

/** Returns the moment for the timeline: the given one, or else the present by the debt's clock. */
const dateOf = ({ debt, at }: PendingCharge, now: number): number => at ?? debtNow(debt.clockOffsetMs, now);

/** Requests the charge from the provider. The charge's id is idempotency key and reference, so a repetition is safe. */
export async function requestCharge(
  deps: PaymentDeps,
  pending: PendingCharge,
  account: PaymentAccount,
): Promise<Charge> {
  const { debt, charge } = pending;
  const { provider, credentials } = account;
  try {
    const created = await provider.createCharge({
      idempotencyKey: charge.id,
      externalReference: charge.id,
      amountCentavos: charge.amountCentavos,
      description: `Pagamento a ${debt.clientName}`.slice(0, 200),
      payer: payerOf(debt),
      notificationUrl: notificationUrl(deps.publicUrl, debt.clientId),
      expiresAt: charge.expiresAt,
      credentials,
    });
    return await storeMade(deps, pending, created);
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error;
    const existing = error.kind === 'conflict' ? await findMade(charge, account) : null;
    if (existing !== null) return storeMade(deps, pending, existing);
    await recordFailure(deps, pending, error);
    throw error;
  }
}

const notificationUrl = (publicUrl: string, clientId: string): string =>
  `${publicUrl}/api/payments/webhook?account=${clientId}&source_news=webhooks`;

function payerOf({ debtorName, debtorTaxId }: DebtContext): Payer {
  if (isCnpj(debtorTaxId)) {
    return { firstName: debtorName, lastName: '', taxId: { kind: 'CNPJ', number: debtorTaxId } };
  }
  const [firstName = debtorName, ...rest] = debtorName.trim().split(/\s+/);
  return { firstName, lastName: rest.join(' '), taxId: { kind: 'CPF', number: debtorTaxId } };
}

/** Finds the charge at the provider when its key was used with other values, as after a client was renamed. */
async function findMade(charge: Charge, { provider, credentials }: PaymentAccount): Promise<CreatedCharge | null> {
  const found = (await provider.searchByExternalReference(charge.id, credentials)).find(
    (one) => one.status === 'PENDING' && one.amountCentavos === charge.amountCentavos && one.currency === 'BRL',
  );
  if (found === undefined || found.brCode === null) return null;
  const { providerPaymentId, brCode } = found;
  return { providerPaymentId, brCode, expiresAt: found.expiresAt ?? charge.expiresAt };
}

async function storeMade(deps: PaymentDeps, pending: PendingCharge, created: CreatedCharge): Promise<Charge> {
  const { debt, charge } = pending;
  return deps.db.tenant(debt.clientId).transactional(async (tx) => {
    const { providerPaymentId, brCode, expiresAt } = created;
    const now = deps.now().getTime();
    const askAt = new Date(now + FIRST_ASK_MS);
    const stored = await storeMadeCharge(tx, charge.id, { providerPaymentId, brCode, expiresAt, askAt });
    if (stored === undefined) return (await chargesOfDebt(tx, debt.id)).find(({ id }) => id === charge.id) ?? charge;
    if (stored.supersededAt === null) {
      const at = dateOf(pending, now);
      await recordEntries(tx, debt.id, at, [{ kind: 'charge_created', paymentId: charge.id }]);
    }
    return stored;
  });
}

const PROBLEMS: Partial<Record<PaymentProviderErrorKind, ChargeProblem>> = {
  unauthorized: 'provider_unauthorized',
  rejected: 'charge_refused',
  conflict: 'charge_refused',
};

async function recordFailure(deps: PaymentDeps, pending: PendingCharge, error: PaymentProviderError): Promise<void> {
  const { debt, charge } = pending;
  const now = deps.now();
  const lasting = error.kind === 'rejected' || error.kind === 'conflict';
  const waitMs = lasting ? REFUSED_RETRY_MS : Math.max(RETRY_MS, (error.retryAfterSeconds ?? 0) * 1000);
  await deps.db.tenant(debt.clientId).transactional(async (tx) => {
    const retryAt = new Date(now.getTime() + waitMs);
    const status = lasting ? 'REJECTED' : 'PENDING';
    await storeFailedRequest(tx, charge.id, { status, retryAt, lastAskedAt: now });
    const at = dateOf(pending, now.getTime());
    await recordProblem(tx, charge, PROBLEMS[error.kind] ?? 'provider_unavailable', at);
  });
}

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
  /**
   * The debt and its charges, for a caller who has just read them. Where one of them can be shown now, nothing is read
   * again; otherwise the debt only selects the account, and the rest is read again under its lock.
   */
  readonly known?: { readonly debt: DebtContext; readonly charges: readonly Charge[] };
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
const MAX_TRIES = 4;

/**
 * Returns the payable code of a debt, and makes a new one for its current row when there is none or the present one is
 * about to expire. The request to the provider is idempotent, because all of its values are stored before it is sent.
 * Returns null when the debt is not payable.
 */
export const findOrMakeCharge =
  (deps: PaymentDeps) =>
  async (request: ChargeRequest): Promise<LiveCharge | null> => {
    const db = deps.db.tenant(request.clientId);
    const known = request.known?.debt ?? (await db.transactional((tx) => loadDebt(tx, request.debtId)));
    if (known === null) return null;
    const account = await deps.accountFor(known);
    const { charges = [] } = request.known ?? {};
    const open = openCharge(owedNow(deps, known, request.at).total, charges, account, deps.now());
    if (open !== undefined) return liveOf(open);
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const prepared = await db.transactional((tx) => prepare(tx, deps, account, request));
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
  tx: Tx,
  deps: PaymentDeps,
  account: PaymentAccount,
  request: ChargeRequest,
): Promise<Prepared | 'made_meanwhile' | null> {
  const current = await currentRowOf(tx, request.debtId);
  const debt = current === undefined ? null : await loadDebt(tx, current, { forUpdate: true });
  if (debt === null || debt.status === 'PAID') return null;
  // An import has continued the debt meanwhile.
  if (debt.continuedBy !== null) return 'made_meanwhile';
  const charges = await chargesOfDebt(tx, debt.id);
  if (request.evenIfClosed !== true && !isPayable(debt.status)) return null;
  const now = deps.now();
  const owed = owedNow(deps, debt, request.at);
  const amountCentavos = owed.total;
  if (amountCentavos <= 0) return null;
  const live = openCharge(amountCentavos, charges, account, now);
  if (live !== undefined) return { debt, charge: live };

  // A payment that the client received elsewhere was never requested from a provider.
  const last = charges.find(({ provider: source }) => source !== 'outside');
  if (last !== undefined && last.providerPaymentId === null) {
    if (isMadeBy(last, account)) refuseTooEarly(last, now);
    const usable =
      last.status === 'PENDING' && fits(last, amountCentavos, account) && remainingMs(last, now) > LEAST_LIFE_MS;
    if (usable) return { debt, charge: last };
    if (!(await supersedeCharge(tx, last.id))) return 'made_meanwhile';
  }
  const charge = await insertCharge(tx, {
    id: randomUUID(),
    clientId: debt.clientId,
    debtId: debt.id,
    provider: account.provider.name,
    accountId: account.accountId,
    amountCentavos,
    askedOn: owed.on,
    askedFineCentavos: owed.fine,
    askedInterestCentavos: owed.interest,
    askedCorrectionCentavos: owed.correction,
    expiresAt: new Date(now.getTime() + CHARGE_LIFETIME_MS),
    createdAt: now,
  });
  const charged = minus(chargedSoFar([charge, ...charges]), chargedSoFar(charges));
  if (hasCharges(charged)) await countInCampaign(tx, debt, chargedCounts(charged));
  return { debt, charge };
}

const remainingMs = ({ expiresAt }: Charge, now: Date): number => expiresAt.getTime() - now.getTime();

/** A code of an account that was replaced can still be paid, but it is not shown any more. */
const fits = (charge: Charge, amountCentavos: number, account: PaymentAccount): boolean =>
  charge.amountCentavos === amountCentavos && isMadeBy(charge, account);

/** Returns the charge whose code may be shown now. */
const openCharge = (amountCentavos: number, charges: readonly Charge[], account: PaymentAccount, now: Date) =>
  charges.find(
    (charge) =>
      isOpen(charge) && fits(charge, amountCentavos, account) && remainingMs(charge, now) > LEAST_TIME_TO_PAY_MS,
  );

const isMadeBy = (charge: Charge, { provider, accountId }: PaymentAccount): boolean =>
  charge.provider === provider.name && charge.accountId === accountId;

/** Refuses a request before its retry moment, so that reloading the page does not flood a provider that is down. */
function refuseTooEarly({ retryAt }: Charge, now: Date): void {
  if (retryAt === null || retryAt <= now) return;
  const retryAfterSeconds = Math.ceil((retryAt.getTime() - now.getTime()) / 1000);
  throw new PaymentProviderError('retryable', 'The charge could not be made a moment ago.', { retryAfterSeconds });
}
