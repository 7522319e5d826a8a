import { randomUUID } from 'node:crypto';
import { debtNow } from '../../debts/use-cases/clock.ts';
import { loadDebt } from '../../debts/use-cases/debt-context.ts';
import { brCodeOf, PaymentProviderError, type ProviderCharge } from '../ports/payment-provider.ts';
import { cancelPendingCharge } from '../queries/charges.ts';
import { PAUSE_ACCOUNT, RESUME_ACCOUNT } from '../queries/payment-accounts.ts';
import {
  type DueCharge,
  STORE_ANSWERED_QUESTION,
  STORE_FAILED_QUESTION,
  TAKE_DUE_CHARGES,
} from '../queries/reconciliation.ts';
import { reportProblem, wasPaid } from '../rules/payment-report.ts';
import { accountPauseMs, questionsEnd, questionWaitMs } from '../rules/reconciliation.ts';
import { createAccountQueues } from './account-queues.ts';
import { applyAnswer } from './apply-answer.ts';
import { askProvider, recordProblem } from './apply-report.ts';
import { cancelAtProvider, closesCharges } from './cancel-charges.ts';
import type { ChargeOrigin, PaymentAccount, PaymentDeps } from './deps.ts';

/** A charge that a run has taken. */
interface TakenCharge extends DueCharge {
  readonly leasedUntil: Date;
}

/** `failure`: why the charge could not be asked about; it is asked again, ever less often. */
type Outcome =
  | { readonly kind: 'answered'; readonly changed: boolean }
  | { readonly kind: 'failed'; readonly failure: unknown };

/** Asks the provider about one charge, or cancels it, and stores when to ask again. Throws when nothing can be stored. */
async function askAboutCharge(deps: PaymentDeps, charge: TakenCharge): Promise<Outcome> {
  try {
    const { changed, brCode } = mustBeCancelled(charge) ? await cancel(deps, charge) : await ask(deps, charge);
    await storeEnd(deps, { ...charge, failures: 0 }, { brCode });
    return { kind: 'answered', changed };
  } catch (failure) {
    if (isRefusal(failure)) await showRefusal(deps, charge);
    await storeEnd(deps, { ...charge, failures: charge.failures + 1 }, null);
    return { kind: 'failed', failure };
  }
}

const isRefusal = (failure: unknown): boolean =>
  failure instanceof PaymentProviderError && failure.kind === 'unauthorized';

/** The debt was closed, or the code was replaced before it was made. */
const mustBeCancelled = ({ superseded, debtStatus, wrongPerson }: TakenCharge): boolean =>
  superseded || closesCharges({ status: debtStatus, wrongPerson });

interface Answered {
  readonly changed: boolean;
  /** The code of a charge that can be paid, which was missing while the provider registered it. */
  readonly brCode: string | null;
}

async function cancel(deps: PaymentDeps, charge: TakenCharge): Promise<Answered> {
  await cancelAtProvider(deps, charge.clientId, charge);
  return { changed: false, brCode: null };
}

async function ask(deps: PaymentDeps, charge: TakenCharge): Promise<Answered> {
  const report = await askProvider(deps, charge.clientId, charge);
  if (isStillPending(charge, report)) return { changed: false, brCode: brCodeOf(report.instruments) };
  const now = deps.now().getTime();
  const { clientId, debtId, id: chargeId } = charge;
  const momentOf = ({ clockOffsetMs }: { readonly clockOffsetMs: number }) => debtNow(clockOffsetMs, now);
  return {
    changed: (await applyAnswer(deps, { clientId, debtId, chargeId }, report, momentOf)) === 'changed',
    brCode: null,
  };
}

/** The usual answer, which changes nothing. It needs no lock of the debt. */
const isStillPending = ({ id, amountCentavos }: TakenCharge, report: ProviderCharge): boolean =>
  report.status === 'PENDING' && !wasPaid(report) && reportProblem({ reference: id, amountCentavos }, report) === null;

/** Only a charge that is still pending has a next question. */
async function storeEnd(
  deps: PaymentDeps,
  charge: TakenCharge,
  answered: { readonly brCode: string | null } | null,
): Promise<void> {
  const { id: chargeId, clientId, leasedUntil } = charge;
  const now = deps.now().getTime();
  if (questionsEnd(charge, now)) {
    await deps.db.tenant(clientId).transactional((tx) => cancelPendingCharge(tx, chargeId));
    return;
  }
  const nextAskAt = new Date(now + questionWaitMs(charge, now));
  const end = { chargeId, leasedUntil, nextAskAt };
  if (answered === null) await deps.db.writePrepared({ clientId }, STORE_FAILED_QUESTION, end);
  else await deps.db.writePrepared({ clientId }, STORE_ANSWERED_QUESTION, { ...end, ...answered });
}

/** The client has to learn of it, because a payment of this charge cannot be confirmed. */
async function showRefusal(deps: PaymentDeps, { id, clientId, debtId }: TakenCharge): Promise<void> {
  await deps.db.tenant(clientId).transactional(async (tx) => {
    const debt = await loadDebt(tx, debtId, { forUpdate: true });
    if (debt === null) return;
    const at = debtNow(debt.clockOffsetMs, deps.now().getTime());
    await recordProblem(tx, { id, debtId }, 'provider_unauthorized', at);
  });
}

export interface Reconciled {
  readonly asked: number;
  readonly changed: number;
  /** Whether the run ended because of its time, so that charges may still be due. */
  readonly more: boolean;
}

const CONCURRENT_QUESTIONS = 32;
const CHARGES_PER_TAKE = 128;
/** Much longer than a run and its last question. A charge that a killed run had taken is due again after it. */
const LEASE_MS = 2 * 60_000;
/** A run ends soon, so that a worker that is told to stop hardly interrupts one. The workflow starts the next one. */
const RUN_MS = 30_000;
/** After this time a run asks about the charges that it has taken, and takes no more. */
const TAKING_MS = 25_000;
/** How soon a run looks again whether charges of other clients are due. */
const LOOK_AGAIN_MS = 250;

/**
 * Asks the provider about charges without a notification, so that a lost notification delays a payment but does not
 * lose it. The clients take turns, and an account that does not answer costs the others almost nothing.
 */
export const reconcileCharges = (deps: PaymentDeps) => (): Promise<Reconciled> =>
  createRun({ ...deps, accountOf: rememberAccounts(deps.accountOf) })();

function createRun(deps: PaymentDeps): () => Promise<Reconciled> {
  const queues = createAccountQueues<TakenCharge>();
  const done = { asked: 0, changed: 0 };
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  let asking = 0;
  let taking = false;
  /** Nothing was due when nothing was under way. */
  let nothingDue = false;
  /** The database does not store what happens, so that asking on would be useless. */
  let broken = false;
  let lookAgainAt = 0;
  let after: string = randomUUID();

  const now = (): number => deps.now().getTime();

  function start(work: () => Promise<void>): void {
    const ended = work()
      .catch((error: unknown) => {
        broken = true;
        failures.push(error);
      })
      .finally(() => running.delete(ended));
    running.add(ended);
  }

  async function take(): Promise<void> {
    taking = true;
    const alone = running.size === 0;
    try {
      const [dueBy, leasedUntil] = [new Date(now()), new Date(now() + LEASE_MS)];
      const without = queues.occupiedClients();
      const params = { dueBy, leasedUntil, most: CHARGES_PER_TAKE, after, without };
      const due = await deps.db.runUnscoped(TAKE_DUE_CHARGES, params);
      // The last client that is named for the first time is the last one in the order of the turns.
      after = [...new Set(due.map(({ clientId }) => clientId))].at(-1) ?? after;
      nothingDue = alone && due.length === 0;
      if (due.length === 0) lookAgainAt = now() + LOOK_AGAIN_MS;
      queues.add(due.map((charge) => ({ ...charge, leasedUntil })));
    } finally {
      taking = false;
    }
  }

  async function askAbout(charge: TakenCharge): Promise<void> {
    asking += 1;
    const began = now();
    try {
      const outcome = await askAboutCharge(deps, charge);
      done.asked += 1;
      if (outcome.kind === 'answered' && outcome.changed) done.changed += 1;
      await judgeAccount(charge, outcome, now() - began);
    } finally {
      asking -= 1;
    }
  }

  /** Pauses an account that does not answer, and resumes one that answers again. */
  async function judgeAccount(charge: TakenCharge, outcome: Outcome, tookMs: number): Promise<void> {
    const { clientId, provider: purpose, accountId } = charge;
    const failure = outcome.kind === 'failed' ? outcome.failure : null;
    if (failure !== null && !(failure instanceof PaymentProviderError)) {
      queues.dropped(charge);
      failures.push(failure);
      return;
    }
    if (failure === null || !concernsAccount(failure)) {
      const recovered = queues.answered(charge, tookMs);
      if (!recovered || accountId === null || purpose === 'sandbox') return;
      await deps.db.writePrepared({ clientId }, RESUME_ACCOUNT, { clientId, purpose, accountId });
      return;
    }
    const { retryAfterSeconds } = failure;
    const paused = queues.failed(charge, { atOnce: retryAfterSeconds !== undefined });
    if (!paused || accountId === null || purpose === 'sandbox') return;
    const kind = failure.kind === 'unauthorized' ? 'refused' : 'unavailable';
    const pauseMs = accountPauseMs({ kind, failures: charge.accountFailures + 1, retryAfterSeconds });
    const askFrom = new Date(now() + pauseMs);
    const problem = kind === 'refused' ? 'credentials_refused' : 'unavailable';
    await deps.db.writePrepared({ clientId }, PAUSE_ACCOUNT, { clientId, purpose, accountId, askFrom, problem });
  }

  function startQuestions(): void {
    while (asking < CONCURRENT_QUESTIONS) {
      const charge = queues.next();
      if (charge === undefined) return;
      start(() => askAbout(charge));
    }
  }

  return async () => {
    const began = now();
    for (;;) {
      const elapsed = now() - began;
      if (!broken && elapsed < RUN_MS) startQuestions();
      const mayTake = !broken && !taking && elapsed < TAKING_MS && !queues.hasWaiting();
      if (mayTake && (running.size === 0 ? !nothingDue : now() >= lookAgainAt)) start(take);
      if (running.size === 0) break;
      await Promise.race(running);
    }
    if (failures.length > 0) throw failures[0];
    return { ...done, more: !nothingDue };
  };
}

/** Whether the failure is one of the account, and not of the charge. */
export const concernsAccount = ({ kind }: PaymentProviderError): boolean =>
  kind === 'unauthorized' || kind === 'retryable' || kind === 'unknown_outcome';

/** Reads and decrypts the credentials of an account once in a run, and not for each of its charges. */
function rememberAccounts(accountOf: PaymentDeps['accountOf']): PaymentDeps['accountOf'] {
  const known = new Map<string, Promise<PaymentAccount>>();
  return (charge: ChargeOrigin) => {
    const key = `${charge.clientId}:${charge.provider}:${charge.accountId ?? ''}`;
    const account = known.get(key) ?? accountOf(charge);
    known.set(key, account);
    // A read that failed is tried again for the next charge.
    account.catch(() => known.delete(key));
    return account;
  };
}
