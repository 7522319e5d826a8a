import { continueAsNew, defineQuery, patched, setHandler, uuid4, workflowInfo } from '@temporalio/workflow';
import type { AgreementNext } from '../../src/modules/agreements/rules/agreement-task.ts';
import { createClock, momentText } from '../clock.ts';
import { type AgreementInput, clockHeld, clockReleased, dayPassed, paymentNoticed, stateChanged } from '../contract.ts';
import { allTriesFailed, createOperatorFlag, OPERATOR_RETRY_MS, setEnd } from '../operator.ts';
import { answersOf, followOnce } from '../proxies.ts';
import { VERSIONS } from '../versions.ts';

export interface AgreementState {
  readonly nextAt: number | null;
}

export const agreementState = defineQuery<AgreementState>('agreementState');

/**
 * Follows one agreement until it is kept, broken or cancelled. Activities decide what happens; the workflow decides the
 * order: payments come first, so that nobody is reminded of what was paid.
 */
export async function followAgreement(input: AgreementInput): Promise<string> {
  const { clientId, agreementId, carried } = input;
  const { settleAgreement } = answersOf(workflowInfo().taskQueue);
  const clock = createClock({
    offsetMs: input.offsetMs,
    maxWaitMs: input.maxWaitMs,
    ...(carried?.heldAt === undefined ? {} : { heldAt: carried.heldAt }),
  });
  if (input.clockHeld === true && carried === undefined) clock.hold();
  const operator = createOperatorFlag(carried?.needsOperator);
  const asked = { payment: false, change: false };
  let nextAt: number | null = carried === undefined ? clock.now() : carried.nextAt;
  let attemptKey: string | null = null;
  /** A payment was notified about which the provider has not answered. */
  let owesSettlement = carried?.owesSettlement ?? false;
  setHandler(paymentNoticed, () => {
    asked.payment = true;
  });
  setHandler(stateChanged, () => {
    asked.change = true;
  });
  setHandler(clockHeld, clock.hold);
  setHandler(dayPassed, clock.passDay);
  setHandler(clockReleased, clock.release);
  setHandler(agreementState, () => ({ nextAt }));

  const anyAsked = () => asked.payment || asked.change;
  const pause = (): Promise<unknown> =>
    nextAt === null
      ? clock.waitFor(anyAsked)
      : clock.waitUntil(nextAt, anyAsked, `Wait until ${momentText(nextAt)} for the agreement, or for news`);

  /** Returns null when all tries failed; they are made again later. */
  async function work(): Promise<AgreementNext | null> {
    attemptKey ??= uuid4();
    const { offsetMs } = clock.state();
    const exact = input.maxWaitMs !== null;
    const task = { clientId, agreementId, clock: { at: clock.now(), offsetMs, exact }, attemptKey };
    try {
      if (asked.payment || owesSettlement) {
        asked.payment = false;
        // What follows a settlement looks at the change too, so that a settlement which fails is not tried at once again.
        if (asked.change && patched(VERSIONS.changesAwaitSettlement)) asked.change = false;
        owesSettlement = true;
        await settleAgreement(task);
        owesSettlement = false;
      }
      asked.change = false;
      const next = await followOnce(task);
      attemptKey = null;
      operator.set(next.needsOperator);
      return next;
    } catch (error) {
      if (!allTriesFailed(error)) throw error;
      operator.set(true);
      return null;
    }
  }

  /** A history must not grow without end. No signal may be unhandled. */
  async function continueWhenLong(): Promise<void> {
    if (anyAsked() || !workflowInfo().continueAsNewSuggested) return;
    const { offsetMs, heldAt } = clock.state();
    await continueAsNew<typeof followAgreement>({
      ...input,
      offsetMs,
      carried: {
        nextAt,
        owesSettlement,
        needsOperator: operator.isRaised(),
        ...(heldAt === undefined ? {} : { heldAt }),
      },
    });
  }

  for (;;) {
    await pause();
    const next = await work();
    if (next === null) {
      nextAt = clock.now() + OPERATOR_RETRY_MS;
    } else {
      if (next.clockOffsetMs !== undefined) clock.follow(next.clockOffsetMs);
      nextAt = next.kind === 'wait' ? next.until : null;
      if (anyAsked()) continue;
      if (next.kind === 'finish') {
        setEnd(next.status);
        return next.status;
      }
    }
    await continueWhenLong();
  }
}
