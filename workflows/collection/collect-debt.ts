import { continueAsNew, defineQuery, patched, setHandler, uuid4, workflowInfo } from '@temporalio/workflow';
import type { DebtStep } from '../../activities/contract.ts';
import type { DebtKnowledge, DebtTask, KnownContact, KnownEvent } from '../../src/modules/debts/rules/debt-task.ts';
import { timerOf } from '../../src/modules/debts/rules/next-step.ts';
import { createClock } from '../clock.ts';
import {
  type CollectionInput,
  clockHeld,
  clockReleased,
  dayPassed,
  messageReceived,
  paymentNoticed,
  receiptWanted,
  stateChanged,
  type Work,
} from '../contract.ts';
import { allTriesFailed, createOperatorFlag, OPERATOR_RETRY_MS, setEnd } from '../operator.ts';
import { answersOf, contactDebtor, deliverReceipt } from '../proxies.ts';
import { VERSIONS } from '../versions.ts';
import { purposeOf, type RunDetails, showDetails, waitText } from './details.ts';

/** A cap looks back 168 hours and counts three contacts; the others keep the timeline complete. */
const MAX_CONTACTS = 10;

interface Known {
  readonly contacts: readonly KnownContact[];
  readonly lastHeard: KnownEvent | null;
}

interface Knowledge {
  learn(work: Work, known: DebtKnowledge): void;
  state(): Known;
}

/**
 * What the workflow remembers of a debt beside the database: its latest contacts, and how far the timeline went when it
 * last answered or settled something. Activities compare this with a database that may have been restored.
 */
function createKnowledge(before: Known | undefined): Knowledge {
  let contacts = before?.contacts ?? [];
  let lastHeard = before?.lastHeard ?? null;
  return {
    learn(work, known) {
      const { contact } = known;
      if (contact !== null && !contacts.some(({ id }) => id === contact.id)) {
        contacts = [...contacts, contact].slice(-MAX_CONTACTS);
      }
      if (work !== 'contacting') lastHeard = known.event ?? lastHeard;
    },
    state: () => ({ contacts, lastHeard }),
  };
}

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

/** Work that a person expects: the workflow does not end before it is done. */
const OWED: readonly Work[] = ['settling', 'answering', 'delivering'];

/**
 * Collects one debt from its first contact to its end. Activities decide what happens; the workflow decides the order.
 */
export async function collectDebt(input: CollectionInput): Promise<string> {
  const { clientId, debtId, carried } = input;
  const { answerDebtor, settlePayment } = answersOf(workflowInfo().taskQueue);
  const activities: Readonly<Record<Work, (task: DebtTask) => Promise<DebtStep>>> = {
    settling: settlePayment,
    delivering: deliverReceipt,
    answering: answerDebtor,
    contacting: contactDebtor,
  };
  const clock = createClock({
    offsetMs: input.offsetMs,
    maxWaitMs: input.maxWaitMs,
    ...(carried?.heldAt === undefined ? {} : { heldAt: carried.heldAt }),
  });
  if (input.clockHeld === true && carried === undefined) clock.hold();
  const operator = createOperatorFlag(carried?.needsOperator);
  const knowledge = createKnowledge(carried);
  const asked = { payment: false, receipt: false, message: false, change: false };
  const unfinished: Partial<Record<Work, string>> = { ...carried?.unfinished };
  /** When unfinished work is tried again. */
  const dueAgain: Partial<Record<Work, number>> = { ...carried?.dueAgain };
  let mayHaveEnded = carried === undefined && (input.mayHaveEnded === true || workflowInfo().parent === undefined);
  let doing: CollectionState['doing'] = operator.isRaised() ? 'needs an operator' : 'waiting';
  let nextAt: number | null = carried === undefined ? (input.firstAt ?? clock.now()) : input.firstAt;
  let purpose = purposeOf({ kind: 'wait' });
  let refusedBy: readonly string[] | undefined;
  let status: RunDetails['status'] = null;
  let paid = carried?.paid ?? false;
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
  setHandler(clockHeld, clock.hold);
  setHandler(dayPassed, clock.passDay);
  setHandler(clockReleased, clock.release);
  setHandler(collectionState, () => ({ doing, nextAt }));

  const anyAsked = () => asked.payment || asked.receipt || asked.message || asked.change;
  const pause = (): Promise<unknown> =>
    nextAt === null ? clock.waitFor(anyAsked) : clock.waitUntil(nextAt, anyAsked, waitText(nextAt, purpose, refusedBy));
  const show = () =>
    showDetails({
      doing,
      wait: waitText(nextAt, purpose, refusedBy),
      status,
      contacts: knowledge.state().contacts.length,
      isHeld: clock.state().heldAt !== undefined,
    });

  const dueAt = (work: Work): number => dueAgain[work] ?? 0;
  /** Returns what is owed: what is due first comes first, so that work which fails for long keeps nothing waiting. */
  function owed(): readonly Work[] {
    const works = OWED.filter((work) => unfinished[work] !== undefined);
    if (works.length < 2 || !patched(VERSIONS.owedWorkWhenDue)) return works;
    return works.toSorted((one, other) => dueAt(one) - dueAt(other));
  }

  /**
   * Payments come first, so that a debtor who has paid is not treated as one who owes. Failed work is tried again
   * later.
   */
  function nextWork(): Work {
    if (asked.payment) return 'settling';
    if (asked.receipt) return 'delivering';
    if (asked.message) return 'answering';
    const next = owed()[0] ?? (paid ? 'delivering' : 'contacting');
    // Only a contact looks at a change: a debt that was resumed gets its plan, and a message that failed late is undone.
    return next !== 'contacting' && asked.change && patched(VERSIONS.changesAreLookedAt) ? 'contacting' : next;
  }

  /** A change is looked at by the work that follows what was asked for with it, because a debt may have no plan yet. */
  const isKept = (work: Work): boolean =>
    asked.change &&
    ((work === 'settling' && asked.payment) ||
      (work === 'delivering' && asked.receipt) ||
      (work === 'answering' && asked.message));

  /** Returns null when all tries failed; the same work is tried again later, and other work continues meanwhile. */
  async function perform(work: Work): Promise<DebtStep | null> {
    const attemptKey = unfinished[work] ?? uuid4();
    unfinished[work] = attemptKey;
    const { offsetMs } = clock.state();
    const exact = input.maxWaitMs !== null;
    try {
      const task = {
        clientId,
        debtId,
        clock: { at: clock.now(), offsetMs, exact },
        attemptKey,
        ...knowledge.state(),
        ...(mayHaveEnded ? { mayHaveEnded } : {}),
      };
      const step = await activities[work](task);
      mayHaveEnded = false;
      knowledge.learn(work, step.known);
      refusedBy = step.known.refusedBy;
      const is = step.known.status;
      if (is !== undefined && is !== status?.is) status = { is, since: clock.now() };
      operator.set(step.needsOperator);
      if (step.clockOffsetMs !== undefined) clock.follow(step.clockOffsetMs);
      if (step.kind === 'tryAgain') dueAgain[work] = Math.min(step.at, clock.now() + OPERATOR_RETRY_MS);
      else {
        delete unfinished[work];
        delete dueAgain[work];
      }
      return step;
    } catch (error) {
      if (!allTriesFailed(error)) throw error;
      operator.set(true);
      dueAgain[work] = clock.now() + OPERATOR_RETRY_MS;
      return null;
    }
  }

  /** A history must not grow without end, also while an activity fails for weeks. No signal may be unhandled. */
  async function continueWhenLong(): Promise<void> {
    if (anyAsked() || !workflowInfo().continueAsNewSuggested) return;
    const { offsetMs, heldAt } = clock.state();
    await continueAsNew<typeof collectDebt>({
      ...input,
      offsetMs,
      firstAt: nextAt,
      carried: {
        unfinished,
        dueAgain,
        needsOperator: operator.isRaised(),
        paid,
        ...(heldAt === undefined ? {} : { heldAt }),
        ...knowledge.state(),
      },
    });
  }

  for (;;) {
    show();
    await pause();
    const work = nextWork();
    if (!isKept(work)) asked.change = false;
    if (work === 'answering' && asked.message) {
      await clock.waitShortly(TURN_MS, () => asked.payment, 'Let the debtor finish writing');
      if (asked.payment) continue;
      asked.message = false;
    }
    if (work === 'settling') asked.payment = false;
    if (work === 'delivering') asked.receipt = false;
    doing = work;
    show();
    const step = await perform(work);
    doing = step === null || step.needsOperator ? 'needs an operator' : 'waiting';
    purpose = purposeOf(step);
    nextAt = step === null ? clock.now() + OPERATOR_RETRY_MS : timerOf(step);
    if (step !== null) {
      if (step.kind !== 'tryAgain')
        paid = step.kind === 'sendReceipt' || (step.kind === 'finish' && step.status === 'PAID');
      if (paid && work === 'settling') asked.receipt = true;
      if (anyAsked()) continue;
    }
    const [first] = owed();
    if (first !== undefined) {
      const isKnown = first === work || patched(VERSIONS.owedWorkWhenDue);
      nextAt = Math.min(nextAt ?? Number.POSITIVE_INFINITY, isKnown ? dueAt(first) : clock.now() + OPERATOR_RETRY_MS);
    } else if (step?.kind === 'finish') {
      setEnd(step.status);
      return step.status;
    }
    await continueWhenLong();
  }
}
