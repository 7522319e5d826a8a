import { randomUUID } from 'node:crypto';
import type { LocalDate } from '../../../kernel/calendar.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { readAgreement } from '../../agreements/queries/agreements.ts';
import { agreedRest, instalmentStates } from '../../agreements/rules/agreement-state.ts';
import { countInCampaign } from '../../debts/use-cases/campaign-day.ts';
import { debtNow } from '../../debts/use-cases/clock.ts';
import { currentRowOf, type DebtContext, loadDebt } from '../../debts/use-cases/debt-context.ts';
import { debtorDay, owedNow } from '../../debts/use-cases/owed.ts';
import { PaymentProviderError } from '../ports/payment-provider.ts';
import { type Charge, chargesOfDebt, insertCharge, supersedeCharge } from '../queries/charges.ts';
import { chargesOfAgreement } from '../queries/charges-of-agreements.ts';
import {
  CHARGE_LIFETIME_MS,
  endOfDueCode,
  LEAST_TIME_TO_PAY_MS,
  SHORTEST_CHARGE_LIFETIME_MS,
} from '../rules/charge-lifetime.ts';
import { type AskedParts, chargedCounts, chargedSoFar, hasCharges, minus } from '../rules/credited-parts.ts';
import { cancelCharge } from './cancel-charges.ts';
import type { PaymentAccount, PaymentDeps } from './deps.ts';
import { agreementOfDebt, isOpen, isPayable, isUnwanted } from './payable.ts';
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
  /**
   * The debt and its charges, for a caller who has just read them. Where one of them can be shown now, nothing is read
   * again; otherwise the debt only selects the account, and the rest is read again under its lock.
   */
  readonly known?: { readonly debt: DebtContext; readonly charges: readonly Charge[] };
  /** Of a debt that has an agreement: the instalment that is due next, or all that is open of the agreement. */
  readonly ofAgreement?: 'next' | 'rest';
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
 * about to expire. Of a debt that has an agreement it is the code of the agreement. The request to the provider is
 * idempotent, because all of its values are stored before it is sent. Returns null when the debt is not payable.
 */
export const findOrMakeCharge =
  (deps: PaymentDeps) =>
  async (request: ChargeRequest): Promise<LiveCharge | null> => {
    const db = deps.db.tenant(request.clientId);
    const known = request.known?.debt ?? (await db.transactional((tx) => loadDebt(tx, request.debtId)));
    if (known === null) return null;
    const account = await deps.accountFor(known);
    const { charges = [] } = request.known ?? {};
    const asked = { amountCentavos: owedNow(deps, known, request.at).total, instalment: null };
    const open = known.status === 'AGREEMENT' ? undefined : openCharge(asked, charges, account, deps.now());
    if (open !== undefined) return liveOf(open);
    let debtId = request.debtId;
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const prepared = await db.transactional((tx) => prepare(tx, deps, account, { ...request, debtId }));
      if (prepared === null) return null;
      if (prepared === 'made_meanwhile') continue;
      if ('codesOn' in prepared) {
        debtId = prepared.codesOn;
        continue;
      }
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

/** What a code asks for, and the codes among which one that asks for the same may be found. */
interface Asked {
  readonly debt: DebtContext;
  readonly charges: readonly Charge[];
  /** The day on which the instalment is due; null for what is owed already. */
  readonly dueDate: LocalDate | null;
  readonly values: Pick<Charge, 'amountCentavos' | 'instalment'> &
    AskedParts & { readonly agreementId: string | null; readonly askedOn: LocalDate | null };
}

const NO_PARTS = { askedFineCentavos: 0, askedInterestCentavos: 0, askedCorrectionCentavos: 0 };

async function askedOfDebt(tx: Tx, deps: PaymentDeps, debt: DebtContext, at: number | undefined): Promise<Asked> {
  const { total, on, fine, interest, correction } = owedNow(deps, debt, at);
  return {
    debt,
    charges: await chargesOfDebt(tx, debt.id),
    dueDate: null,
    values: {
      agreementId: null,
      instalment: null,
      amountCentavos: total,
      askedOn: on,
      askedFineCentavos: fine,
      askedInterestCentavos: interest,
      askedCorrectionCentavos: correction,
    },
  };
}

/** The codes of an agreement stand on the first of its debts, and ask for an instalment or for the whole rest. */
async function askedOfAgreement(tx: Tx, agreementId: string, what: 'next' | 'rest'): Promise<Asked | null> {
  const agreement = await readAgreement(tx, agreementId);
  const debt = agreement === undefined ? null : await loadDebt(tx, agreement.debtId);
  if (agreement === undefined || debt === null || agreement.status !== 'ACTIVE') return null;
  const open = instalmentStates(agreement, agreement.agreedOn).filter(({ openCentavos }) => openCentavos > 0);
  const [next] = open;
  if (next === undefined) return null;
  const isRest = what === 'rest' && open.length > 1;
  const values = isRest
    ? { instalment: null, amountCentavos: agreedRest(agreement) }
    : { instalment: next.number, amountCentavos: next.openCentavos };
  return {
    debt,
    charges: await chargesOfAgreement(tx, agreementId),
    dueDate: isRest ? null : next.dueDate,
    values: { ...values, ...NO_PARTS, agreementId, askedOn: null },
  };
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
): Promise<Prepared | 'made_meanwhile' | { readonly codesOn: string } | null> {
  const current = await currentRowOf(tx, request.debtId);
  const locked = current === undefined ? null : await loadDebt(tx, current, { forUpdate: true });
  if (locked === null || locked.status === 'PAID') return null;
  // An import has continued the debt meanwhile.
  if (locked.continuedBy !== null) return 'made_meanwhile';
  if (request.evenIfClosed !== true && !isPayable(locked.status)) return null;
  const { ofAgreement = 'next' } = request;
  const agreementId = agreementOfDebt(locked);
  const asked =
    agreementId === null
      ? await askedOfDebt(tx, deps, locked, request.at)
      : await askedOfAgreement(tx, agreementId, ofAgreement);
  if (asked === null || asked.values.amountCentavos <= 0) return null;
  const { debt, charges, dueDate, values } = asked;
  // Only that debt's lock keeps two debts of the agreement from making the same code twice.
  if (debt.id !== locked.id) return { codesOn: debt.id };
  const now = deps.now();
  const live = openCharge(values, charges, account, now);
  if (live !== undefined) return { debt, charge: live };

  const last = charges.find((one) => isRequested(one) && one.instalment === values.instalment);
  if (last !== undefined && last.providerPaymentId === null) {
    if (isMadeBy(last, account)) refuseTooEarly(last, now);
    const usable = last.status === 'PENDING' && fits(last, values, account) && remainingMs(last, now) > LEAST_LIFE_MS;
    if (usable) return { debt, charge: last };
    if (!(await supersedeCharge(tx, last.id))) return 'made_meanwhile';
  }
  const today = debtorDay(debt, debtNow(debt.clockOffsetMs, now.getTime()));
  const dueOn = dueDate !== null && dueDate >= today && makesDueCodes(account) ? dueDate : null;
  const charge = await insertCharge(tx, {
    ...values,
    dueOn,
    id: randomUUID(),
    clientId: debt.clientId,
    debtId: debt.id,
    provider: account.provider.name,
    accountId: account.accountId,
    expiresAt: dueOn === null ? new Date(now.getTime() + CHARGE_LIFETIME_MS) : endOfDueCode(dueOn),
    createdAt: now,
  });
  const charged = minus(chargedSoFar([charge, ...charges]), chargedSoFar(charges));
  if (hasCharges(charged)) await countInCampaign(tx, debt, chargedCounts(charged));
  return { debt, charge };
}

/** What the client received elsewhere, and what a debt gets of an agreement, was never requested from a provider. */
const isRequested = ({ provider }: Charge): boolean => provider !== 'outside' && provider !== 'agreement';

const remainingMs = ({ expiresAt }: Charge, now: Date): number => expiresAt.getTime() - now.getTime();

/** A code of an account that was replaced can still be paid, but it is not shown any more. */
const fits = (
  charge: Charge,
  { amountCentavos, instalment }: Pick<Charge, 'amountCentavos' | 'instalment'>,
  account: PaymentAccount,
): boolean => charge.amountCentavos === amountCentavos && charge.instalment === instalment && isMadeBy(charge, account);

/** Returns the charge whose code may be shown now. */
const openCharge = (
  asked: Pick<Charge, 'amountCentavos' | 'instalment'>,
  charges: readonly Charge[],
  account: PaymentAccount,
  now: Date,
) =>
  charges.find(
    (charge) => isOpen(charge) && fits(charge, asked, account) && remainingMs(charge, now) > LEAST_TIME_TO_PAY_MS,
  );

const makesDueCodes = ({ provider, credentials }: PaymentAccount): boolean =>
  provider.capabilities(credentials).instruments.includes('pix_due');

const isMadeBy = (charge: Charge, { provider, accountId }: PaymentAccount): boolean =>
  charge.provider === provider.name && charge.accountId === accountId;

/** Refuses a request before its retry moment, so that reloading the page does not flood a provider that is down. */
function refuseTooEarly({ retryAt }: Charge, now: Date): void {
  if (retryAt === null || retryAt <= now) return;
  const retryAfterSeconds = Math.ceil((retryAt.getTime() - now.getTime()) / 1000);
  throw new PaymentProviderError('retryable', 'The charge could not be made a moment ago.', { retryAfterSeconds });
}
