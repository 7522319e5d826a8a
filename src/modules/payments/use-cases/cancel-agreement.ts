import { AppError } from '../../../kernel/errors.ts';
import { addRequestAudit, type RequestSource } from '../../accounts/queries/add-audit.ts';
import { readAgreement, setAgreementOfDebts, updateAgreement } from '../../agreements/queries/agreements.ts';
import { type AgreementView, agreementView } from '../../agreements/use-cases/read-agreements.ts';
import { loadDebt } from '../../debts/use-cases/debt-context.ts';
import { moveDebt } from '../../debts/use-cases/move-debt.ts';
import { recordEntries } from '../../debts/use-cases/record-entries.ts';
import { momentOfEvent } from '../../debts/use-cases/write-note.ts';
import type { PaymentDeps } from './deps.ts';

/** Cancels an agreement, as the client's staff ask: its debts are owed as if there had been none. */
export const cancelAgreement =
  (deps: Pick<PaymentDeps, 'db' | 'now' | 'workflows' | 'receiptLinks'>) =>
  async (request: {
    readonly clientId: string;
    readonly agreementId: string;
    readonly reason: string;
    readonly source: RequestSource;
  }): Promise<AgreementView> =>
    deps.db.tenant(request.clientId).transactional(async (tx) => {
      const { clientId, agreementId, reason, source } = request;
      const agreement = await readAgreement(tx, agreementId);
      if (agreement === undefined) throw new AppError('not_found');
      if (agreement.status !== 'ACTIVE') {
        throw new AppError('debt_state', { detail: `The agreement is ${agreement.status} and cannot be cancelled.` });
      }
      const { protocol } = agreement;
      const debtIds = agreement.debts.map(({ debtId }) => debtId);
      await setAgreementOfDebts(tx, debtIds, null);
      for (const debtId of debtIds) {
        const debt = (await loadDebt(tx, debtId, { forUpdate: true }))!;
        const at = momentOfEvent(debt, deps.now().getTime());
        await recordEntries(tx, debtId, at, [
          { kind: 'agreement_changed', agreementId, protocol, change: 'cancelled' },
        ]);
        await moveDebt(tx, deps.workflows, debtId, 'agreement_ended', at, { caller: source.by });
      }
      await updateAgreement(tx, agreementId, {
        status: 'CANCELLED',
        endedAt: deps.now(),
        cancelReason: reason,
        nextAt: null,
        stoppedBecause: null,
      });
      await addRequestAudit(tx, { clientId, source, action: 'agreement_cancelled', target: agreementId });
      return agreementView(deps, (await readAgreement(tx, agreementId))!);
    });
