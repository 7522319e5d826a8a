import { runInTransaction } from '../../db/statement.ts';
import {
  type CreatedCharge,
  PaymentProviderError,
  type PaymentProviderErrorKind,
} from '../../ports/payment-provider.ts';
import { debtNow } from '../collection/clock.ts';
import type { DebtContext } from '../collection/debt-context.ts';
import { recordEvents } from '../timeline.ts';
import { type Charge, chargesOf, recordProblem } from './charges.ts';
import type { PaymentAccount, PaymentDeps } from './deps.ts';

/** After a failure that may pass; a provider that names its own wait gets that. */
const RETRY_MS = 30_000;
/** What will never be taken is not asked for on every look at the page; an operator may have mended it since. */
const REFUSED_RETRY_MS = 60 * 60_000;
/** Without a notification the provider is first asked so long after. */
const FIRST_ASK_MS = 2 * 60_000;

/** A charge that is written down, and what it is for. */
export interface Making {
  readonly debt: DebtContext;
  readonly charge: Charge;
  readonly at?: number | undefined;
}

/** On the debt's timeline: by its clock, where nobody names the moment. */
const dateOf = ({ debt, at }: Making, now: number): number => at ?? debtNow(debt.clockOffsetMs, now);

/** The provider is asked with the charge's own id as key and as reference: the same question however often. */
export async function makeCharge(deps: PaymentDeps, making: Making, account: PaymentAccount): Promise<Charge> {
  const { debt, charge } = making;
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
    return await keep(deps, making, created);
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error;
    const adopted = error.kind === 'conflict' ? await findMade(charge, account) : null;
    if (adopted !== null) return keep(deps, making, adopted);
    await noteFailure(deps, making, error);
    throw error;
  }
}

export const notificationUrl = (publicUrl: string, clientId: string): string =>
  `${publicUrl}/api/payments/webhook?account=${clientId}&source_news=webhooks`;

function payerOf({ debtorName, debtorCpf }: DebtContext) {
  const [firstName = debtorName, ...rest] = debtorName.trim().split(/\s+/);
  return { firstName, lastName: rest.join(' '), cpf: debtorCpf };
}

/** The key was used with other words (a client that was renamed meanwhile): the charge itself is there. */
async function findMade(charge: Charge, { provider, credentials }: PaymentAccount): Promise<CreatedCharge | null> {
  const found = (await provider.searchByExternalReference(charge.id, credentials)).find(
    (one) => one.status === 'PENDING' && one.amountCentavos === charge.amountCentavos && one.currency === 'BRL',
  );
  if (found === undefined || found.brCode === null) return null;
  const { providerPaymentId, brCode } = found;
  return { providerPaymentId, brCode, expiresAt: found.expiresAt ?? charge.expiresAt };
}

const KEEP = `
  update charges set provider_payment_id = $2, provider_payment_key = lower($2), br_code = $3, expires_at = $4,
    ask_at = $5, problem = null, retry_at = null, updated_at = now()
  where id = $1 and provider_payment_id is null returning id`;

async function keep(deps: PaymentDeps, making: Making, created: CreatedCharge): Promise<Charge> {
  const { debt, charge } = making;
  return deps.db.tenant(debt.clientId).transactional(async (em) => {
    const { providerPaymentId, brCode, expiresAt } = created;
    const now = deps.now().getTime();
    const askAt = new Date(now + FIRST_ASK_MS);
    const kept = await runInTransaction(em, KEEP, [charge.id, providerPaymentId, brCode, expiresAt, askAt]);
    if (kept.length > 0) {
      const at = dateOf(making, now);
      await recordEvents(em, debt.id, at, [{ kind: 'charge_created', data: { paymentId: charge.id } }]);
    }
    const stored = (await chargesOf(em, debt.id)).find(({ id }) => id === charge.id);
    return stored ?? charge;
  });
}

const PROBLEMS: Partial<Record<PaymentProviderErrorKind, string>> = {
  unauthorized: 'provider_unauthorized',
  rejected: 'charge_refused',
  conflict: 'charge_refused',
};
const FAILED = `
  update charges set status = $2, retry_at = $3, last_asked_at = $4, updated_at = now()
  where id = $1 and provider_payment_id is null`;

async function noteFailure(deps: PaymentDeps, making: Making, error: PaymentProviderError): Promise<void> {
  const { debt, charge } = making;
  const now = deps.now();
  const lasting = error.kind === 'rejected' || error.kind === 'conflict';
  const waitMs = lasting ? REFUSED_RETRY_MS : Math.max(RETRY_MS, (error.retryAfterSeconds ?? 0) * 1000);
  await deps.db.tenant(debt.clientId).transactional(async (em) => {
    const retryAt = new Date(now.getTime() + waitMs);
    await runInTransaction(em, FAILED, [charge.id, lasting ? 'REJECTED' : 'PENDING', retryAt, now]);
    const at = dateOf(making, now.getTime());
    await recordProblem(em, charge, PROBLEMS[error.kind] ?? 'provider_unavailable', at);
  });
}
