import type { DebtStatus } from '../../../kernel/debt-status.ts';
import type { PaymentProviderName } from '../../../kernel/payment-providers.ts';
import type { DebtContext } from '../../debts/use-cases/debt-context.ts';
import type { Charge } from '../queries/charges.ts';

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
 * Whether the page shows a code. It does also after an opt-out or a dispute, because the debtor may still want to pay, and
 * after a part was paid, for the rest.
 */
export const isPayable = (status: DebtStatus): boolean => status !== 'PAID' && status !== 'STOPPED';

/** The agreement that decides how a debt is paid now; null for a debt that is paid by itself. */
export const agreementOfDebt = ({ status, agreed }: Pick<DebtContext, 'status' | 'agreed'>): string | null =>
  status === 'AGREEMENT' ? (agreed?.agreementId ?? null) : null;
