import type { EntityManager } from '@mikro-orm/postgresql';
import { addOutbox } from '../../db/add-outbox.ts';
import { type Charge, chargesOfDebt, confirmCharge, recordReturn, setChargeStatus } from '../../db/queries/charges.ts';
import type { NewDebtEvent } from '../../db/queries/debt-events.ts';
import { toReais } from '../../domain/money.ts';
import { keptCentavos, reportProblem, wasPaid } from '../../domain/payment-report.ts';
import { nextPaymentStatus } from '../../domain/payment-status.ts';
import type { ProviderCharge } from '../../ports/payment-provider.ts';
import { countInCampaign } from '../debts/campaign-day.ts';
import { debtNow } from '../debts/clock.ts';
import { type DebtContext, otherRowsOfDebt } from '../debts/debt-context.ts';
import { moveDebt } from '../debts/move-debt.ts';
import { recordEvents } from '../debts/record-events.ts';
import { releaseReservations } from '../messaging/contact-ledger.ts';
import type { PaymentDeps } from './deps.ts';
import { underpaidCentavos } from './payable.ts';
import { recordProblem } from './record-problem.ts';
import { revokeReceipt } from './revoke-receipt.ts';

/** Whether the report changed something that the debt's workflow has to act on. */
export type Applied = 'changed' | 'unchanged';

interface ReportContext {
  readonly em: EntityManager;
  readonly deps: Pick<PaymentDeps, 'workflows' | 'now'>;
  readonly debt: DebtContext;
  readonly report: ProviderCharge;
  /** The moment by the debt's own clock. */
  readonly at: number;
}

/**
 * Applies a provider's report about a charge to the charge and its debt. The caller holds the debt's lock. The report
 * is compared with what is stored, so that a repeated report, or an older one after a newer one, changes nothing.
 */
export async function applyReport(context: ReportContext, chargeId: string): Promise<Applied> {
  const { em, debt, report, at } = context;
  const charges = await chargesOfDebt(em, debt.id);
  const charge = charges.find(({ id }) => id === chargeId);
  if (charge === undefined) return 'unchanged';
  const problem = reportProblem({ reference: charge.id, amountCentavos: charge.amountCentavos }, report);
  if (problem !== null) {
    await recordProblem(em, charge, problem, at);
    return 'unchanged';
  }
  if (wasPaid(report)) {
    const counted = charge.paidCentavos > 0 ? charge : await confirm(context, charge, charges);
    const returned = await recordReturned(context, counted);
    return returned || counted !== charge ? 'changed' : 'unchanged';
  }
  const status = nextPaymentStatus(charge.status, report.status);
  if (status === charge.status) return 'unchanged';
  await setChargeStatus(em, charge.id, status);
  if (status === 'REJECTED') await recordChange(context, charge, { status });
  return 'unchanged';
}

/** Records the first payment of a charge. It runs once per charge, because the charge stores the paid amount. */
async function confirm(context: ReportContext, charge: Charge, charges: readonly Charge[]): Promise<Charge> {
  const { em, deps, debt, report, at } = context;
  const paidCentavos = report.paidAmountCentavos;
  // A debt that was imported again after its end is the same debt.
  const otherRows = await otherRowsOfDebt(em, debt);
  const paidBefore =
    charges.some((other) => other.status === 'APPROVED') || otherRows.some(({ status }) => status === 'PAID');
  const earlier = underpaidCentavos(charges);
  const enough = paidCentavos + earlier >= debt.amountCentavos;
  const outcome = paidBefore ? 'duplicate' : enough ? 'settled' : 'underpaid';
  const now = deps.now();
  const { paidAt, endToEndId } = report;
  await confirmCharge(em, charge.id, { outcome, confirmedAt: now, paidCentavos, paidAt, endToEndId });

  const paymentId = charge.id;
  const amount = toReais(paidCentavos);
  if (outcome === 'duplicate') {
    await record(context, { kind: 'payment_duplicate', data: { paymentId, amount } });
  } else if (outcome === 'underpaid') {
    await recordChange(context, charge, {
      problem: 'underpaid',
      amount,
      expectedAmount: toReais(charge.amountCentavos),
    });
    await moveDebt(em, deps.workflows, debt.id, 'underpaid', at);
    await releaseReservations(em, [debt.id]);
  } else {
    const over = paidCentavos - charge.amountCentavos;
    const overpaid = over > 0 ? { overpaidAmount: toReais(over) } : {};
    await record(context, { kind: 'payment_approved', data: { paymentId, amount, ...overpaid } });
    await moveDebt(em, deps.workflows, debt.id, 'paid', at);
    await releaseReservations(em, [debt.id]);
    for (const row of otherRows) await settleOtherRow(context, row);
    await countInCampaign(em, debt, { paymentsApproved: 1, recoveredCentavos: paidCentavos + earlier });
  }
  return {
    ...charge,
    paidCentavos,
    status: outcome === 'underpaid' ? charge.status : 'APPROVED',
    duplicate: outcome === 'duplicate',
    underpaidAt: outcome === 'underpaid' ? now : null,
  };
}

/** Nobody is asked again for money that came by another row of the same debt. Its workflow ends and cancels its codes. */
async function settleOtherRow({ em, deps }: ReportContext, row: DebtContext): Promise<void> {
  const at = debtNow(row.clockOffsetMs, deps.now().getTime());
  await moveDebt(em, deps.workflows, row.id, 'paid', at);
  await releaseReservations(em, [row.id]);
  await addOutbox(em, deps.workflows.wakeDebt(row, 'paymentNoticed'));
}

/** Records and shows a refund or a chargeback. The status of the debt stays, and nobody is contacted because of it. */
async function recordReturned(context: ReportContext, charge: Charge): Promise<boolean> {
  const { em, deps, debt, report } = context;
  const refunded = Math.max(charge.refundedCentavos, report.refundedCentavos);
  const newlyRefunded = refunded > charge.refundedCentavos;
  const newlyChargedBack = report.chargedBack && charge.chargedBackAt === null;
  if (!newlyRefunded && !newlyChargedBack) return false;
  await recordReturn(em, charge.id, {
    refundedCentavos: refunded,
    chargedBackAt: newlyChargedBack ? deps.now() : null,
  });
  if (newlyRefunded) await recordChange(context, charge, { change: 'refunded', refundedAmount: toReais(refunded) });
  if (newlyChargedBack) await recordChange(context, charge, { change: 'charged_back' });
  const chargedBack = charge.chargedBackAt !== null;
  const before = keptCentavos({ ...charge, chargedBack });
  const after = keptCentavos({ ...charge, refundedCentavos: refunded, chargedBack: chargedBack || newlyChargedBack });
  const counted = charge.status === 'APPROVED' && !charge.duplicate;
  if (counted && after !== before) await countInCampaign(em, debt, { recoveredCentavos: after - before });
  if (after === 0) {
    await revokeReceipt(em, charge.id, chargedBack || newlyChargedBack ? 'chargeback' : 'refund', deps.now());
  }
  return true;
}

const record = ({ em, debt, at }: ReportContext, entry: NewDebtEvent): Promise<void> =>
  recordEvents(em, debt.id, at, [entry]);

const recordChange = (context: ReportContext, charge: Charge, data: NewDebtEvent['data']): Promise<void> =>
  record(context, { kind: 'payment_changed', data: { paymentId: charge.id, ...data } });
