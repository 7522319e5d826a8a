import type { DebtTransition } from '../../../kernel/debt-status.ts';
import { toReais } from '../../../kernel/money.ts';
import { addOutbox } from '../../../platform/database/add-outbox.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { setAgreementOfDebts, setKeptAgreementOfDebts } from '../../agreements/queries/agreement-of-debts.ts';
import { readAgreement, type StoredAgreement, updateAgreement } from '../../agreements/queries/agreements.ts';
import type { StopReason } from '../../agreements/rules/acceptance.ts';
import { type AgreementEvent, agreedRest, nextAgreementStatus } from '../../agreements/rules/agreement-state.ts';
import { dayOfAgreement, momentOfAgreement, paidCentavos } from '../../agreements/use-cases/read-agreements.ts';
import type { TimelineEntry } from '../../debts/rules/timeline-entry.ts';
import {
  currentRowOf,
  type DebtContext,
  keepClock,
  loadDebt,
  lockRowsOfDebts,
} from '../../debts/use-cases/debt-context.ts';
import { endedByPayment } from '../../debts/use-cases/ended-by-payment.ts';
import { wakeAgreementsOf } from '../../debts/use-cases/inbox-items.ts';
import { moveLockedDebt } from '../../debts/use-cases/move-debt.ts';
import { indebtedFor } from '../../debts/use-cases/owed.ts';
import { recordEntries } from '../../debts/use-cases/record-entries.ts';
import type { ProviderCharge } from '../ports/payment-provider.ts';
import { type Charge, readCharge, storeCharge, supersedeOpenCodes } from '../queries/charges.ts';
import { setAgreementOfCharge } from '../queries/charges-of-agreements.ts';
import { decidePayment, decideReport, type PaymentFacts } from '../rules/decide-payment.ts';
import type { KnownDebt } from '../rules/known-debt.ts';
import type { UnaskedReturn } from '../rules/refunds.ts';
import { type Applied, type ChangeContext, keepReceiptTrue } from './apply-report.ts';
import { creditDebts, keptOf } from './credit-debts.ts';

/** An agreement whose debts are locked, with the present row of each debt. */
export interface LockedAgreement {
  readonly agreement: StoredAgreement;
  /** In the order in which money is credited. */
  readonly rows: readonly DebtContext[];
}

/** Locks all debts of an agreement and reads it again. */
export async function lockAgreement(tx: Tx, agreementId: string): Promise<LockedAgreement | null> {
  const seen = await readAgreement(tx, agreementId);
  if (seen === undefined) return null;
  await lockRowsOfDebts(
    tx,
    seen.debts.map(({ debtId }) => debtId),
  );
  const agreement = (await readAgreement(tx, agreementId)) ?? seen;
  return { agreement, rows: await rowsOf(tx, agreement) };
}

/** Locks it for its workflow, whose simulated clock may be ahead of what is stored of its debts, and stores that. */
export async function lockAgreementAt(tx: Tx, agreementId: string, offsetMs: number): Promise<LockedAgreement | null> {
  const found = await lockAgreement(tx, agreementId);
  if (found === null) return null;
  const rows: DebtContext[] = [];
  for (const row of found.rows) rows.push(await keepClock(tx, row, offsetMs));
  const clockOffsetMs = Math.max(found.agreement.clockOffsetMs, offsetMs);
  return { agreement: { ...found.agreement, clockOffsetMs }, rows };
}

/** A debt that ended after the agreement may have been imported again. */
async function rowsOf(tx: Tx, { debts }: StoredAgreement): Promise<DebtContext[]> {
  const rows: DebtContext[] = [];
  for (const { debtId } of debts) {
    const row = await loadDebt(tx, (await currentRowOf(tx, debtId)) ?? debtId);
    if (row !== null) rows.push(row);
  }
  return rows;
}

/** A code of an agreement is settled by what it asks for; what is more pays the next instalments. */
const accountOf = (
  charge: Charge,
  { agreedOn }: StoredAgreement,
  debt: DebtContext,
  deps: ChangeContext['deps'],
): KnownDebt => ({
  indebted: {
    ...indebtedFor(debt, deps.policy.holidays),
    terms: null,
    principalCentavos: charge.amountCentavos,
    dueDate: agreedOn,
  },
  isPaid: false,
  charges: [charge],
});

/**
 * Applies what a provider reports about money of an agreement: the payment is told on the timelines of its debts, and the
 * agreement is completed by its last centavo. After its end the money is credited to the debts. A payment that is seen
 * first when it went back already came before that, so it ends an agreement as one does that was seen in time.
 */
export async function applyAgreementReport(
  context: ChangeContext,
  locked: LockedAgreement,
  charge: Charge,
  report: ProviderCharge,
  returned: UnaskedReturn | null,
): Promise<Applied> {
  const hasGoneBack = report.chargedBack || report.refundedCentavos > 0;
  if (charge.paidCentavos > 0 || !hasGoneBack) return applyOneState(context, locked, charge, report, returned);
  const { tx } = context;
  const { id } = locked.agreement;
  const before: ProviderCharge = { ...report, status: 'APPROVED', refundedCentavos: 0, chargedBack: false };
  const came = await applyOneState(context, locked, charge, before, null);
  const paid = await readCharge(tx, charge.id);
  const after = await lockAgreement(tx, id);
  if (came === 'unchanged' || paid === undefined || after === null) return came;
  await applyOneState(context, after, paid, report, returned);
  return came;
}

async function applyOneState(
  context: ChangeContext,
  { agreement, rows }: LockedAgreement,
  charge: Charge,
  report: ProviderCharge,
  returned: UnaskedReturn | null,
): Promise<Applied> {
  const { deps } = context;
  const now = deps.now();
  const day = dayOfAgreement(agreement, (report.paidAt ?? now).getTime());
  const decision = decideReport(
    accountOf(charge, agreement, rows[0]!, deps),
    charge,
    { ...report, day, returned },
    now,
  );
  return storeAgreementDecision(context, { agreement, rows }, charge, decision, { isAnswer: true });
}

/** Applies money of an agreement that the client received elsewhere. */
export async function applyAgreementPayment(
  context: ChangeContext,
  { agreement, rows }: LockedAgreement,
  charge: Charge,
  paidAt: Date,
): Promise<Applied> {
  const state = { paidCentavos: charge.amountCentavos, refundedCentavos: 0, chargedBack: false, at: null };
  const { endToEndId } = charge;
  const facts: PaymentFacts = { paidAt, endToEndId, day: dayOfAgreement(agreement, paidAt.getTime()) };
  const account = accountOf(charge, agreement, rows[0]!, context.deps);
  const decision = decidePayment(account, charge, state, facts, context.deps.now());
  return storeAgreementDecision(context, { agreement, rows }, charge, decision, { isAnswer: false });
}

async function storeAgreementDecision(
  context: ChangeContext,
  { agreement, rows }: LockedAgreement,
  charge: Charge,
  { columns, entry, money }: ReturnType<typeof decideReport>,
  how: { readonly isAnswer: boolean },
): Promise<Applied> {
  const { tx, deps } = context;
  const at = momentOfAgreement(agreement, deps.now().getTime());
  await storeCharge(tx, charge.id, columns, how);
  if (entry !== null) await recordEntries(tx, charge.debtId, at, [entry]);
  if (money === null) return 'unchanged';
  if (charge.agreementId !== agreement.id) await setAgreementOfCharge(tx, charge.id, agreement.id);
  const ofAgreement = { agreementId: agreement.id, protocol: agreement.protocol };
  if (money.outcome !== null) {
    const paid: Extract<TimelineEntry, { kind: 'instalment_paid' }> = {
      kind: 'instalment_paid',
      ...ofAgreement,
      paymentId: charge.id,
      instalment: charge.instalment,
      amount: toReais(columns.paidCentavos ?? charge.paidCentavos),
      ...(charge.method === null ? {} : { method: charge.method }),
    };
    for (const row of rows) {
      await recordEntries(tx, row.id, at, [{ ...paid, ...(await endedByPayment(tx, row, ['said_paid'])) }]);
    }
    // A claim of the person has ended with it, for which their other agreements may wait too.
    if (rows[0]!.requests.length > 0) await wakeAgreementsOf(tx, deps.workflows, rows[0]!);
  }
  await recordEntries(tx, rows[0]!.id, at, money.after);
  const receipt = money.receipt ?? money.receiptOfPart;
  if (receipt !== null) await keepReceiptTrue(tx, deps, [charge], receipt);
  const after = { ...charge, ...columns };
  if (charge.paidCentavos > 0 && keptOf(after) < keptOf(charge)) {
    await updateAgreement(tx, agreement.id, { dueAgainOn: dayOfAgreement(agreement, deps.now().getTime()) });
  }
  const changed = (await readAgreement(tx, agreement.id)) ?? agreement;
  await followMoney(context, { agreement: changed, rows });
  return 'changed';
}

/** Completes an agreement of which nothing is open, and credits the money of one that has ended. */
export async function followMoney(context: ChangeContext, locked: LockedAgreement): Promise<void> {
  const { agreement, rows } = locked;
  if (agreement.status !== 'ACTIVE') {
    if (await creditDebts(context, agreement)) await wakeDebts(context, rows);
    return;
  }
  if (agreedRest(agreement) === 0) await endAgreement(context, locked, 'completed');
}

/** The workflows of the debts cancel codes that ask for too much, and send the receipts or go on. */
async function wakeDebts({ tx, deps }: ChangeContext, rows: readonly DebtContext[]): Promise<void> {
  for (const row of rows) await addOutbox(tx, deps.workflows.wakeDebt(row, 'paymentNoticed', 'agreement ended'));
}

/**
 * Ends an active agreement: nobody is shown its codes any more, its debts are collected again unless it was completed, and
 * its money is credited to them.
 */
export async function endAgreement(
  context: ChangeContext,
  { agreement, rows }: LockedAgreement,
  event: AgreementEvent,
  { cancelReason }: { readonly cancelReason?: string } = {},
): Promise<void> {
  const { tx, deps } = context;
  const status = nextAgreementStatus(agreement.status, event);
  if (status === null) return;
  const at = momentOfAgreement(agreement, deps.now().getTime());
  await updateAgreement(tx, agreement.id, {
    status,
    endedAt: new Date(at),
    nextAt: null,
    // An agreement that is active again, because its last payment was a mistake, is stopped as it was.
    ...(event === 'completed' ? {} : { stoppedBecause: null }),
    ...(cancelReason === undefined ? {} : { cancelReason }),
  });
  await supersedeOpenCodes(tx, { agreementId: agreement.id });
  const entry = endEntry(agreement, event);
  for (const row of rows) {
    await recordEntries(tx, row.id, at, [entry]);
    if (event !== 'completed') await collectAgain(context, agreement, row, at);
  }
  const ids = rows.map(({ id }) => id);
  await (event === 'completed' ? setAgreementOfDebts(tx, ids, null) : setKeptAgreementOfDebts(tx, ids));
  await creditDebts(context, { ...agreement, status });
  await wakeDebts(context, rows);
}

/** What had stopped the agreement is about its debts from now on. */
const AFTER_STOP: Readonly<Record<StopReason, DebtTransition>> = {
  opt_out: 'opted_out',
  dispute: 'disputed',
  hardship: 'held',
  death: 'held',
  wrong_person: 'wrong_person',
};

async function collectAgain(
  { tx, deps }: ChangeContext,
  { stoppedBecause }: StoredAgreement,
  row: DebtContext,
  at: number,
): Promise<void> {
  const moved = await moveLockedDebt(tx, deps.workflows, row, 'agreement_ended', at);
  if (moved === null) return;
  // The debt has no plan, and only a contact makes one.
  await addOutbox(tx, deps.workflows.wakeDebt(row, 'stateChanged', 'agreement ended'));
  if (stoppedBecause === null) return;
  await moveLockedDebt(tx, deps.workflows, { ...row, status: moved.to }, AFTER_STOP[stoppedBecause], at);
}

function endEntry(agreement: StoredAgreement, event: AgreementEvent): TimelineEntry {
  const { id: agreementId, protocol, afterBreach } = agreement;
  const paid = toReais(paidCentavos(agreement));
  if (event === 'completed') return { kind: 'agreement_completed', agreementId, protocol, paid };
  if (event === 'broken') return { kind: 'agreement_broken', agreementId, protocol, paid, afterBreach };
  return { kind: 'agreement_changed', agreementId, protocol, change: 'cancelled' };
}
