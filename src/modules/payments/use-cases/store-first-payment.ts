import { toReais } from '../../../kernel/money.ts';
import { addOutbox } from '../../../platform/database/add-outbox.ts';
import type { NewDebtEvent } from '../../debts/queries/debt-events.ts';
import { isCovered, keptCentavos, type PaymentChange, type PaymentOutcome } from '../../debts/rules/debt-payments.ts';
import type { DebtContext } from '../../debts/use-cases/debt-context.ts';
import { moveDebt } from '../../debts/use-cases/move-debt.ts';
import { moveOtherRows } from '../../debts/use-cases/move-other-rows.ts';
import { recordEvents } from '../../debts/use-cases/record-events.ts';
import { type Charge, confirmCharge } from '../queries/charges.ts';
import type { ChangeContext } from './payments-of-debt.ts';

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
  // What a code of an earlier row brings belongs to the debt as it is now.
  const row = known.current;
  // The workflow of the charge's own row handles the payment. That of the current row cancels codes and ends.
  if (charge.debtId !== row.id) await addOutbox(em, deps.workflows.wakeDebt(row, 'paymentNoticed'));
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
    await hold(context, { kind: 'payment_changed', data });
  } else {
    const over = paidCentavos + earlierCentavos - known.payments.amountCentavos;
    const overpaid = over > 0 ? { overpaidAmount: toReais(over) } : {};
    await record(context, row, { kind: 'payment_approved', data: { ...payment, ...overpaid } });
    await settle(context);
  }
}

/** Nobody is asked again for money that came by another row of the same debt. Its workflow ends and cancels its codes. */
async function settle({ em, deps, known, momentOf }: ChangeContext): Promise<void> {
  const { current } = known;
  await moveDebt(em, deps.workflows, current.id, 'paid', momentOf(current));
  const otherRows = known.rows.filter(({ id }) => id !== current.id);
  await moveOtherRows(em, deps, otherRows, 'paid', 'paymentNoticed');
}

/** A part of the debt was paid, so the client decides how to continue. */
async function hold(context: ChangeContext, event: NewDebtEvent): Promise<void> {
  const { em, deps, known, momentOf } = context;
  const { current } = known;
  await record(context, current, event);
  await moveDebt(em, deps.workflows, current.id, 'underpaid', momentOf(current));
}

const record = ({ em, momentOf }: ChangeContext, row: DebtContext, event: NewDebtEvent): Promise<void> =>
  recordEvents(em, row.id, momentOf(row), [event]);
