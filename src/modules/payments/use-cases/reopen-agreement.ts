import { AppError } from '../../../kernel/errors.ts';
import { toReais } from '../../../kernel/money.ts';
import { addOutbox } from '../../../platform/database/add-outbox.ts';
import { setAgreementOfDebts } from '../../agreements/queries/agreement-of-debts.ts';
import { readAgreement, type StoredAgreement, updateAgreement } from '../../agreements/queries/agreements.ts';
import { dayOfAgreement, momentOfAgreement } from '../../agreements/use-cases/read-agreements.ts';
import { endedByInstalment } from '../../debts/queries/ended-by-payment.ts';
import { loadDebt } from '../../debts/use-cases/debt-context.ts';
import { openEndedAgain } from '../../debts/use-cases/ended-by-payment.ts';
import { recordEntries } from '../../debts/use-cases/record-entries.ts';
import { type Charge, storeCharge } from '../queries/charges.ts';
import { partsOfAgreement } from '../queries/charges-of-agreements.ts';
import { undoneColumns } from '../rules/taken-back.ts';
import { followMoney, type LockedAgreement, lockAgreement } from './agreement-money.ts';
import { type ChangeContext, lockPayments, type PaymentsOfDebt } from './apply-report.ts';
import { keptOf } from './credit-debts.ts';
import { takeBack } from './take-back.ts';

/**
 * Takes money of an agreement back that was recorded by mistake. Its instalments are open again; an agreement that the
 * money had completed is active again with its debts, and of one that has ended otherwise the debts lose what they got of
 * this payment. The receipts of its other payments say which instalments these pay without it.
 */
export async function takeBackOfAgreement(
  context: ChangeContext,
  { agreement, rows }: LockedAgreement,
  charge: Charge,
): Promise<void> {
  const { tx, deps } = context;
  const now = deps.now();
  const parts = await partsOfAgreement(tx, agreement.id);
  const wasCompleted = agreement.status === 'COMPLETED';
  const gone = parts.filter(({ partOf, paidCentavos }) => paidCentavos > 0 && (wasCompleted || partOf === charge.id));
  const debts = await lockDebtsOf(context, agreement);
  if (wasCompleted) requireUnchangedSince(debts, parts);
  await storeCharge(tx, charge.id, undoneColumns(now), { isAnswer: false });
  await deps.receipts.revoke(tx, charge.id, 'undone', now);
  const at = momentOfAgreement(agreement, now.getTime());
  const amount = toReais(charge.paidCentavos);
  await recordEntries(tx, rows[0]!.id, at, [
    { kind: 'payment_changed', paymentId: charge.id, change: 'undone', amount },
  ]);
  if (wasCompleted) {
    await updateAgreement(tx, agreement.id, { status: 'ACTIVE', endedAt: null });
    const { id: agreementId, protocol } = agreement;
    for (const { id } of rows) {
      await recordEntries(tx, id, at, [{ kind: 'agreement_changed', agreementId, protocol, change: 'reopened' }]);
    }
  }
  for (const debt of debts) {
    const ids = new Set(gone.filter((part) => debt.charges.some(({ id }) => id === part.id)).map(({ id }) => id));
    if (ids.size > 0) await takeBack(context, debt, ids);
  }
  if (wasCompleted) {
    const ids = rows.map(({ id }) => id);
    await setAgreementOfDebts(tx, ids, agreement.id);
  }
  await openClaimsAgain(context, rows, charge.id);
  if (wasCompleted || agreement.status === 'ACTIVE') {
    // What was due before is due again from today, so that nobody breaks an agreement by the client's mistake.
    await updateAgreement(tx, agreement.id, { dueAgainOn: dayOfAgreement(agreement, now.getTime()) });
    const again = await lockAgreement(tx, agreement.id);
    if (again !== null) await followMoney(context, again);
  }
  await deps.receipts.restate(tx, { agreementId: agreement.id }, now);
  const after = (await readAgreement(tx, agreement.id)) ?? agreement;
  await addOutbox(tx, deps.workflows.wakeAgreement(after, 'stateChanged'));
}

/** The person had said that it is paid, which waits for the staff again. */
async function openClaimsAgain(
  { tx, deps }: ChangeContext,
  rows: LockedAgreement['rows'],
  paymentId: string,
): Promise<void> {
  for (const { id } of rows) {
    const ended = await endedByInstalment(tx, id, paymentId);
    const row = ended === null ? null : await loadDebt(tx, id);
    if (ended !== null && row !== null) await openEndedAgain(tx, deps.workflows, row, ended);
  }
}

async function lockDebtsOf({ tx }: ChangeContext, { debts }: StoredAgreement): Promise<PaymentsOfDebt[]> {
  const locked: PaymentsOfDebt[] = [];
  for (const { debtId } of debts) {
    const payments = await lockPayments(tx, debtId);
    if (payments !== null) locked.push(payments);
  }
  return locked;
}

/**
 * A completed agreement cannot be active again once something else has happened to one of its debts: money that came since
 * belongs to no agreement, and of an erased debtor nobody can be asked for the rest.
 */
function requireUnchangedSince(debts: readonly PaymentsOfDebt[], parts: readonly Charge[]): void {
  const own = new Set(parts.map(({ id }) => id));
  for (const { current, charges } of debts) {
    if (current.status !== 'PAID' || current.erased)
      throw refuse('A debt of the completed agreement has changed since.');
    if (charges.some((one) => one.duplicate && keptOf(one) > 0 && !own.has(one.id))) {
      throw refuse('Another payment came after the agreement was completed: take that one back first.');
    }
  }
}

const refuse = (detail: string): AppError => new AppError('debt_state', { detail });
