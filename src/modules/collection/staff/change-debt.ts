import { randomUUID } from 'node:crypto';
import { nextDebtStatus } from '../../../kernel/debt-status.ts';
import { AppError } from '../../../kernel/errors.ts';
import { addOutbox } from '../../../platform/database/add-outbox.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { addRequestAudit, type RequestSource } from '../../accounts/queries/add-audit.ts';
import { lockCampaign, runCampaignAgain } from '../../debts/queries/campaign-changes.ts';
import { openReasons } from '../../debts/queries/inbox-items.ts';
import { endRequests } from '../../debts/queries/person-requests.ts';
import type { InboxReason } from '../../debts/rules/inbox-reasons.ts';
import { reasonOfRequest } from '../../debts/rules/person-requests.ts';
import { type DebtContext, loadDebt, lockRowsOfDebt, rowsOfDebt } from '../../debts/use-cases/debt-context.ts';
import { endItemsOfStopped, filesSeen, wakeAgreementsOf } from '../../debts/use-cases/inbox-items.ts';
import { moveDebt } from '../../debts/use-cases/move-debt.ts';
import { moveOtherRows } from '../../debts/use-cases/move-other-rows.ts';
import { recordEntries } from '../../debts/use-cases/record-entries.ts';
import { momentOfEvent, storeNote } from '../../debts/use-cases/write-note.ts';
import type { CollectionDeps } from '../deps.ts';
import { sequenceOf } from '../gate/ask-policy.ts';
import { holdForPerson } from '../gate/hold-debt.ts';
import { setStepBack } from '../queries/contact-gate.ts';
import { beginAgain, hasEnded, requireRestartable, requireReview } from './restart-debt.ts';
import { resumeAgreement } from './resume-agreement.ts';
import { giveBack } from './staff-conversation.ts';

interface DebtRequest {
  readonly clientId: string;
  readonly debtId: string;
  readonly source: RequestSource;
  /** Why, in the words of the client's staff: for a resumed debt, what was checked. */
  readonly reason?: string | null | undefined;
}

interface Before {
  readonly at: number;
  /** The reasons for which the debt stood in the inbox. */
  readonly reasons: readonly InboxReason[];
}

interface Change {
  readonly transition: 'resumed' | 'withdrawn';
  /** Refuses what the status alone does not. */
  readonly check: (tx: Tx, debt: DebtContext, request: DebtRequest, before: Before) => Promise<void>;
  readonly also: (tx: Tx, debt: DebtContext, before: Before) => Promise<void>;
}

const change =
  (deps: CollectionDeps, { transition, check, also }: Change) =>
  async (request: DebtRequest): Promise<void> => {
    const { clientId, debtId, source, reason } = request;
    await deps.db.tenant(clientId).transactional(async (tx) => {
      // A payment locks the rows in the same order, so that the two do not deadlock.
      await lockRowsOfDebt(tx, debtId);
      const debt = await loadDebt(tx, debtId);
      if (debt === null) throw new AppError('not_found');
      // A campaign is completed under the same lock, so that a completed campaign has no live debt.
      await lockCampaign(tx, debt.campaignId);
      const at = momentOfEvent(debt, deps.now().getTime());
      const reasons = await openReasons(tx, debtId);
      await check(tx, debt, request, { at, reasons });
      // Nothing that may name a person is stored with a debt whose debtor was erased.
      const noteId = reason == null || debt.erased ? null : randomUUID();
      const because = noteId === null ? null : { noteId };
      // The chain of evidence takes the words of an entry when it is written.
      if (noteId !== null && reason != null) await storeNote(tx, debt, { id: noteId, text: reason, at });
      const moved = await moveDebt(tx, deps.workflows, debtId, transition, at, { caller: source.by, ...because });
      // A withdrawn debt may still wait for the staff, as after a part of it was paid: this is their decision.
      const isDecided = moved === null && transition === 'withdrawn' && (await endItemsOfStopped(tx, debt));
      if (moved === null && !isDecided) {
        throw new AppError('debt_state', { detail: `A debt in status ${debt.status} does not allow this change.` });
      }
      // No change of status stands on the timeline, so the reason stands there as a note.
      if (moved === null && noteId !== null) await recordEntries(tx, debtId, at, [{ kind: 'note', noteId }]);
      await filesSeen(tx, debtId);
      await also(tx, debt, { at, reasons });
      const details = { from: debt.status, ...because };
      await addRequestAudit(tx, { clientId, source, action: `debt_${transition}`, target: debtId, details });
      // A debt of a draft campaign has no workflow yet, so there is nothing to wake.
      if (debt.campaignStatus !== 'DRAFT')
        await addOutbox(tx, deps.workflows.wakeDebt(debt, 'stateChanged', transition));
    });
  };

const refuse = (detail: string): AppError => new AppError('debt_state', { detail });

/**
 * The client has decided about a dispute, a hold or a stopped agreement, and collection continues at the next moment that
 * the gate allows; or begins a new sequence for a debt that has ended without a payment.
 */
export const resumeDebt = (deps: CollectionDeps) => {
  const ofAgreement = resumeAgreement(deps);
  const resume = resumeCollection(deps);
  return async (request: DebtRequest): Promise<void> => {
    if (!(await ofAgreement(request))) await resume(request);
  };
};

const resumeCollection = (deps: CollectionDeps) =>
  change(deps, {
    transition: 'resumed',
    check: async (tx, debt, { reason }, { at, reasons }) => {
      if (debt.continuedBy !== null) throw refuse(`This debt was imported again: resume ${debt.continuedBy}.`);
      if (nextDebtStatus(debt.status, 'resumed') === null) return;
      if (debt.campaignStatus === 'ARCHIVED') throw refuse('The campaign of this debt is archived.');
      if (debt.campaignStatus === 'DRAFT') throw refuse('The campaign of this debt is not launched.');
      if (hasEnded(debt)) await requireRestartable(tx, deps, debt, at);
      else requireReview(debt, reasons, reason);
    },
    also: async (tx, debt, { at, reasons }) => {
      await giveBack(tx, deps, debt);
      await runCampaignAgain(tx, debt.campaignId);
      // The client asks for more although the sequence is used up, so its last step is made once more.
      const { steps } = sequenceOf(debt, deps.policy);
      if (hasEnded(debt)) await beginAgain(tx, debt, at);
      else if (debt.step >= steps.length) await setStepBack(tx, debt.id, { ...debt, step: steps.length - 1 }, null);
      // The client has decided what this debt stood in the inbox for, for the person. What the person has asked for about
      // another debt still waits for a decision, and holds this debt too.
      const left = debt.requests.filter((request) => !reasons.includes(reasonOfRequest(request)));
      await endRequests(
        tx,
        debt.id,
        debt.requests.filter((request) => !left.includes(request)),
      );
      if (left.length < debt.requests.length) await wakeAgreementsOf(tx, deps.workflows, debt);
      if (left.length > 0) await holdForPerson(tx, deps, debt, { requests: left, at });
    },
  });

/** The client no longer wants the debt to be collected. */
export const withdrawDebt = (deps: CollectionDeps) =>
  change(deps, {
    transition: 'withdrawn',
    // An earlier row of a debt that was imported again is the same debt.
    check: async (tx, debt) => {
      if (debt.continuedBy === null) return;
      const rows = await rowsOfDebt(tx, debt.id);
      if (rows.some(({ status }) => status === 'AGREEMENT'))
        throw refuse('This debt is in an agreement: cancel it first.');
    },
    also: async (tx, debt) => {
      const otherRows = (await rowsOfDebt(tx, debt.id)).filter(({ id }) => id !== debt.id);
      await moveOtherRows(tx, deps, otherRows, 'withdrawn', 'stateChanged');
    },
  });
