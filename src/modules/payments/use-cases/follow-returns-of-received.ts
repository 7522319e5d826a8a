import { addOutbox } from '../../../platform/database/add-outbox.ts';
import { debtNow } from '../../debts/use-cases/clock.ts';
import type { ProviderCharge, ReceivedPayment } from '../ports/payment-provider.ts';
import { type Charge, readCharge } from '../queries/charges.ts';
import { lowerUndecided, undecidedByKey } from '../queries/received-payments.ts';
import { keyOfEndToEnd } from '../rules/received-key.ts';
import { goneBackOf, leftOfReceived, returnsOfRecorded } from '../rules/received-returns.ts';
import { applyToOwner } from './apply-answer.ts';
import { lockPayments, rowOf } from './apply-report.ts';
import type { PaymentDeps } from './deps.ts';

interface RecordedPayment {
  readonly id: string;
  readonly debtId: string;
  readonly endToEndId: string;
}

/**
 * Follows what went back of payments that no charge asked for. One that waits for a person is lowered to what is left of it;
 * of one that is recorded about a debt the return counts as that of a code.
 */
export async function followReturnsOfReceived(
  deps: PaymentDeps,
  clientId: string,
  items: readonly ReceivedPayment[],
  recorded: readonly RecordedPayment[],
): Promise<void> {
  const byKey = new Map(items.map((item) => [keyOfEndToEnd(item.endToEndId), item]));
  await lowerWaiting(deps, clientId, new Map([...byKey].filter(([, { returnedCentavos }]) => returnedCentavos > 0)));
  for (const payment of recorded) {
    const received = byKey.get(keyOfEndToEnd(payment.endToEndId));
    if (received !== undefined) await takeFromRecorded(deps, clientId, payment, received);
  }
}

async function lowerWaiting(
  deps: PaymentDeps,
  clientId: string,
  returned: ReadonlyMap<string, ReceivedPayment>,
): Promise<void> {
  if (returned.size === 0) return;
  const inClient = deps.db.tenant(clientId);
  const waiting = await inClient.transactional((tx) => undecidedByKey(tx, clientId, [...returned.keys()]));
  for (const { id, key, amountCentavos } of waiting) {
    const left = leftOfReceived(returned.get(key)!);
    // One row is locked at a time, because others lock several in an order of their own.
    if (amountCentavos > left) await inClient.transactional((tx) => lowerUndecided(tx, id, left));
  }
}

async function takeFromRecorded(
  deps: PaymentDeps,
  clientId: string,
  { id, debtId }: RecordedPayment,
  received: ReceivedPayment,
): Promise<void> {
  await deps.db.tenant(clientId).transactional(async (tx) => {
    const known = await lockPayments(tx, debtId);
    const charge = await readCharge(tx, id);
    // It may have been taken back meanwhile, and counts for nothing then.
    if (known === null || charge === undefined || charge.paidCentavos === 0) return;
    const now = deps.now().getTime();
    const momentOf = ({ clockOffsetMs }: { readonly clockOffsetMs: number }): number => debtNow(clockOffsetMs, now);
    const report = reportOf(charge, received);
    const { applied, isOfAgreement } = await applyToOwner({ tx, deps, momentOf }, known, id, report);
    if (applied === 'unchanged' || isOfAgreement) return;
    await addOutbox(tx, deps.workflows.wakeDebt(rowOf(known.rows, charge), 'paymentNoticed'));
  });
}

/** What the bank tells of a recorded payment, as a provider reports about a code. */
function reportOf(charge: Charge, received: ReceivedPayment): ProviderCharge {
  const { id, amountCentavos, paidCentavos } = charge;
  const { endToEndId, paidAt } = received;
  return {
    providerPaymentId: endToEndId,
    status: 'APPROVED',
    rawStatus: 'received',
    statusDetail: null,
    amountCentavos,
    paidAmountCentavos: paidCentavos,
    refundedCentavos: goneBackOf(paidCentavos, received),
    currency: 'BRL',
    externalReference: id,
    paidAt,
    endToEndId,
    expiresAt: null,
    // The bank does not say of which moment it tells, so that nothing is taken for newer or older than what is known.
    updatedAt: null,
    chargedBack: false,
    instruments: [],
    settlements: [],
    reversals: returnsOfRecorded(paidCentavos, received),
  };
}
