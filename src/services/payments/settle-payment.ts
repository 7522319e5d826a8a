import type { EntityManager } from '@mikro-orm/postgresql';
import { runInTransaction } from '../../db/statement.ts';
import { PaymentProviderError, type ProviderCharge } from '../../ports/payment-provider.ts';
import type { ContactRequest } from '../collection/contact-debtor.ts';
import { momentOf } from '../debts/clock.ts';
import { keepClock, loadDebt } from '../debts/debt-context.ts';
import { type Outlook, outlookOf } from '../debts/next-step.ts';
import { applyReport } from './apply-report.ts';
import { cancelCharges } from './cancel-charges.ts';
import { recordProblem } from './charges.ts';
import type { PaymentDeps } from './deps.ts';

interface NotifiedCharge {
  readonly id: string;
  readonly debtId: string;
  readonly provider: string;
  readonly providerPaymentId: string;
  readonly notifications: readonly string[];
  readonly since: Date;
}

const NOTICED = `
  select c.id, c.debt_id as "debtId", c.provider, c.provider_payment_id as "providerPaymentId",
    array_agg(n.seq::text) as notifications, min(n.created_at) as since
  from charges c join payment_notifications n on n.charge_id = c.id and n.handled_at is null
  where c.debt_id = $1 and c.provider_payment_id is not null
  group by c.id order by c.attempt`;
const HANDLED = 'update payment_notifications set handled_at = now() where seq = any ($1::bigint[])';
const ASKED = `
  update charges set last_asked_at = now(), problem = case when problem = any ($2) then null else problem end
  where id = $1`;

/** An answer of the provider clears these problems. */
const TEMPORARY_PROBLEMS = ['provider_unavailable', 'provider_unauthorized'];

/**
 * A provider may send a notification before its API knows the id. After this time the id counts as unknown for good.
 */
const MAX_UNKNOWN_MS = 10 * 60_000;

/** Asks the provider about every charge of the debt that has an unhandled notification, and applies the answers. */
export const settlePayment =
  (deps: PaymentDeps) =>
  async (request: ContactRequest): Promise<Outlook> => {
    const { clientId, debtId, clock } = request;
    const notified = await deps.db.tenant(clientId).transactional(async (em) => {
      await keepClock(em, debtId, clock.offsetMs);
      return runInTransaction<NotifiedCharge>(em, NOTICED, [debtId]);
    });
    for (const charge of notified) await settleCharge(deps, request, charge);
    await cancelCharges(deps)({ clientId, debtId });
    return outlookOf(deps, clientId, debtId);
  };

async function settleCharge(deps: PaymentDeps, request: ContactRequest, charge: NotifiedCharge): Promise<void> {
  const { clientId, debtId, clock } = request;
  const currentMoment = async (em: EntityManager): Promise<number> =>
    momentOf(clock, (await loadDebt(em, debtId)) ?? { lastEventAt: null }, deps.now().getTime());
  const finish = (work: (em: EntityManager, at: number) => Promise<unknown>): Promise<void> =>
    deps.db.tenant(clientId).transactional(async (em) => {
      await work(em, await currentMoment(em));
      await runInTransaction(em, HANDLED, [charge.notifications]);
    });
  const report = await ask(deps, clientId, charge).catch(async (error: unknown) => {
    if (!(error instanceof PaymentProviderError)) throw error;
    const unknownForGood = error.kind === 'not_found' && charge.since.getTime() < deps.now().getTime() - MAX_UNKNOWN_MS;
    if (unknownForGood) {
      await finish((em, at) => recordProblem(em, charge, 'unknown_to_provider', at));
      return null;
    }
    if (error.kind !== 'not_found') {
      await deps.db.tenant(clientId).transactional(async (em) => {
        await recordProblem(em, charge, problemOf(error), await currentMoment(em));
      });
    }
    throw error;
  });
  if (report === null) return;
  await finish(async (em, at) => {
    const debt = await loadDebt(em, debtId, { forUpdate: true });
    await markAsked(em, charge.id);
    if (debt !== null) await applyReport({ em, deps, debt, report, at }, charge.id);
  });
}

async function ask(deps: PaymentDeps, clientId: string, charge: NotifiedCharge): Promise<ProviderCharge> {
  const { provider, credentials } = await deps.accountOf({ clientId, sandbox: charge.provider === 'sandbox' });
  return provider.getCharge(charge.providerPaymentId, credentials);
}

const problemOf = ({ kind }: PaymentProviderError): string =>
  kind === 'unauthorized' ? 'provider_unauthorized' : 'provider_unavailable';

export const markAsked = (em: EntityManager, chargeId: string): Promise<object[]> =>
  runInTransaction(em, ASKED, [chargeId, TEMPORARY_PROBLEMS]);
