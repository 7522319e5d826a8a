import { continueAsNew, defineQuery, setHandler, uuid4, workflowInfo } from '@temporalio/workflow';
import type { DebtTask, Outlook } from '../activities/contract.ts';
import { createClock } from './clock.ts';
import { type CollectionInput, messageReceived, paymentNoticed, receiptWanted, stateChanged } from './contract.ts';
import { allTriesFailed, createOperatorFlag, OPERATOR_RETRY_MS, setStatus } from './operator.ts';
import { answerDebtor, contactDebtor, deliverReceipt, settlePayment } from './proxies.ts';

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

const ACTIVITIES: Readonly<Record<Work, (task: DebtTask) => Promise<Outlook>>> = {
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
  async function perform(work: Work): Promise<Outlook | null> {
    const attemptKey = unfinished[work] ?? uuid4();
    unfinished[work] = attemptKey;
    const { offsetMs } = clock.state();
    const exact = input.maxWaitMs !== null;
    try {
      const task = { clientId, debtId, clock: { at: clock.now(), offsetMs, exact }, attemptKey };
      const outlook = await ACTIVITIES[work](task);
      delete unfinished[work];
      callOperator(outlook.needsOperator);
      return outlook;
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
    const outlook = await perform(work);
    doing = outlook === null || outlook.needsOperator ? 'needs an operator' : 'waiting';
    nextAt = outlook === null ? clock.now() + OPERATOR_RETRY_MS : outlook.nextAt;
    if (outlook === null) continue;
    paid = outlook.done === 'PAID';
    if (paid && work === 'settling') asked.receipt = true;
    if (anyAsked()) continue;
    if (OWED.some((owed) => unfinished[owed] !== undefined)) {
      nextAt = Math.min(nextAt ?? Number.POSITIVE_INFINITY, clock.now() + OPERATOR_RETRY_MS);
      continue;
    }
    if (outlook.done !== null && nextAt === null) {
      setStatus(outlook.done);
      return outlook.done;
    }
    if (Object.keys(unfinished).length === 0 && workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof collectDebt>({ ...input, offsetMs: clock.state().offsetMs, firstAt: nextAt });
    }
  }
}
