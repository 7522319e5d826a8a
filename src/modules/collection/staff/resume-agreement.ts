import { randomUUID } from 'node:crypto';
import { AppError } from '../../../kernel/errors.ts';
import { addRequestAudit, type RequestSource } from '../../accounts/queries/add-audit.ts';
import { updateAgreement } from '../../agreements/queries/agreements.ts';
import { dayOfAgreement } from '../../agreements/use-cases/read-agreements.ts';
import { closeInboxItems, openReasons } from '../../debts/queries/inbox-items.ts';
import { endRequests } from '../../debts/queries/person-requests.ts';
import type { InboxReason } from '../../debts/rules/inbox-reasons.ts';
import { loadDebt } from '../../debts/use-cases/debt-context.ts';
import { wakeAgreementsOf } from '../../debts/use-cases/inbox-items.ts';
import { recordEntries } from '../../debts/use-cases/record-entries.ts';
import { momentOfEvent, storeNote } from '../../debts/use-cases/write-note.ts';
import { lockAgreement } from '../../payments/use-cases/agreement-money.ts';
import type { CollectionDeps } from '../deps.ts';
import { requireReview } from './restart-debt.ts';

/** What the client decides about by resuming an agreement. */
const DECIDED: readonly InboxReason[] = ['agreement', 'disputed', 'hardship', 'human', 'negotiate', 'said_paid'];

/**
 * The client has decided about what had stopped the agreement of a debt, or what its person has asked for: it goes on, and
 * what is late is due again from today, and warned of before any breach. Returns false for a debt without an agreement.
 */
export const resumeAgreement =
  (deps: Pick<CollectionDeps, 'db' | 'now' | 'workflows'>) =>
  async (request: {
    readonly clientId: string;
    readonly debtId: string;
    readonly source: RequestSource;
    readonly reason?: string | null | undefined;
  }): Promise<boolean> => {
    const { clientId, debtId, source, reason } = request;
    return deps.db.tenant(clientId).transactional(async (tx) => {
      const seen = await loadDebt(tx, debtId);
      if (seen?.status !== 'AGREEMENT' || seen.agreed === null) return false;
      const locked = await lockAgreement(tx, seen.agreed.agreementId);
      const debt = await loadDebt(tx, debtId);
      if (locked === null || debt?.status !== 'AGREEMENT') return false;
      const { agreement, rows } = locked;
      const reasons = (await Promise.all(rows.map((row) => openReasons(tx, row.id)))).flat();
      const because = agreement.stoppedBecause ?? reasons.find((reason) => DECIDED.includes(reason)) ?? null;
      if (because === null && debt.requests.length === 0 && debt.saidPaidAt === null) {
        throw new AppError('debt_state', { detail: 'The agreement of this debt goes on already.' });
      }
      requireReview(
        { ...debt, status: agreement.stoppedBecause === 'dispute' ? 'DISPUTED' : debt.status },
        reasons,
        reason,
      );
      // A warning that went out before the agreement was stopped is none any more.
      const dueAgainOn = dayOfAgreement(agreement, deps.now().getTime());
      await updateAgreement(tx, agreement.id, { stoppedBecause: null, dueAgainOn });
      await endRequests(tx, debtId, [...debt.requests, 'said_paid']);
      const { id, protocol } = agreement;
      for (const row of rows) {
        const at = momentOfEvent(row, deps.now().getTime());
        await closeInboxItems(tx, row.id, DECIDED);
        await recordEntries(tx, row.id, at, [
          { kind: 'agreement_changed', agreementId: id, protocol, change: 'resumed' },
        ]);
      }
      const at = momentOfEvent(debt, deps.now().getTime());
      const noteId = reason == null || debt.erased ? null : randomUUID();
      if (noteId !== null && reason != null) {
        await storeNote(tx, debt, { id: noteId, text: reason, at });
        await recordEntries(tx, debtId, at, [{ kind: 'note', noteId }]);
      }
      const details = { agreementId: id, because, ...(noteId === null ? {} : { noteId }) };
      await addRequestAudit(tx, { clientId, source, action: 'agreement_resumed', target: debtId, details });
      // Other agreements of the person may have waited for the decision about a claim too.
      await wakeAgreementsOf(tx, deps.workflows, debt);
      return true;
    });
  };
