import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { pino } from 'pino';
import type { Activities, DebtStep, PlanPage } from '../../activities/contract.ts';
import type { DebtStatus } from '../../src/kernel/debt-status.ts';
import type { DebtTask } from '../../src/modules/debts/rules/debt-task.ts';
import { createGateway, type Gateway } from '../../src/platform/temporal/gateway.ts';
import { type RunningWorker, startWorker } from '../../src/platform/temporal/worker.ts';
import { opened } from '../../testing/opened.ts';
import { answersQueueOf, collectionWorkflowId } from '../../workflows/ids.ts';
import { eventually } from './support/eventually.ts';
import { LIMITS } from './support/fixture.ts';
import { billableActions, countEvents, eventsOf, keepHistory } from './support/history.ts';

const DAY = 86_400_000;
const logger = pino({ level: 'silent' });
const address = process.env['TEST_TEMPORAL_ADDRESS'] ?? '';
const target = { address, namespace: 'default' };
const codePath = process.env['TEST_WORKFLOW_BUNDLE'] ?? '';

let gateway: Gateway;
let worker: RunningWorker;
let taskQueue: string;
/** The activities of this test, whose calls are recorded. */
let calls: { readonly kind: string; readonly task: DebtTask }[];
let contact: (task: DebtTask, call: number) => DebtStep | Promise<DebtStep>;
let answer: (task: DebtTask, call: number) => DebtStep | Promise<DebtStep>;
let settle: (task: DebtTask, call: number) => DebtStep | Promise<DebtStep>;
let deliver: (task: DebtTask, call: number) => DebtStep | Promise<DebtStep>;
let pages: (after: string | null, behind: number | undefined) => PlanPage;
let over: () => boolean;
/** The position in front of debts that came in later; undefined when there are none. */
let later: number | undefined;

/** Makes a history long enough for Temporal to suggest continue-as-new. */
const heavy = { padding: 'x'.repeat(500_000) };
const heavyFailure = () => ApplicationFailure.nonRetryable('broken', 'broken', heavy.padding);
const always = { needsOperator: false, known: { contact: null, event: null } };
const wait = (until: number | null): DebtStep =>
  until === null ? { kind: 'waitForSignal', ...always } : { kind: 'wait', until, ...always };
const done = (status: DebtStatus): DebtStep => ({ kind: 'finish', status, ...always });
const receiptAt = (at: number): DebtStep => ({ kind: 'sendReceipt', at, ...always });
const callsOf = (kind: string): DebtTask[] => calls.filter((call) => call.kind === kind).map(({ task }) => task);

const connection = await opened(Connection.connect({ address }));
const client = new Client({ connection });
const createGatewayFor = (queue: string): Gateway =>
  createGateway({ ...target, taskQueue: queue, consoleUrl: 'https://quita.example' });
await createGatewayFor('setup').ensureSearchAttributes();

beforeEach(() => {
  taskQueue = `collection-${randomUUID()}`;
  gateway = createGatewayFor(taskQueue);
  calls = [];
  contact = () => done('EXHAUSTED');
  answer = () => wait(null);
  settle = () => wait(null);
  deliver = () => done('PAID');
  pages = () => ({ debts: [], next: null });
  over = () => true;
  later = undefined;
  const perform = (kind: 'contact' | 'answer' | 'settle' | 'deliver') => async (task: DebtTask) => {
    calls.push({ kind, task });
    return { contact, answer, settle, deliver }[kind](task, callsOf(kind).length);
  };
  const activities: Activities = {
    heartbeat: async () => ({ worker: 'w' }),
    purgeExpired: async () => 0,
    purgeEndedDebts: async () => ({ debts: 0, messages: 0, events: 0, waiting: 0 }),
    deliverDue: async () => ({ waitMs: null }),
    followListings: async () => ({ until: null }),
    eraseDebtor: async () => undefined,
    sendAccountMail: async () => undefined,
    mailInboxDigests: async () => 0,
    askForPhone: async () => ({ waitMs: null }),
    wakePaused: async () => ({ woken: 0 }),
    checkSenders: async () => 0,
    restartLost: async () => Promise.reject(new Error('These suites lose no workflow')),
    scoreCampaign: async () => undefined,
    planCollection: async ({ after, behind }) => pages(after, behind),
    reviewCampaign: async () => ({ over: over(), ...(later === undefined ? {} : { later: { behind: later } }) }),
    contactDebtor: perform('contact'),
    answerDebtor: perform('answer'),
    settlePayment: perform('settle'),
    settleAgreement: async () => undefined,
    followAgreement: async () => Promise.reject(new Error('These suites have no agreement')),
    deliverReceipt: perform('deliver'),
    reconcileCharges: async () => ({ asked: 0, changed: 0, more: false }),
  };
  worker = startWorker({
    ...target,
    taskQueue,
    workerId: 'w',
    bundle: { codePath },
    activities,
    limits: LIMITS,
    logger,
  });
});
afterEach(async () => {
  await worker.shutdown();
  await gateway.close();
});

/** Returns whether the last run of this id continues an earlier run. */
async function goesOnFromAnother(workflowId: string): Promise<boolean> {
  const { runId, raw } = await client.workflow.getHandle(workflowId).describe();
  return raw.workflowExecutionInfo?.firstRunId !== runId;
}

const collection = (given: object = {}) => {
  const debtId = randomUUID();
  const input = {
    clientId: randomUUID(),
    campaignId: randomUUID(),
    debtId,
    sandbox: true,
    maxWaitMs: 60,
    offsetMs: 0,
    firstAt: null,
    ...given,
  };
  const workflowId = collectionWorkflowId(debtId);
  const command = { workflow: 'collect-debt', workflowId, input };
  return {
    workflowId,
    input,
    start: () => gateway.start(command),
    signal: (signal: string) => gateway.signalWithStart({ ...command, signal }),
    result: () => client.workflow.getHandle(workflowId).result() as Promise<string>,
    timers: async () => countEvents(await eventsOf(client, workflowId), 'timerStartedEventAttributes'),
    /** What Temporal's UI shows as the details of the run. */
    details: async () => {
      const metadata = await client.workflow.getHandle(workflowId).query('__temporal_workflow_metadata');
      return (metadata as { currentDetails?: string }).currentDetails;
    },
    attribute: async (name: 'Attention' | 'EndedAs') =>
      (await client.workflow.getHandle(workflowId).describe()).searchAttributes[name]?.[0] as string | undefined,
  };
};

describe('collecting one debt', () => {
  it('contacts at exactly the moments of the gate, and costs the planned number of actions', async () => {
    const firstAt = Date.now() + 3 * DAY;
    contact = ({ clock }, call) => (call === 6 ? done('EXHAUSTED') : wait(clock.at + call * DAY));
    const one = collection({ firstAt });
    await one.start();
    expect(await one.result()).toBe('EXHAUSTED');
    expect(callsOf('contact').map(({ clock }) => clock.at - firstAt)).toEqual([0, 1, 3, 6, 10, 15].map((d) => d * DAY));
    expect(callsOf('contact').every(({ clock }) => clock.exact && clock.offsetMs > 0)).toBe(true);
    expect(new Set(callsOf('contact').map(({ attemptKey }) => attemptKey)).size).toBe(6);
    expect(await one.attribute('EndedAs')).toBe('EXHAUSTED');
    const events = await eventsOf(client, one.workflowId);
    // The start costs two actions, each contact two, and the upsert one.
    expect(billableActions(events)).toBe(2 + 6 * 2 + 1);
    await keepHistory(client, one.workflowId, 'collect-debt-exhausted');
  });

  it('begins with a held clock when those of its campaign are held, and runs when it is released', async () => {
    contact = ({ clock }, call) => (call === 1 ? wait(clock.at + 5 * DAY) : done('EXHAUSTED'));
    const one = collection({ clockHeld: true });
    await one.start();
    await eventually(async () => expect(await one.details()).toContain('which staff hold'));
    await eventually(() => expect(callsOf('contact')).toHaveLength(1));
    await one.signal('clockReleased');
    expect(await one.result()).toBe('EXHAUSTED');
    const [first, second] = callsOf('contact').map(({ clock }) => clock.at);
    expect(second! - first!).toBe(5 * DAY);
  });

  it('says in its details how the debt is and why it waits, and links the console', async () => {
    const at = Date.now() + 30 * DAY;
    const known = { contact: null, event: null, status: 'DISPUTED', refusedBy: ['caps', 'dispute'] } as const;
    contact = () => ({ ...wait(at), known });
    const one = collection({ firstAt: null, maxWaitMs: 60_000 });
    await one.start();
    const label = new RegExp(
      `DISPUTED since \\d{4}-.*Wait until ${new Date(at).toISOString().slice(0, 16)}Z .*caps, dispute`,
    );
    await eventually(async () => expect(await one.details()).toMatch(label));
    const { debtId, campaignId } = one.input;
    const details = await client.workflow.getHandle(one.workflowId).describe();
    expect(await details.staticDetails()).toBe(
      `[Debt](https://quita.example/dividas/${debtId}) · [Campaign](https://quita.example/campanhas/${campaignId})`,
    );
    contact = () => done('STOPPED');
    await one.signal('stateChanged');
    expect(await one.result()).toBe('STOPPED');
  });

  it('answers a burst of messages as one turn, and continues with the resulting step', async () => {
    let answered = 0;
    contact = ({ clock }) => (answered === 0 ? wait(clock.at + 30 * DAY) : done('EXHAUSTED'));
    answer = ({ clock }) => {
      answered = clock.at;
      return wait(clock.at + 5 * DAY);
    };
    const one = collection({ maxWaitMs: 3_000 });
    await one.start();
    await eventually(() => expect(callsOf('contact')).toHaveLength(1));
    await Promise.all([1, 2, 3].map(() => one.signal('messageReceived')));
    expect(await one.result()).toBe('EXHAUSTED');
    expect(callsOf('answer')).toHaveLength(1);
    expect(callsOf('contact').at(-1)?.clock.at).toBe(answered + 5 * DAY);
    await keepHistory(client, one.workflowId, 'collect-debt-answered');
  });

  it('waits without a timer while no moment is known, until a signal arrives', async () => {
    contact = (_, call) => (call === 1 ? wait(null) : done('STOPPED'));
    const one = collection();
    await one.start();
    await eventually(() => expect(callsOf('contact')).toHaveLength(1));
    await eventually(async () => {
      const state = await client.workflow.getHandle(one.workflowId).query('state');
      expect(state).toEqual({ doing: 'waiting', nextAt: null });
    });
    expect(countEvents(await eventsOf(client, one.workflowId), 'timerStartedEventAttributes')).toBe(0);
    await one.signal('stateChanged');
    expect(await one.result()).toBe('STOPPED');
    await keepHistory(client, one.workflowId, 'collect-debt-resumed');
  });

  it('runs again when a signal arrives during an activity', async () => {
    const looking = Promise.withResolvers<void>();
    const told = Promise.withResolvers<void>();
    contact = async (_, call) => {
      if (call > 1) return done('STOPPED');
      looking.resolve();
      await told.promise;
      return wait(null);
    };
    const one = collection();
    await one.start();
    await looking.promise;
    await one.signal('stateChanged');
    told.resolve();
    expect(await one.result()).toBe('STOPPED');
    expect(callsOf('contact')).toHaveLength(2);
  });

  it('sets NEEDS_OPERATOR when all tries failed, still answers the debtor, and continues once the cause is removed', async () => {
    let broken = true;
    contact = () => {
      if (broken) throw ApplicationFailure.nonRetryable('broken');
      return done('EXHAUSTED');
    };
    const one = collection({ maxWaitMs: 400 });
    await one.start();
    await eventually(async () => expect(await one.attribute('Attention')).toBe('NEEDS_OPERATOR'));
    expect(await one.details()).toMatch(/needs an operator.*Wait until \d{4}-\d\d-\d\dT\d\d:\d\dZ to try again/);
    await one.signal('messageReceived');
    await eventually(() => expect(callsOf('answer')).toHaveLength(1));
    broken = false;
    await one.signal('stateChanged');
    expect(await one.result()).toBe('EXHAUSTED');
    // A later attempt has the key under which an earlier one may have booked.
    expect(new Set(callsOf('contact').map(({ attemptKey }) => attemptKey)).size).toBe(1);
    expect(callsOf('answer')[0]?.attemptKey).not.toBe(callsOf('contact')[0]?.attemptKey);
    expect(await one.attribute('EndedAs')).toBe('EXHAUSTED');
    await keepHistory(client, one.workflowId, 'collect-debt-operator');
  });

  it('repeats a failed answer later', async () => {
    answer = (_, call) => {
      if (call === 1) throw ApplicationFailure.nonRetryable('broken');
      return done('OPTED_OUT');
    };
    const one = collection({ firstAt: Date.now() + DAY });
    await one.signal('messageReceived');
    expect(await one.result()).toBe('OPTED_OUT');
    expect(callsOf('answer')).toHaveLength(2);
    expect(callsOf('contact')).toHaveLength(0);
  });

  it('owes an answer that cannot be sent, and settles a payment meanwhile', async () => {
    // No answer is tried again before the payment comes.
    const one = collection({ maxWaitMs: 5_000 });
    contact = () => wait(null);
    answer = ({ clock }, call) => (call === 1 ? { kind: 'tryAgain', at: clock.at + DAY, ...always } : done('PAID'));
    settle = () => done('PAID');
    await one.start();
    await eventually(() => expect(callsOf('contact')).toHaveLength(1));
    await one.signal('messageReceived');
    await eventually(() => expect(callsOf('answer')).toHaveLength(1));
    await one.signal('paymentNoticed');
    expect(await one.result()).toBe('PAID');
    expect(calls.map(({ kind }) => kind)).toEqual(['contact', 'answer', 'settle', 'deliver', 'answer']);
    expect(new Set(callsOf('answer').map(({ attemptKey }) => attemptKey)).size).toBe(1);
  });

  it('tries an owed answer again at its moment, also when a payment was looked at meanwhile', async () => {
    const one = collection();
    const noticed = Promise.withResolvers<void>();
    contact = () => wait(null);
    answer = async ({ clock }, call) => {
      if (call > 1) return done('PAID');
      await noticed.promise;
      return { kind: 'tryAgain', at: clock.at + 15_000, ...always };
    };
    await one.start();
    await eventually(() => expect(callsOf('contact')).toHaveLength(1));
    await one.signal('messageReceived');
    await eventually(() => expect(callsOf('answer')).toHaveLength(1));
    await one.signal('paymentNoticed');
    noticed.resolve();
    expect(await one.result()).toBe('PAID');
    await keepHistory(client, one.workflowId, 'collect-debt-owed-answer');
    expect(calls.map(({ kind }) => kind)).toEqual(['contact', 'answer', 'settle', 'answer']);
    const [first, second] = callsOf('answer').map(({ clock }) => clock.at);
    expect(second! - first!).toBeLessThan(60_000);
  });

  it('answers while a settlement fails that is owed too', async () => {
    const one = collection();
    const noticed = Promise.withResolvers<void>();
    contact = () => wait(null);
    answer = async ({ clock }, call) => {
      if (call > 1) return wait(null);
      await noticed.promise;
      return { kind: 'tryAgain', at: clock.at + 15_000, ...always };
    };
    settle = (_, call) => {
      if (call === 1) throw ApplicationFailure.nonRetryable('The provider does not answer.');
      return done('STOPPED');
    };
    await one.start();
    await eventually(() => expect(callsOf('contact')).toHaveLength(1));
    await one.signal('messageReceived');
    await eventually(() => expect(callsOf('answer')).toHaveLength(1));
    await one.signal('paymentNoticed');
    noticed.resolve();
    expect(await one.result()).toBe('STOPPED');
    expect(calls.map(({ kind }) => kind)).toEqual(['contact', 'answer', 'settle', 'answer', 'settle']);
  });

  it('shows that the channel refuses a client’s messages until it accepts them again', async () => {
    const seen = Promise.withResolvers<void>();
    contact = async ({ clock }, call) => {
      if (call === 1) return { ...wait(clock.at + DAY), needsOperator: true };
      await seen.promise;
      return call === 2 ? wait(null) : done('STOPPED');
    };
    const one = collection();
    await one.start();
    await eventually(async () => expect(await one.attribute('Attention')).toBe('NEEDS_OPERATOR'));
    seen.resolve();
    await eventually(async () => expect(await one.attribute('Attention')).toBeUndefined());
    await one.signal('stateChanged');
    expect(await one.result()).toBe('STOPPED');
  });

  it('is started again by a payment or a message after its end', async () => {
    const one = collection();
    await one.start();
    expect(await one.result()).toBe('EXHAUSTED');
    answer = () => done('OPTED_OUT');
    await one.signal('messageReceived');
    await eventually(async () => expect(await one.result()).toBe('OPTED_OUT'));
    expect(callsOf('contact')).toHaveLength(1);
    expect(callsOf('answer')).toHaveLength(1);
    await keepHistory(client, one.workflowId, 'collect-debt-after-the-end');
  });

  it('continues as new while a step keeps failing, under the same attempt key and with all that it knows', async () => {
    const firstAt = Date.now() + DAY;
    const known = { contact: { id: randomUUID(), at: firstAt }, event: { seq: 7, at: firstAt } };
    const heard = { seq: 9, at: firstAt + 1 };
    let answers = 0;
    contact = ({ clock }, call) => {
      if (call === 1) return { ...wait(clock.at + 30 * DAY), known };
      if (answers <= 12) throw heavyFailure();
      return done('EXHAUSTED');
    };
    answer = ({ clock }) => {
      answers += 1;

      if (answers > 1 && answers <= 12) throw heavyFailure();
      return { ...wait(clock.at + DAY), known: { contact: null, event: heard } };
    };
    const one = collection({ firstAt, maxWaitMs: 20 });
    await one.start();
    await eventually(() => expect(callsOf('contact')).toHaveLength(1));
    await one.signal('messageReceived');
    await eventually(() => expect(callsOf('answer')).toHaveLength(1));
    await one.signal('messageReceived');
    expect(await one.result()).toBe('EXHAUSTED');
    expect(await goesOnFromAnother(one.workflowId)).toBe(true);
    const failing = callsOf('answer').slice(1);
    expect(failing).toHaveLength(12);
    expect(new Set(failing.map(({ attemptKey }) => attemptKey)).size).toBe(1);
    for (const task of failing) expect(task).toMatchObject({ contacts: [known.contact], lastHeard: heard });
    // Only the first attempt of the first run asks whether an earlier run has ended the debt.
    expect(calls.map(({ task }) => task.mayHaveEnded)).toEqual([true, ...Array(calls.length - 1).fill(undefined)]);
    expect(callsOf('contact').at(-1)).toMatchObject({ contacts: [known.contact], lastHeard: heard });
    expect(await one.attribute('EndedAs')).toBe('EXHAUSTED');
  });

  it('keeps NEEDS_OPERATOR when it continues as new, and clears it when the step succeeds', async () => {
    let broken = true;
    contact = () => {
      if (broken) throw heavyFailure();
      return wait(null);
    };
    const one = collection({ maxWaitMs: 20 });
    await one.start();
    // It goes on as new after many retries, which a busy machine makes slow.
    await eventually(async () => expect(await goesOnFromAnother(one.workflowId)).toBe(true), 60_000);
    expect(await one.attribute('Attention')).toBe('NEEDS_OPERATOR');
    broken = false;
    await eventually(async () => expect(await one.attribute('Attention')).toBeUndefined());
    expect(new Set(callsOf('contact').map(({ attemptKey }) => attemptKey)).size).toBe(1);
    contact = () => done('STOPPED');
    await one.signal('stateChanged');
    expect(await one.result()).toBe('STOPPED');
  });

  it('answers and settles on the queue of answers, and contacts on the other', async () => {
    contact = () => wait(null);
    settle = () => done('STOPPED');
    const one = collection();
    await one.start();
    await eventually(() => expect(callsOf('contact')).toHaveLength(1));
    await one.signal('messageReceived');
    await eventually(() => expect(callsOf('answer')).toHaveLength(1));
    await one.signal('paymentNoticed');
    await one.result();
    const queues = (await eventsOf(client, one.workflowId)).flatMap(({ activityTaskScheduledEventAttributes: task }) =>
      task ? [[task.activityType?.name, task.taskQueue?.name]] : [],
    );
    expect(queues).toEqual([
      ['contactDebtor', taskQueue],
      ['answerDebtor', answersQueueOf(taskQueue)],
      ['settlePayment', answersQueueOf(taskQueue)],
    ]);
  });

  it('carries its clock and its next moment over continue-as-new', async () => {
    const looks = 13;
    contact = ({ clock }, call) => (call === looks ? done('STOPPED') : { ...wait(clock.at + DAY), ...heavy });
    const firstAt = Date.now() + DAY;
    const one = collection({ firstAt, maxWaitMs: 20 });
    await one.start();
    expect(await one.result()).toBe('STOPPED');
    expect(await goesOnFromAnother(one.workflowId)).toBe(true);
    expect(callsOf('contact').map(({ clock }) => (clock.at - firstAt) / DAY)).toEqual(
      Array.from({ length: looks }, (_, index) => index),
    );
  });
});

describe('collecting a debt that is paid', () => {
  it('after its first message costs nine billable actions, receipt and sendings included', async () => {
    // The wait is long enough that the payment comes during the second wait, also on a slow machine.
    const one = collection({ firstAt: Date.now() + DAY, maxWaitMs: 5_000 });
    contact = ({ clock }) => wait(clock.at + 3 * DAY);
    settle = () => done('PAID');
    await one.start();
    await eventually(async () => expect(await one.timers()).toBe(2));
    await one.signal('paymentNoticed');
    expect(await one.result()).toBe('PAID');
    expect(calls.map(({ kind }) => kind)).toEqual(['contact', 'settle', 'deliver']);
    const events = await eventsOf(client, one.workflowId);
    expect(billableActions(events)).toBe(9);
    expect(await one.attribute('EndedAs')).toBe('PAID');
    await keepHistory(client, one.workflowId, 'collect-debt-paid');
  });

  it('settles soon after the process of the activity was killed, before the longest time of a provider', async () => {
    const one = collection();
    contact = () => wait(null);
    const begun: number[] = [];
    // The activity sends no heartbeat, like that of a dead process; the worker of this test waits for it at its stop.
    const lost = Promise.withResolvers<DebtStep>();
    settle = (_, call) => {
      begun.push(Date.now());
      if (call === 1) return lost.promise;
      lost.resolve(done('STOPPED'));
      return done('PAID');
    };
    await one.start();
    await one.signal('paymentNoticed');
    expect(await one.result()).toBe('PAID');
    const [first, second] = callsOf('settle');
    expect(second?.attemptKey).toBe(first?.attemptKey);
    expect(begun[1]! - begun[0]!).toBeLessThan(60_000);
  });

  it('stays until its receipt is delivered by message and e-mail, at the moments of the deliveries', async () => {
    const one = collection();
    contact = () => wait(null);
    settle = () => done('PAID');
    deliver = ({ clock }, call) => (call < 3 ? receiptAt(clock.at + call * DAY) : done('PAID'));
    await one.start();
    await one.signal('paymentNoticed');
    expect(await one.result()).toBe('PAID');
    const moments = callsOf('deliver').map(({ clock }) => clock.at);
    expect(moments.map((at) => at - moments[0]!)).toEqual([0, DAY, 3 * DAY]);
    expect(callsOf('answer')).toEqual([]);
  });

  it('sends its receipt again after its end, and nothing else', async () => {
    const one = collection();
    contact = () => done('PAID');
    await one.signal('receiptWanted');
    expect(await one.result()).toBe('PAID');
    expect(calls.map(({ kind }) => kind)).toEqual(['deliver']);
  });

  it('asks the gate for a change that came together with news of a payment', async () => {
    const one = collection();
    contact = async (_, call) => {
      if (call > 1) return done('EXHAUSTED');
      await one.signal('paymentNoticed');
      await one.signal('stateChanged');
      return wait(null);
    };
    settle = () => wait(null);
    await one.start();
    await eventually(() => expect(calls.map(({ kind }) => kind)).toEqual(['contact', 'settle', 'contact']));
    expect(await one.result()).toBe('EXHAUSTED');
    await keepHistory(client, one.workflowId, 'collect-debt-change-with-payment');
  });

  it('looks at a change that comes while the receipt is delivered', async () => {
    const one = collection();
    contact = (_, call) => (call === 1 ? wait(null) : done('PAID'));
    settle = () => done('PAID');
    deliver = async (_, call) => {
      // The channel reports that the receipt has not arrived, while the mail server is still slow.
      if (call === 1) await one.signal('stateChanged');
      return done('PAID');
    };
    await one.start();
    await eventually(() => expect(callsOf('contact')).toHaveLength(1));
    await one.signal('paymentNoticed');
    expect(await one.result()).toBe('PAID');
    await keepHistory(client, one.workflowId, 'collect-debt-change-while-delivering');
    expect(calls.map(({ kind }) => kind)).toEqual(['contact', 'settle', 'deliver', 'contact']);
  });

  it('looks at a change that comes while a settlement is owed', async () => {
    const one = collection();
    contact = () => wait(null);
    settle = async (_, call) => {
      if (call === 3) return done('STOPPED');
      // The provider is down, and the client resumes the held debt meanwhile.
      if (call === 2) await one.signal('stateChanged');
      throw ApplicationFailure.nonRetryable('The provider does not answer.');
    };
    await one.start();
    await eventually(() => expect(callsOf('contact')).toHaveLength(1));
    await one.signal('paymentNoticed');
    expect(await one.result()).toBe('STOPPED');
    expect(calls.map(({ kind }) => kind)).toEqual(['contact', 'settle', 'settle', 'contact', 'settle']);
  });

  it('settles first, then answers, although the message came first', async () => {
    // The payment may come this long after the message.
    const one = collection({ maxWaitMs: 5_000 });
    contact = () => wait(null);
    settle = () => done('PAID');
    answer = () => done('PAID');
    await one.start();
    await eventually(() => expect(callsOf('contact')).toHaveLength(1));
    await one.signal('messageReceived');
    await one.signal('paymentNoticed');
    expect(await one.result()).toBe('PAID');
    expect(calls.map(({ kind }) => kind)).toEqual(['contact', 'settle', 'deliver', 'answer']);
  });

  it('does not end before its receipt is delivered, when all tries failed', async () => {
    const one = collection();
    contact = () => wait(null);
    settle = () => done('PAID');
    deliver = (_, call) => {
      if (call === 1) throw ApplicationFailure.nonRetryable('down');
      return done('PAID');
    };
    await one.start();
    await one.signal('paymentNoticed');
    expect(await one.result()).toBe('PAID');
    expect(callsOf('deliver').map(({ attemptKey }) => attemptKey)).toHaveLength(2);
    expect(await one.attribute('EndedAs')).toBe('PAID');
  });
});

describe('a campaign', () => {
  const campaign = () => {
    const campaignId = randomUUID();
    const workflowId = `campaign-${campaignId}`;
    const input = { clientId: randomUUID(), campaignId, sandbox: true, maxWaitMs: 60, launchedAt: Date.now() };
    return {
      campaignId,
      workflowId,
      start: () => gateway.start({ workflow: 'run-campaign', workflowId, input }),
      signal: () => gateway.signal({ workflowId, signal: 'stateChanged' }),
      /** What an import into a running campaign asks of the outbox. */
      takeDebts: () =>
        gateway.signalWithStart({
          workflow: 'run-campaign',
          workflowId,
          input: { ...input, restarted: true, fannedOut: true },
          signal: 'stateChanged',
        }),
      scheduled: async () =>
        (await eventsOf(client, workflowId)).flatMap(
          (event) => event.activityTaskScheduledEventAttributes?.activityType?.name ?? [],
        ),
      completed: async () =>
        (await eventsOf(client, workflowId)).filter((event) => event.activityTaskCompletedEventAttributes != null)
          .length,
      handle: client.workflow.getHandle(workflowId),
    };
  };

  it('starts debts with held clocks while staff hold those of the campaign', async () => {
    const debtId = randomUUID();
    pages = () => ({ debts: [{ debtId, firstAt: Date.now() + DAY }], next: null, clockHeld: true });
    const one = campaign();
    await one.start();
    await one.handle.result();
    const debt = client.workflow.getHandle(collectionWorkflowId(debtId));
    // A free clock would make the contact at once.
    await eventually(async () => {
      const metadata = await debt.query<{ currentDetails?: string }, []>('__temporal_workflow_metadata');
      expect(metadata.currentDetails).toContain('which staff hold');
    });
    expect(callsOf('contact')).toEqual([]);
    await debt.signal('clockReleased');
    expect(await debt.result()).toBe('EXHAUSTED');
  });

  it('starts each debt of each page once, also when a message started it first, and stays until no debt is left', async () => {
    const ids = Array.from({ length: 5 }, () => randomUUID());
    const firstAt = Date.now() + DAY;
    const page = (from: number, to: number) => ids.slice(from, to).map((debtId) => ({ debtId, firstAt }));
    pages = (after) => (after === null ? { debts: page(0, 3), next: 'more' } : { debts: page(3, 5), next: null });
    contact = () => wait(null);
    over = () => false;
    const one = campaign();
    // A message arrived before the campaign started the debt.
    const early = {
      debtId: ids[0],
      clientId: 'c',
      campaignId: 'c',
      sandbox: true,
      maxWaitMs: 60,
      offsetMs: 0,
      firstAt,
    };
    await gateway.signalWithStart({
      workflow: 'collect-debt',
      workflowId: collectionWorkflowId(ids[0] ?? ''),
      input: { ...early, debtId: ids[0] ?? '' },
      signal: 'messageReceived',
    });
    await one.start();
    await eventually(async () => expect(await one.handle.query('progress')).toEqual({ started: 5, fannedOut: true }));
    await eventually(() =>
      expect(
        callsOf('contact')
          .map(({ debtId }) => debtId)
          .sort(),
      ).toEqual(ids.slice(1).sort()),
    );
    const { searchAttributes } = await client.workflow.getHandle(collectionWorkflowId(ids[4] ?? '')).describe();
    expect(searchAttributes).toMatchObject({ CampaignId: [one.campaignId], DebtId: [ids[4]], Sandbox: [true] });
    await gateway.signal({ workflowId: one.workflowId, signal: 'stateChanged' });
    over = () => true;
    await gateway.signal({ workflowId: one.workflowId, signal: 'stateChanged' });
    await one.handle.result();
    await keepHistory(client, one.workflowId, 'run-campaign-two-pages');
    for (const id of ids) await client.workflow.getHandle(collectionWorkflowId(id)).terminate();
  });

  it('scores, plans and starts debts that came in later, and pays nothing for them before', async () => {
    const [first, ...others] = Array.from({ length: 3 }, () => ({ debtId: randomUUID(), firstAt: null }));
    const asked: (number | undefined)[] = [];
    pages = (after, behind) => {
      asked.push(behind);
      if (behind === undefined) return { debts: [first!], next: null };
      later = undefined;
      return after === null ? { debts: others.slice(0, 1), next: 'more' } : { debts: others.slice(1), next: null };
    };
    over = () => false;
    const one = campaign();
    await one.start();
    await eventually(async () => expect(await one.handle.query('progress')).toEqual({ started: 1, fannedOut: true }));
    // The debts come in after the first review, which would take them along otherwise.
    await eventually(async () => expect(await one.completed()).toBe(3));
    expect(await one.scheduled()).toEqual(['scoreCampaign', 'planCollection', 'reviewCampaign']);
    later = 7;
    await one.takeDebts();
    await eventually(async () => expect(await one.handle.query('progress')).toEqual({ started: 3, fannedOut: true }));
    expect(asked).toEqual([undefined, 7, 7]);
    for (const { debtId } of others) {
      await eventually(() => client.workflow.getHandle(collectionWorkflowId(debtId)).result());
    }
    expect((await one.scheduled()).slice(3)).toEqual([
      'reviewCampaign',
      'scoreCampaign',
      'planCollection',
      'planCollection',
    ]);
    over = () => true;
    await one.signal();
    await one.handle.result();
    await keepHistory(client, one.workflowId, 'run-campaign-later-debts');
  });

  it('that has ended is started by later debts, and plans these alone', async () => {
    const debt = { debtId: randomUUID(), firstAt: null };
    const asked: unknown[] = [];
    pages = (after, behind) => {
      asked.push({ after, behind });
      later = undefined;
      return { debts: [debt], next: null };
    };
    later = 3;
    over = () => false;
    const one = campaign();
    await one.takeDebts();
    await eventually(() => expect(asked).toEqual([{ after: null, behind: 3 }]));
    // The campaign starts the collection after it has asked for the page.
    await eventually(() => client.workflow.getHandle(collectionWorkflowId(debt.debtId)).result());
    // An earlier workflow of the campaign may have collected the debt.
    expect(callsOf('contact')).toMatchObject([{ debtId: debt.debtId, mayHaveEnded: true }]);
    await one.handle.terminate();
  });

  it('continues as new in the middle of later debts, and goes on behind the same position', async () => {
    const debts = [{ debtId: randomUUID(), firstAt: null }];
    const asked: (number | undefined)[] = [];
    pages = (after, behind) => {
      if (behind === undefined) return { debts, next: null };
      asked.push(behind);
      later = undefined;
      const page = after === null ? 0 : Number(after);
      return { debts, next: page === 24 ? null : String(page + 1), ...heavy };
    };
    later = 9;
    over = () => later === undefined;
    const one = campaign();
    await one.start();
    await eventually(() => expect(asked.length).toBeGreaterThanOrEqual(25), 45_000);
    await eventually(async () => expect(await goesOnFromAnother(one.workflowId)).toBe(true));
    await one.signal();
    await one.handle.result();
    expect(new Set(asked)).toEqual(new Set([9]));
  });

  it('continues in a new run from its present page before its history is too long', async () => {
    const debts = [{ debtId: randomUUID(), firstAt: null }];
    const asked: (string | null)[] = [];
    pages = (after) => {
      asked.push(after);
      const page = after === null ? 0 : Number(after);
      return { debts, next: page === 24 ? null : String(page + 1), ...heavy };
    };
    const one = campaign();
    await one.start();
    await one.handle.result();
    expect(await goesOnFromAnother(one.workflowId)).toBe(true);
    expect(new Set(asked)).toEqual(new Set([null, ...Array.from({ length: 24 }, (_, n) => String(n + 1))]));
    expect(await one.handle.query('progress')).toEqual({ started: 25, fannedOut: true });
  });

  it('continues as new while its planning keeps failing, and goes on with the same page', async () => {
    const debts = [{ debtId: randomUUID(), firstAt: null }];
    const asked: (string | null)[] = [];
    pages = (after) => {
      asked.push(after);
      if (after === 'second' && asked.length < 15) throw heavyFailure();
      return { debts, next: after === null ? 'second' : null };
    };
    const one = campaign();
    await one.start();
    await one.handle.result();
    expect(await goesOnFromAnother(one.workflowId)).toBe(true);
    expect(asked).toEqual([null, ...Array(14).fill('second')]);
    expect(await one.handle.query('progress')).toEqual({ started: 2, fannedOut: true });
  });

  it('sets NEEDS_OPERATOR and does not fail', async () => {
    let broken = true;
    pages = () => {
      if (broken) throw ApplicationFailure.nonRetryable('broken');
      return { debts: [], next: null };
    };
    const one = campaign();
    await one.start();
    await eventually(async () =>
      expect((await one.handle.describe()).searchAttributes['Attention']).toEqual(['NEEDS_OPERATOR']),
    );
    broken = false;
    await one.handle.result();
    await keepHistory(client, one.workflowId, 'run-campaign-operator');
  });
});

describe('the purge', () => {
  it('deletes what has expired, and returns how much that was', async () => {
    const workflowId = `purge-expired-${randomUUID()}`;
    await gateway.start({ workflow: 'purge-expired', workflowId, input: {} });
    expect(await client.workflow.getHandle(workflowId).result()).toBe(0);
    await keepHistory(client, workflowId, 'purge-expired-ended-debts');
  });
});
