import { toReais } from '../../../kernel/money.ts';
import { addOutbox } from '../../../platform/database/add-outbox.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { latestMove } from '../../debts/queries/debt-events.ts';
import { closeInboxItems, openReasons } from '../../debts/queries/inbox-items.ts';
import type { TimelineEntry } from '../../debts/rules/timeline-entry.ts';
import { countInCampaign } from '../../debts/use-cases/campaign-day.ts';
import { loadDebt } from '../../debts/use-cases/debt-context.ts';
import { askAboutMoney, askAboutPart } from '../../debts/use-cases/inbox-items.ts';
import { recordEntries } from '../../debts/use-cases/record-entries.ts';
import { returnDebt } from '../../debts/use-cases/return-debt.ts';
import { type Charge, storeCharge } from '../queries/charges.ts';
import { chargedCounts } from '../rules/credited-parts.ts';
import { type TakenBack, takenBack } from '../rules/taken-back.ts';
import { type ChangeContext, knownDebt, type PaymentsOfDebt } from './apply-report.ts';

/** What only a person may decide about keeps a debt on hold, whatever becomes of its money. */
const HELD_FOR = ['hardship', 'negotiate', 'human', 'said_paid'] as const;

/**
 * Takes payments of one locked debt back that were recorded by mistake, with everything that followed from them: the debt
 * has the status that it had before, its receipt is revoked, and figures, inbox and the receipts of the other payments are
 * as if they had never come. Where another payment covers the debt without them, that one settles it.
 */
export async function takeBack(
  context: ChangeContext,
  { current, rows, charges }: PaymentsOfDebt,
  ids: ReadonlySet<string>,
): Promise<void> {
  const { tx, deps, momentOf } = context;
  const at = momentOf(current);
  const now = deps.now();
  const undone = charges.filter(({ id }) => ids.has(id));
  const changes = takenBack({ ...knownDebt(deps, { rows, current, charges }), charges }, ids, now);
  const held = current.status === 'ON_HOLD' && (await isHeldBy(tx, current.id, ids));
  for (const [id, columns] of changes.columns) await storeCharge(tx, id, columns, { isAnswer: false });
  const entries = undone.map(
    ({ id, paidCentavos }): TimelineEntry => ({
      kind: 'payment_changed',
      paymentId: id,
      change: 'undone',
      amount: toReais(paidCentavos),
    }),
  );
  await recordEntries(tx, current.id, at, entries);
  let isOpenAgain = false;
  if (current.status === 'PAID' && !changes.settled) {
    for (const row of rows) {
      const to = await returnDebt(tx, deps.workflows, row, 'PAID', momentOf(row));
      if (row.id === current.id) isOpenAgain = to !== null;
    }
  } else if (held) {
    await returnDebt(tx, deps.workflows, current, 'ON_HOLD', at);
  }
  await followInInbox(tx, current.id, charges, changes);
  await countInCampaign(tx, current, {
    paymentsApproved: isOpenAgain ? -1 : 0,
    recoveredCentavos: changes.recoveredCentavos,
    recoveredFineCentavos: changes.recovered.fine,
    recoveredInterestCentavos: changes.recovered.interest,
    recoveredCorrectionCentavos: changes.recovered.correction,
    ...chargedCounts(changes.charged),
  });
  for (const id of [...ids, ...changes.noLongerSettling]) await deps.receipts.revoke(tx, id, 'undone', now);
  for (const id of changes.settling) await deps.receipts.restore(tx, id, now);
  if (changes.counted) await deps.receipts.restate(tx, { debtId: current.id }, now);
  // The debt may have followed its campaign into the sandbox, where its workflow does not wait for days.
  const returned = (await loadDebt(tx, current.id)) ?? current;
  // What another payment settles now gets its receipt; any other debt is collected again.
  await addOutbox(tx, deps.workflows.wakeDebt(returned, changes.settled ? 'paymentNoticed' : 'stateChanged'));
}

async function followInInbox(
  tx: Tx,
  debtId: string,
  charges: readonly Charge[],
  { asks, columns }: TakenBack,
): Promise<void> {
  await askAboutMoney(tx, debtId, asks);
  const parts = charges.filter((charge) => ({ ...charge, ...columns.get(charge.id) }).underpaidAt !== null);
  if (parts.length === 0) await closeInboxItems(tx, debtId, ['underpaid']);
  // It came when the debt was paid, so that nobody was asked about it. What a debt gets of an agreement asks for nothing.
  else if (parts.some(({ duplicate, partOf }) => duplicate && partOf === null)) await askAboutPart(tx, debtId);
}

/** Whether nothing but these payments holds the debt: the latest change of its status is the one that followed them. */
async function isHeldBy(tx: Tx, debtId: string, ids: ReadonlySet<string>): Promise<boolean> {
  const move = await latestMove(tx, debtId);
  if (move?.to !== 'ON_HOLD' || move.becauseOf === null || !ids.has(move.becauseOf)) return false;
  const reasons = await openReasons(tx, debtId);
  return !HELD_FOR.some((reason) => reasons.includes(reason));
}
