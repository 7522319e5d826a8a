import type { PaymentDeps } from './deps.ts';
import type { LiveCharge } from './find-or-make-charge.ts';

export interface AgreementCodeRequest {
  readonly clientId: string;
  readonly agreementId: string;
  /** The code of the next open instalment, or of everything that is still to be paid. */
  readonly what: 'next' | 'rest';
}

/** Returns the payable code of an agreement, or null when nothing of it is to be paid. */
export const findOrMakeAgreementCode =
  (_deps: PaymentDeps) =>
  async (_request: AgreementCodeRequest): Promise<LiveCharge | null> =>
    null;
