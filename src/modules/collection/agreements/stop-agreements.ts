import { addOutbox } from '../../../platform/database/add-outbox.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { updateAgreement } from '../../agreements/queries/agreements.ts';
import type { StopReason } from '../../agreements/rules/acceptance.ts';
import type { Intent } from '../../debts/rules/intents.ts';
import type { DebtContext } from '../../debts/use-cases/debt-context.ts';
import { askStaff } from '../../debts/use-cases/inbox-items.ts';
import { recordEntries } from '../../debts/use-cases/record-entries.ts';
import type { Understanding } from '../../messaging/ports/collection-agent.ts';
import { debtsOfPersonIn } from '../../messaging/queries/conversations.ts';
import { lockAgreement } from '../../payments/use-cases/agreement-money.ts';
import type { CollectionDeps } from '../deps.ts';

const STOPS: Readonly<Partial<Record<Intent, StopReason>>> = {
  opt_out: 'opt_out',
  dispute: 'dispute',
  hardship: 'hardship',
  wrong_person: 'wrong_person',
};

/** From the lightest to the gravest. What is said later does not end a graver reason, about which staff have to decide. */
const BY_GRAVITY: readonly (StopReason | null)[] = [null, 'hardship', 'dispute', 'opt_out', 'wrong_person', 'death'];

/** What in a message stops the agreements of its writer; the gravest counts. */
export function stopReasonOf({ intent, also, mentionsDeath }: Understanding): StopReason | null {
  if (mentionsDeath) return 'death';
  if (intent !== 'wrong_person' && also.includes('opt_out')) return 'opt_out';
  return STOPS[intent] ?? null;
}

/**
 * Stops messages and breach of the agreements of a person until staff have decided: the debts keep their status. A dispute
 * stops the agreement of the disputed debt alone. The debts of the person are locked.
 */
export async function stopAgreements(
  tx: Tx,
  deps: Pick<CollectionDeps, 'workflows'>,
  debt: DebtContext,
  { because, at }: { readonly because: StopReason; readonly at: number },
): Promise<void> {
  const own = debt.status === 'AGREEMENT' ? [debt] : [];
  const others = because === 'dispute' ? [] : await debtsOfPersonIn(tx, debt, ['AGREEMENT']);
  for (const agreementId of new Set([...own, ...others].map(({ agreed }) => agreed?.agreementId))) {
    const locked = agreementId === undefined ? null : await lockAgreement(tx, agreementId);
    if (locked === null || locked.agreement.status !== 'ACTIVE') continue;
    const { agreement, rows } = locked;
    if (BY_GRAVITY.indexOf(agreement.stoppedBecause) >= BY_GRAVITY.indexOf(because)) continue;
    await updateAgreement(tx, agreement.id, { stoppedBecause: because, nextAt: null });
    const { id, protocol } = agreement;
    for (const row of rows) {
      await recordEntries(tx, row.id, at, [
        { kind: 'agreement_changed', agreementId: id, protocol, change: 'stopped', because },
      ]);
    }
    // Each agreement waits in the inbox by itself, because a decision about one says nothing of the other.
    await askStaff(tx, rows.some((row) => row.id === debt.id) ? debt.id : agreement.debtId, 'agreement');
    await addOutbox(tx, deps.workflows.wakeAgreement(agreement, 'stateChanged'));
  }
}
