import { AppError } from '../../../kernel/errors.ts';
import { addOutbox } from '../../../platform/database/add-outbox.ts';
import { addRequestAudit, type RequestSource } from '../../accounts/queries/add-audit.ts';
import { readAgreement } from '../../agreements/queries/agreements.ts';
import { type AgreementView, agreementView, momentOfAgreement } from '../../agreements/use-cases/read-agreements.ts';
import { endAgreement, lockAgreement } from './agreement-money.ts';
import type { PaymentDeps } from './deps.ts';

export interface Cancellation {
  readonly clientId: string;
  readonly agreementId: string;
  /** Why, in the words of the client's staff. */
  readonly reason: string;
  readonly source: RequestSource;
}

/** The client undoes an active agreement: discount and dates fall away, and what was paid is credited as it came. */
export const cancelAgreement =
  (deps: Pick<PaymentDeps, 'db' | 'now' | 'policy' | 'receipts' | 'workflows' | 'receiptLinks'>) =>
  async ({ clientId, agreementId, reason, source }: Cancellation): Promise<AgreementView> =>
    deps.db.tenant(clientId).transactional(async (tx) => {
      const locked = await lockAgreement(tx, agreementId);
      if (locked === null) throw new AppError('not_found');
      const { agreement } = locked;
      if (agreement.status !== 'ACTIVE') {
        throw new AppError('debt_state', { detail: `An agreement in status ${agreement.status} cannot be cancelled.` });
      }
      const momentOf = () => momentOfAgreement(agreement, deps.now().getTime());
      await endAgreement({ tx, deps, momentOf }, locked, 'cancelled', { cancelReason: reason });
      const details = { protocol: agreement.protocol };
      await addRequestAudit(tx, { clientId, source, action: 'agreement_cancelled', target: agreementId, details });
      // Its workflow cancels the codes and ends.
      await addOutbox(tx, deps.workflows.wakeAgreement(agreement, 'paymentNoticed'));
      return agreementView(deps, (await readAgreement(tx, agreementId)) ?? agreement);
    });
