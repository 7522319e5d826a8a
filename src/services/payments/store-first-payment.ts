import { addOutbox } from '../../db/add-outbox.ts';
import { type Charge, confirmCharge, moveCharge } from '../../db/queries/charges.ts';
import type { NewDebtEvent } from '../../db/queries/debt-events.ts';
import { isCovered, keptCentavos, type PaymentChange, type PaymentOutcome } from '../../domain/debt-payments.ts';
import { REIMPORTABLE_DEBT_STATUSES } from '../../domain/debt-status.ts';
import { toReais } from '../../domain/money.ts';
import type { DebtContext } from '../debts/debt-context.ts';
import { moveDebt } from '../debts/move-debt.ts';
import { moveOtherRows } from '../debts/move-other-rows.ts';
import { recordEvents } from '../debts/record-events.ts';
import { type ChangeContext, type PaymentsOfDebt, rowOf } from './payments-of-debt.ts';

/** What is known of a payment beside its amounts. */
export interface PaymentFacts {
  /** When the money came; null when that is not known. */
  readonly paidAt: Date | null;
  readonly endToEndId: string | null;
}

type FirstChange = PaymentChange & { readonly outcome: PaymentOutcome };

/** Stores a payment that is seen first. It runs once for each charge, because the charge stores the paid amount. */
export async function storeFirstPayment(
  context: ChangeContext,
  charge: Charge,
  change: FirstChange,
  { paidAt, endToEndId }: PaymentFacts,
): Promise<void> {
  const { em, deps, known } = context;
  const { outcome } = change;
  const { paidCentavos } = change.payment;
  const earlierCentavos = known.payments.payments.reduce((sum, payment) => sum + keptCentavos(payment), 0);
  const confirmedAt = deps.now();
  const settledCentavos = outcome === 'settled' ? paidCentavos + earlierCentavos : null;
  await confirmCharge(em, charge.id, { outcome, confirmedAt, paidCentavos, paidAt, endToEndId, settledCentavos });
  const row = rowOf(known.rows, charge);
  const payment = {
    paymentId: charge.id,
    amount: toReais(paidCentavos),
    ...(charge.method === null ? {} : { method: charge.method, paidAt: (paidAt ?? confirmedAt).toISOString() }),
  };
  if (outcome === 'duplicate') {
    // The payments before it went back, so this one pays the debt and is not to be refunded.
    const covers = !isCovered(known.payments) && isCovered(change.debt) ? { covers: true } : {};
    await record(context, row, { kind: 'payment_duplicate', data: { ...payment, ...covers } });
  } else if (outcome === 'underpaid') {
    const open = known.payments.amountCentavos - earlierCentavos;
    // A replaced code may ask for another amount than the debt by now.
    const expected = charge.method === null && charge.supersededAt === null ? charge.amountCentavos : open;
    const data = { ...payment, problem: 'underpaid', expectedAmount: toReais(expected) };
    await hold(context, charge, row, { kind: 'payment_changed', data });
  } else {
    const over = paidCentavos + earlierCentavos - known.payments.amountCentavos;
    const overpaid = over > 0 ? { overpaidAmount: toReais(over) } : {};
    await record(context, row, { kind: 'payment_approved', data: { ...payment, ...overpaid } });
    await settle(context, row);
  }
}

/** Nobody is asked again for money that came by another row of the same debt. Its workflow ends and cancels its codes. */
async function settle({ em, deps, known, momentOf }: ChangeContext, row: DebtContext): Promise<void> {
  await moveDebt(em, deps.workflows, row.id, 'paid', momentOf(row));
  const otherRows = known.rows.filter(({ id }) => id !== row.id);
  await moveOtherRows(em, deps, otherRows, 'paid', 'paymentNoticed');
}

/**
 * A part of the debt was paid, so the client decides how to continue. A part that comes by a row that has ended goes to
 * the row that is collected now, as its codes did when the debt was imported again: that row asks for the rest.
 */
async function hold(context: ChangeContext, charge: Charge, row: DebtContext, event: NewDebtEvent): Promise<void> {
  const { em, deps, known, momentOf } = context;
  await record(context, row, event);
  const collected = collectedRow(known, row);
  if (collected.id !== row.id) {
    await moveCharge(em, charge.id, collected.id);
    await record(context, collected, event);
    await addOutbox(em, deps.workflows.wakeDebt(collected, 'paymentNoticed'));
  }
  await moveDebt(em, deps.workflows, collected.id, 'underpaid', momentOf(collected));
}

const hasEnded = ({ status }: DebtContext): boolean => REIMPORTABLE_DEBT_STATUSES.includes(status);

const collectedRow = ({ rows }: PaymentsOfDebt, row: DebtContext): DebtContext =>
  (hasEnded(row) ? rows.find((other) => !hasEnded(other)) : undefined) ?? row;

const record = ({ em, momentOf }: ChangeContext, row: DebtContext, event: NewDebtEvent): Promise<void> =>
  recordEvents(em, row.id, momentOf(row), [event]);
