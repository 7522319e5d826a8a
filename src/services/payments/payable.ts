import type { Charge } from '../../db/queries/charges.ts';
import { keptCentavos } from '../../domain/debt-payments.ts';
import type { DebtStatus } from '../../domain/debt-status.ts';
import type { PaymentProviderName } from '../../domain/payment-providers.ts';

/** In these statuses an underpaid debt waits until the client decides how to continue. */
const WAITS_FOR_CLIENT: readonly DebtStatus[] = ['ON_HOLD', 'DISPUTED', 'OPTED_OUT'];

type Underpaid = Pick<Charge, 'underpaidAt' | 'paidCentavos' | 'refundedCentavos' | 'chargedBackAt'>;

export const awaitsDecision = (status: DebtStatus, charges: readonly Pick<Charge, 'underpaidAt'>[]): boolean =>
  WAITS_FOR_CLIENT.includes(status) && charges.some((charge) => charge.underpaidAt !== null);

/** A charge that a provider has made. */
export type MadeCharge = Charge & { readonly provider: PaymentProviderName; readonly providerPaymentId: string };

/** Whether the provider has made the charge, and it can still be paid. */
export const canBePaid = (charge: Charge): charge is MadeCharge =>
  charge.status === 'PENDING' && charge.providerPaymentId !== null && charge.underpaidAt === null;

/** Whether debtors may be shown the code of the charge. */
export const isOpen = (charge: Charge): boolean => canBePaid(charge) && charge.supersededAt === null;

/** Whether the code has to be cancelled at the provider although its debt is still to be paid. */
export const isUnwanted = (charge: Charge): charge is MadeCharge => canBePaid(charge) && charge.supersededAt !== null;

/**
 * Whether the page shows a code. It does also after an opt-out or a dispute, because the debtor may still want to pay.
 */
export const isPayable = (status: DebtStatus, charges: readonly Pick<Charge, 'underpaidAt'>[]): boolean =>
  status !== 'PAID' && status !== 'STOPPED' && !awaitsDecision(status, charges);

/** Subtracts partial payments, so that nobody is asked twice for the same money. */
export const openCentavos = (amountCentavos: number, charges: readonly Underpaid[]): number =>
  amountCentavos - underpaidCentavos(charges);

export const underpaidCentavos = (charges: readonly Underpaid[]): number =>
  charges
    .filter((charge) => charge.underpaidAt !== null)
    .reduce((sum, charge) => sum + keptCentavos({ ...charge, chargedBack: charge.chargedBackAt !== null }), 0);
