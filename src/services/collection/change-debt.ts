import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { addRequestAudit, type RequestSource } from '../../db/add-audit.ts';
import { addOutbox } from '../../db/add-outbox.ts';
import { lockCampaign } from '../../db/queries/campaign-changes.ts';
import { setStepBack } from '../../db/queries/contact-gate.ts';
import { runCampaignAgain } from '../../db/queries/contact-plan.ts';
import { AppError } from '../../domain/errors.ts';
import { type DebtContext, loadDebt, lockRowsOfDebt, rowsOfDebt } from '../debts/debt-context.ts';
import { filesSeen } from '../debts/inbox-items.ts';
import { moveDebt } from '../debts/move-debt.ts';
import { moveOtherRows } from '../debts/move-other-rows.ts';
import { momentOfEvent, storeNote } from '../debts/write-note.ts';
import type { CollectionDeps } from './deps.ts';
import { sequenceOf } from './sequence-of.ts';
import { giveBack } from './staff-conversation.ts';

interface DebtRequest {
  readonly clientId: string;
  readonly debtId: string;
  readonly source: RequestSource;
  /** Why, in the words of the client's staff. */
  readonly reason?: string | null | undefined;
}

const change =
  (
    deps: CollectionDeps,
    event: 'resumed' | 'withdrawn',
    also: (em: EntityManager, debt: DebtContext) => Promise<void>,
  ) =>
  async ({ clientId, debtId, source, reason }: DebtRequest): Promise<void> => {
    await deps.db.tenant(clientId).transactional(async (em) => {
      // A payment locks the rows in the same order, so that the two do not deadlock.
      await lockRowsOfDebt(em, debtId);
      const debt = await loadDebt(em, debtId);
      if (debt === null) throw new AppError('not_found');
      // A campaign is completed under the same lock, so that a completed campaign has no live debt.
      await lockCampaign(em, debt.campaignId);
      const at = momentOfEvent(debt, deps.now().getTime());
      // Nothing that may name a person is stored with a debt whose debtor was erased.
      const noteId = reason == null || debt.erased ? null : randomUUID();
      const because: Readonly<Record<string, string>> = noteId === null ? {} : { noteId };
      const moved = await moveDebt(em, deps.workflows, debtId, event, at, because);
      if (moved === null) {
        throw new AppError('debt_state', { detail: `A debt in status ${debt.status} does not allow this change.` });
      }
      if (noteId !== null && reason != null) await storeNote(em, debt, { id: noteId, text: reason, at });
      await filesSeen(em, debtId);
      await also(em, debt);
      const details = { from: debt.status };
      await addRequestAudit(em, { clientId, source, action: `debt_${event}`, target: debtId, details });
      // A debt of a draft campaign has no workflow yet, so there is nothing to wake.
      if (debt.campaignStatus !== 'DRAFT') await addOutbox(em, deps.workflows.wakeDebt(debt, 'stateChanged'));
    });
  };

/** The client has decided about a dispute or a hold: collection continues at the next moment that the gate allows. */
export const resumeDebt = (deps: CollectionDeps) =>
  change(deps, 'resumed', async (em, debt) => {
    if (debt.campaignStatus === 'ARCHIVED')
      throw new AppError('debt_state', { detail: 'The campaign of this debt is archived.' });
    if (debt.campaignStatus === 'DRAFT')
      throw new AppError('debt_state', { detail: 'The campaign of this debt is not launched.' });
    await giveBack(em, deps, debt);
    await runCampaignAgain(em, debt.campaignId);
    // The client asks for more although the sequence is used up, so its last step is made once more.
    const { steps } = sequenceOf(debt, deps.policy);
    if (debt.step >= steps.length) await setStepBack(em, debt.id, steps.length - 1, null);
  });

/** The client no longer wants the debt to be collected. */
export const withdrawDebt = (deps: CollectionDeps) =>
  change(deps, 'withdrawn', async (em, debt) => {
    // A debt that was imported again after its end is the same debt.
    const otherRows = (await rowsOfDebt(em, debt.id)).filter(({ id }) => id !== debt.id);
    await moveOtherRows(em, deps, otherRows, 'withdrawn', 'stateChanged');
  });
