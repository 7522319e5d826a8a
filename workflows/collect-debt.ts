import {
  ActivityFailure,
  continueAsNew,
  defineQuery,
  setHandler,
  upsertSearchAttributes,
  uuid4,
  workflowInfo,
} from '@temporalio/workflow';
import type { DebtTask, Outlook } from '../activities/contract.ts';
import { createClock } from './clock.ts';
import { type CollectionInput, messageReceived, paymentNoticed, SEARCH_ATTRIBUTES, stateChanged } from './contract.ts';
import { answerDebtor, contactDebtor, settlePayment } from './proxies.ts';

export interface CollectionState {
  readonly doing: 'waiting' | 'settling' | 'contacting' | 'answering' | 'needs an operator';
  readonly nextAt: number | null;
}

export const collectionState = defineQuery<CollectionState>('state');

/** People write in pieces: what comes within this time is one turn, with one answer. */
const TURN_MS = 10_000;
/** After all tries have failed: often enough for the day the cause is mended, rare enough to cost little. */
const OPERATOR_RETRY_MS = 60 * 60_000;
const NEEDS_OPERATOR = 'NEEDS_OPERATOR';

const setStatus = (value: string): void => upsertSearchAttributes([{ key: SEARCH_ATTRIBUTES.debtStatus, value }]);

/** One debt from its first contact to its end. What happens is decided by activities; here is the order in time. */
export async function collectDebt(input: CollectionInput): Promise<string> {
  const { clientId, debtId } = input;
  const clock = createClock({ offsetMs: input.offsetMs, maxWaitMs: input.maxWaitMs });
  const asked = { payment: false, message: false, change: false };
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

  /** Null: given up for a payment that was noticed meanwhile, which waits for nobody's repair of something else. */
  async function perform(activity: (task: DebtTask) => Promise<Outlook>): Promise<Outlook | null> {
    const attemptKey = uuid4();
    for (let told = false; ; ) {
      const { offsetMs } = clock.state();
      const task = {
        clientId,
        debtId,
        clock: { at: clock.now(), offsetMs, exact: input.maxWaitMs !== null },
        attemptKey,
      };
      try {
        return await activity(task);
      } catch (error) {
        if (!(error instanceof ActivityFailure)) throw error;
        doing = 'needs an operator';
        if (!told) setStatus(NEEDS_OPERATOR);
        told = true;
        asked.change = false;
        const news = () => asked.change || asked.payment;
        await clock.waitUntil(clock.now() + OPERATOR_RETRY_MS, news, 'All tries failed: see the runbook');
        if (asked.payment && activity !== settlePayment) return null;
        asked.payment = false;
      }
    }
  }

  for (;;) {
    doing = 'waiting';
    await pause();
    let outlook: Outlook | null;
    asked.change = false;
    // Money first: whoever has paid is neither answered nor contacted as one who has not.
    if (asked.payment) {
      asked.payment = false;
      doing = 'settling';
      outlook = await perform(settlePayment);
    } else if (asked.message) {
      await clock.waitUntil(clock.now() + TURN_MS, () => asked.payment, 'Let the debtor finish writing');
      if (asked.payment) continue;
      asked.message = false;
      doing = 'answering';
      outlook = await perform(answerDebtor);
      if (outlook === null) asked.message = true;
    } else {
      doing = 'contacting';
      outlook = await perform(contactDebtor);
    }
    if (outlook === null) continue;
    if (anyAsked()) {
      nextAt = outlook.nextAt;
      continue;
    }
    if (outlook.done !== null) {
      setStatus(outlook.done);
      return outlook.done;
    }
    nextAt = outlook.nextAt;
    if (workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof collectDebt>({ ...input, offsetMs: clock.state().offsetMs, firstAt: nextAt });
    }
  }
}
