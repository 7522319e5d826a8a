import { continueAsNew, defineQuery, setHandler, uuid4, workflowInfo } from '@temporalio/workflow';
import type { DebtTask } from '../../../src/modules/debts/rules/debt-task.ts';
import { type NextStep, timerOf } from '../../../src/modules/debts/rules/next-step.ts';
import { createClock } from './clock.ts';
import { type CollectionInput, messageReceived, paymentNoticed, receiptWanted, stateChanged } from './contract.ts';
import { allTriesFailed, createOperatorFlag, OPERATOR_RETRY_MS, setStatus } from './operator.ts';
import { answerDebtor, contactDebtor, deliverReceipt, settlePayment } from './proxies.ts';
import { stepOf } from './recorded-steps.ts';

type Work = 'settling' | 'delivering' | 'answering' | 'contacting';

export interface CollectionState {
  readonly doing: Work | 'waiting' | 'needs an operator';
  readonly nextAt: number | null;
}

export const collectionState = defineQuery<CollectionState>('state');

/**
 * Debtors write one thought in several messages, so messages within this time are understood together and get one
 * answer.
 */
const TURN_MS = 10_000;

const ACTIVITIES: Readonly<Record<Work, (task: DebtTask) => Promise<NextStep>>> = {
  settling: settlePayment,
  delivering: deliverReceipt,
  answering: answerDebtor,
  contacting: contactDebtor,
};
/** Work that a person expects: the workflow does not end before it is done. */
const OWED: readonly Work[] = ['settling', 'answering', 'delivering'];

/**
 * Collects one debt from its first contact to its end. Activities decide what happens; the workflow decides the order.
 */
export async function collectDebt(input: CollectionInput): Promise<string> {
  const { clientId, debtId } = input;
  const clock = createClock({ offsetMs: input.offsetMs, maxWaitMs: input.maxWaitMs });
  const callOperator = createOperatorFlag('IN_COLLECTION');
  const asked = { payment: false, receipt: false, message: false, change: false };
  /** The attempt keys of activities that failed for good: the next attempt must find what an earlier one has booked. */
  const unfinished: Partial<Record<Work, string>> = {};
  let doing: CollectionState['doing'] = 'waiting';
  let nextAt: number | null = input.firstAt ?? clock.now();
  let paid = false;
  setHandler(paymentNoticed, () => {
    asked.payment = true;
  });
  setHandler(receiptWanted, () => {
    asked.receipt = true;
  });
  setHandler(messageReceived, () => {
    asked.message = true;
  });
  setHandler(stateChanged, () => {
    asked.change = true;
  });
  setHandler(collectionState, () => ({ doing, nextAt }));

  const anyAsked = () => asked.payment || asked.receipt || asked.message || asked.change;
  const pause = (): Promise<unknown> =>
    nextAt === null
      ? clock.waitFor(anyAsked)
      : clock.waitUntil(nextAt, anyAsked, 'Wait for the next allowed contact, or for news');

  /**
   * Payments come first, so that a debtor who has paid is not treated as one who owes. Failed work is tried again
   * later.
   */
  function nextWork(): Work {
    if (asked.payment) return 'settling';
    if (asked.receipt) return 'delivering';
    if (asked.message) return 'answering';
    return OWED.find((work) => unfinished[work] !== undefined) ?? (paid ? 'delivering' : 'contacting');
  }

  /** Returns null when all tries failed; the same work is tried again later, and other work continues meanwhile. */
  async function perform(work: Work): Promise<NextStep | null> {
    const attemptKey = unfinished[work] ?? uuid4();
    unfinished[work] = attemptKey;
    const { offsetMs } = clock.state();
    const exact = input.maxWaitMs !== null;
    try {
      const task = { clientId, debtId, clock: { at: clock.now(), offsetMs, exact }, attemptKey };
      const step = stepOf(await ACTIVITIES[work](task));
      delete unfinished[work];
      callOperator(step.needsOperator);
      return step;
    } catch (error) {
      if (!allTriesFailed(error)) throw error;
      callOperator(true);
      return null;
    }
  }

  for (;;) {
    await pause();
    asked.change = false;
    const work = nextWork();
    if (work === 'answering' && asked.message) {
      await clock.waitUntil(clock.now() + TURN_MS, () => asked.payment, 'Let the debtor finish writing');
      if (asked.payment) continue;
      asked.message = false;
    }
    if (work === 'settling') asked.payment = false;
    if (work === 'delivering') asked.receipt = false;
    doing = work;
    const step = await perform(work);
    doing = step === null || step.needsOperator ? 'needs an operator' : 'waiting';
    nextAt = step === null ? clock.now() + OPERATOR_RETRY_MS : timerOf(step);
    if (step === null) continue;
    paid = step.kind === 'sendReceipt' || (step.kind === 'finish' && step.status === 'PAID');
    if (paid && work === 'settling') asked.receipt = true;
    if (anyAsked()) continue;
    if (OWED.some((owed) => unfinished[owed] !== undefined)) {
      nextAt = Math.min(nextAt ?? Number.POSITIVE_INFINITY, clock.now() + OPERATOR_RETRY_MS);
      continue;
    }
    if (step.kind === 'finish') {
      setStatus(step.status);
      return step.status;
    }
    if (Object.keys(unfinished).length === 0 && workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof collectDebt>({ ...input, offsetMs: clock.state().offsetMs, firstAt: nextAt });
    }
  }
}
