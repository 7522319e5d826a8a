import type { EntityManager } from '@mikro-orm/postgresql';
import { runInTransaction } from '../../db/statement.ts';
import { toReais } from '../../domain/money.ts';
import { keptCentavos, reportProblem, wasPaid } from '../../domain/payment-report.ts';
import { nextPaymentStatus } from '../../domain/payment-status.ts';
import type { ProviderCharge } from '../../ports/payment-provider.ts';
import { countInCampaign } from '../campaign-day.ts';
import { releaseReservations } from '../collection/contact-ledger.ts';
import type { DebtContext } from '../collection/debt-context.ts';
import { moveDebt } from '../collection/move-debt.ts';
import { revokeReceipt } from '../receipts/revoke-receipt.ts';
import { recordEvents, type TimelineEntry } from '../timeline.ts';
import { type Charge, chargesOf, recordProblem } from './charges.ts';
import type { PaymentDeps } from './deps.ts';
import { underpaidCentavos } from './payable.ts';

/** Whether something happened that the debt's workflow has to know of. */
export type Applied = 'news' | 'nothing new';

interface Applying {
  readonly em: EntityManager;
  readonly deps: Pick<PaymentDeps, 'workflows'>;
  readonly debt: DebtContext;
  readonly report: ProviderCharge;
  /** By the debt's own clock. */
  readonly at: number;
}

const ENDED = `
  update charges set status = $2, problem = null, ask_at = case when $2 = 'PENDING' then ask_at end, updated_at = now()
  where id = $1`;

/**
 * What the provider says about a charge, done to charge and debt. Under the debt's lock (the caller holds it), and by
 * what is stored, so that the same report twice, or an older one after a newer one, changes nothing.
 */
export async function applyReport(applying: Applying, chargeId: string): Promise<Applied> {
  const { em, debt, report, at } = applying;
  const charges = await chargesOf(em, debt.id);
  const charge = charges.find(({ id }) => id === chargeId);
  if (charge === undefined) return 'nothing new';
  const problem = reportProblem({ reference: charge.id, amountCentavos: charge.amountCentavos }, report);
  if (problem !== null) {
    await recordProblem(em, charge, problem, at);
    return 'nothing new';
  }
  if (wasPaid(report)) {
    const counted = charge.paidCentavos > 0 ? charge : await confirm(applying, charge, charges);
    const returned = await noteReturned(applying, counted);
    return returned || counted !== charge ? 'news' : 'nothing new';
  }
  const status = nextPaymentStatus(charge.status, report.status);
  if (status === charge.status) return 'nothing new';
  await runInTransaction(em, ENDED, [charge.id, status]);
  if (status === 'REJECTED') await changed(applying, charge, { status });
  return 'nothing new';
}

const CONFIRM = `
  update charges set status = case when $2 = 'underpaid' then status else 'APPROVED' end,
    approved_at = case when $2 = 'underpaid' then approved_at else $3::timestamptz end,
    underpaid_at = case when $2 = 'underpaid' then $3::timestamptz end,
    duplicate = ($2 = 'duplicate'), paid_centavos = $4, paid_at = coalesce($5, $3), end_to_end_id = $6,
    problem = null, ask_at = null, updated_at = now()
  where id = $1`;

/** Money came for the first time by this charge; only once, because what came is stored with it. */
async function confirm(applying: Applying, charge: Charge, charges: readonly Charge[]): Promise<Charge> {
  const { em, deps, debt, report, at } = applying;
  const paidCentavos = report.paidAmountCentavos;
  const paidBefore = charges.some((other) => other.status === 'APPROVED');
  const earlier = underpaidCentavos(charges);
  const enough = paidCentavos + earlier >= debt.amountCentavos;
  const outcome = paidBefore ? 'duplicate' : enough ? 'settled' : 'underpaid';
  const now = new Date();
  await runInTransaction(em, CONFIRM, [charge.id, outcome, now, paidCentavos, report.paidAt, report.endToEndId]);

  const paymentId = charge.id;
  const amount = toReais(paidCentavos);
  if (outcome === 'duplicate') {
    await tell(applying, { kind: 'payment_duplicate', data: { paymentId, amount } });
  } else if (outcome === 'underpaid') {
    await changed(applying, charge, { problem: 'underpaid', amount, expectedAmount: toReais(charge.amountCentavos) });
    await moveDebt(em, deps.workflows, debt.id, 'underpaid', at);
    await releaseReservations(em, [debt.id]);
  } else {
    const over = paidCentavos - charge.amountCentavos;
    const overpaid = over > 0 ? { overpaidAmount: toReais(over) } : {};
    await tell(applying, { kind: 'payment_approved', data: { paymentId, amount, ...overpaid } });
    await moveDebt(em, deps.workflows, debt.id, 'paid', at);
    await releaseReservations(em, [debt.id]);
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

const RETURNED = `
  update charges set refunded_centavos = $2, charged_back_at = coalesce(charged_back_at, $3), updated_at = now()
  where id = $1`;

/** A refund or a chargeback: written down and shown; the debt stays as it is, and nobody is contacted because of it. */
async function noteReturned(applying: Applying, charge: Charge): Promise<boolean> {
  const { em, debt, report } = applying;
  const refunded = Math.max(charge.refundedCentavos, report.refundedCentavos);
  const newlyRefunded = refunded > charge.refundedCentavos;
  const newlyChargedBack = report.chargedBack && charge.chargedBackAt === null;
  if (!newlyRefunded && !newlyChargedBack) return false;
  await runInTransaction(em, RETURNED, [charge.id, refunded, newlyChargedBack ? new Date() : null]);
  if (newlyRefunded) await changed(applying, charge, { change: 'refunded', refundedAmount: toReais(refunded) });
  if (newlyChargedBack) await changed(applying, charge, { change: 'charged_back' });
  const chargedBack = charge.chargedBackAt !== null;
  const before = keptCentavos({ ...charge, chargedBack });
  const after = keptCentavos({ ...charge, refundedCentavos: refunded, chargedBack: chargedBack || newlyChargedBack });
  const counted = charge.status === 'APPROVED' && !charge.duplicate;
  if (counted && after !== before) await countInCampaign(em, debt, { recoveredCentavos: after - before });
  if (after === 0) {
    await revokeReceipt(em, charge.id, chargedBack || newlyChargedBack ? 'chargeback' : 'refund', new Date());
  }
  return true;
}

const tell = ({ em, debt, at }: Applying, entry: TimelineEntry): Promise<void> =>
  recordEvents(em, debt.id, at, [entry]);

const changed = (applying: Applying, charge: Charge, data: TimelineEntry['data']): Promise<void> =>
  tell(applying, { kind: 'payment_changed', data: { paymentId: charge.id, ...data } });
