import { continueAsNew, defineQuery, setHandler, uuid4, workflowInfo } from '@temporalio/workflow';
import type { DebtTask, Outlook } from '../activities/contract.ts';
import { createClock } from './clock.ts';
import { type CollectionInput, messageReceived, paymentNoticed, stateChanged } from './contract.ts';
import { allTriesFailed, createOperatorFlag, OPERATOR_RETRY_MS, setStatus } from './operator.ts';
import { answerDebtor, contactDebtor } from './proxies.ts';

export interface CollectionState {
  readonly doing: 'waiting' | 'contacting' | 'answering' | 'needs an operator';
  readonly nextAt: number | null;
}

export const collectionState = defineQuery<CollectionState>('state');

/** People write in pieces: what comes within this time is one turn, with one answer. */
const TURN_MS = 10_000;

/** One debt from its first contact to its end. What happens is decided by activities; here is the order in time. */
export async function collectDebt(input: CollectionInput): Promise<string> {
  const { clientId, debtId } = input;
  const clock = createClock({ offsetMs: input.offsetMs, maxWaitMs: input.maxWaitMs });
  const callOperator = createOperatorFlag('IN_COLLECTION');
  const asked = { payment: false, message: false, change: false };
  /** Of an activity that failed for good: its next try must know what an earlier one has booked. */
  const unfinished: { contact?: string | undefined; answer?: string | undefined } = {};
  let doing: CollectionState['doing'] = 'waiting';
  let nextAt: number | null = input.firstAt ?? clock.now();
  setHandler(paymentNoticed, () => {
    asked.payment = true;
  });
  setHandler(messageReceived, () => {
    asked.message = true;
  });
  setHandler(stateChanged, () => {
    asked.change = true;
  });
  setHandler(collectionState, () => ({ doing, nextAt }));

  const anyAsked = () => asked.payment || asked.message || asked.change;
  const pause = (): Promise<unknown> =>
    nextAt === null
      ? clock.waitFor(anyAsked)
      : clock.waitUntil(nextAt, anyAsked, 'Wait for the next allowed contact, or for news');

  /** Null: all tries failed, and the same is tried again later; what else happens meanwhile goes on. */
  async function perform(kind: keyof typeof unfinished, run: (task: DebtTask) => Promise<Outlook>) {
    const attemptKey = unfinished[kind] ?? uuid4();
    unfinished[kind] = attemptKey;
    const { offsetMs } = clock.state();
    const exact = input.maxWaitMs !== null;
    try {
      const outlook = await run({ clientId, debtId, clock: { at: clock.now(), offsetMs, exact }, attemptKey });
      unfinished[kind] = undefined;
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
    let outlook: Outlook | null;
    asked.change = false;
    if (asked.message || unfinished.answer !== undefined) {
      if (asked.message) {
        await clock.waitUntil(clock.now() + TURN_MS, () => false, 'Let the debtor finish writing');
      }
      asked.message = false;
      doing = 'answering';
      outlook = await perform('answer', answerDebtor);
    } else {
      asked.payment = false;
      doing = 'contacting';
      outlook = await perform('contact', contactDebtor);
    }
    doing = outlook === null || outlook.needsOperator ? 'needs an operator' : 'waiting';
    nextAt = outlook === null ? clock.now() + OPERATOR_RETRY_MS : outlook.nextAt;
    if (outlook === null || anyAsked()) continue;
    if (outlook.done !== null) {
      setStatus(outlook.done);
      return outlook.done;
    }
    const settled = unfinished.contact === undefined && unfinished.answer === undefined;
    if (settled && workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof collectDebt>({ ...input, offsetMs: clock.state().offsetMs, firstAt: nextAt });
    }
  }
}
