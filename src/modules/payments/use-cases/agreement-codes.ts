import { readAgreement } from '../../agreements/queries/agreements.ts';
import type { PaymentDeps } from './deps.ts';
import { findOrMakeCharge, type LiveCharge } from './find-or-make-charge.ts';

export interface AgreementCodeRequest {
  readonly clientId: string;
  readonly agreementId: string;
  /** The instalment that is due next, or all that is open of the agreement. */
  readonly what: 'next' | 'rest';
}

/** Returns the code of an agreement that can be paid now; null when nothing of it is to be paid any more. */
export const findOrMakeAgreementCode =
  (deps: PaymentDeps) =>
  async ({ clientId, agreementId, what }: AgreementCodeRequest): Promise<LiveCharge | null> => {
    const agreement = await deps.db.tenant(clientId).transactional((tx) => readAgreement(tx, agreementId));
    if (agreement === undefined || agreement.status !== 'ACTIVE') return null;
    return findOrMakeCharge(deps)({ clientId, debtId: agreement.debtId, ofAgreement: what });
  };
