import { isCnpj } from '../../../kernel/tax-id.ts';
import type { ChargeProblem } from '../../debts/rules/timeline-entry.ts';
import { debtNow } from '../../debts/use-cases/clock.ts';
import { type DebtContext, lockDebts } from '../../debts/use-cases/debt-context.ts';
import { recordEntries } from '../../debts/use-cases/record-entries.ts';
import {
  brCodeOf,
  type CreatedCharge,
  type Payer,
  PaymentProviderError,
  type PaymentProviderErrorKind,
} from '../ports/payment-provider.ts';
import { type Charge, readCharge, storeFailedRequest, storeMadeCharge } from '../queries/charges.ts';
import { payableUntil } from '../rules/charge-lifetime.ts';
import { recordProblem } from './apply-report.ts';
import type { PaymentAccount, PaymentDeps } from './deps.ts';

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
      payable: payableUntil(charge),
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
  if (found === undefined) return null;
  const { providerPaymentId, instruments } = found;
  return { providerPaymentId, instruments, expiresAt: found.expiresAt ?? charge.expiresAt };
}

async function storeMade(deps: PaymentDeps, pending: PendingCharge, created: CreatedCharge): Promise<Charge> {
  const { debt, charge } = pending;
  return deps.db.tenant(debt.clientId).transactional(async (tx) => {
    await lockDebts(tx, [debt.id]);
    const { providerPaymentId, instruments, expiresAt } = created;
    const brCode = brCodeOf(instruments);
    const now = deps.now().getTime();
    const askAt = new Date(now + FIRST_ASK_MS);
    const stored = await storeMadeCharge(tx, charge.id, { providerPaymentId, brCode, expiresAt, askAt });
    if (stored === undefined) return (await readCharge(tx, charge.id)) ?? charge;
    // A charge that is still being registered is told once it can be paid.
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
    await lockDebts(tx, [debt.id]);
    const retryAt = new Date(now.getTime() + waitMs);
    const status = lasting ? 'REJECTED' : 'PENDING';
    await storeFailedRequest(tx, charge.id, { status, retryAt, lastAskedAt: now });
    const at = dateOf(pending, now.getTime());
    await recordProblem(tx, charge, PROBLEMS[error.kind] ?? 'provider_unavailable', at);
  });
}
