import { randomUUID } from 'node:crypto';
import { AppError } from '../../../kernel/errors.ts';
import { addRequestAudit, type RequestSource } from '../../accounts/queries/add-audit.ts';
import { loadDebt } from '../../debts/use-cases/debt-context.ts';
import { addNote, momentOfEvent } from '../../debts/use-cases/write-note.ts';
import type { SharedDeps } from '../../deps.ts';
import { readAgreement } from '../queries/agreements.ts';
import { type AcceptDeps, acceptOffer } from './accept-offer.ts';
import { debtOfOffer } from './debt-of-offer.ts';
import { type AgreementView, agreementView } from './read-agreements.ts';

/** Records that the debtor has accepted an offer elsewhere, for example by phone, as the client's staff say. */
export const recordAcceptance =
  (deps: AcceptDeps & Pick<SharedDeps, 'receiptLinks'>) =>
  async (request: {
    readonly clientId: string;
    readonly debtId: string;
    readonly offerId: string;
    /** What the staff write about it. */
    readonly note: string | null;
    readonly source: RequestSource;
  }): Promise<AgreementView> =>
    deps.db.tenant(request.clientId).transactional(async (tx) => {
      const { clientId, debtId, offerId, note, source } = request;
      const accepted = await acceptOffer(tx, deps, { clientId, debtId, offer: { id: offerId }, by: 'staff', in: null });
      const debt = (await loadDebt(tx, debtId))!;
      if (accepted.kind !== 'accepted') {
        await debtOfOffer(tx, debt, offerId);
        throw new AppError('offer_ended');
      }
      const { agreementId } = accepted;
      if (note !== null) {
        await addNote(tx, debt, { id: randomUUID(), text: note, at: momentOfEvent(debt, deps.now().getTime()) });
      }
      const details = { agreementId, offerId };
      await addRequestAudit(tx, { clientId, source, action: 'agreement_accepted', target: debtId, details });
      return agreementView(deps, (await readAgreement(tx, agreementId))!);
    });
