import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { pino } from 'pino';
import type { Activities } from '../../activities/contract.ts';
import type { AgreementNext, AgreementTask } from '../../src/modules/agreements/rules/agreement-task.ts';
import type { ListingNext, ListingTask } from '../../src/modules/bureaus/rules/listing-task.ts';
import { createGateway, type Gateway } from '../../src/platform/temporal/gateway.ts';
import { type RunningWorker, startWorker } from '../../src/platform/temporal/worker.ts';
import { opened } from '../../testing/opened.ts';
import { agreementWorkflowId, listingsWorkflowId } from '../../workflows/ids.ts';
import { eventually } from './support/eventually.ts';
import { LIMITS } from './support/fixture.ts';
import { billableActions, eventsOf, keepHistory } from './support/history.ts';

const DAY = 86_400_000;
const logger = pino({ level: 'silent' });
const address = process.env['TEST_TEMPORAL_ADDRESS'] ?? '';
const target = { address, namespace: 'default' };
const codePath = process.env['TEST_WORKFLOW_BUNDLE'] ?? '';

const connection = await opened(Connection.connect({ address }));
const client = new Client({ connection });
const gatewayFor = (taskQueue: string): Gateway =>
  createGateway({ ...target, taskQueue, consoleUrl: 'https://quita.example' });
await gatewayFor('setup').ensureSearchAttributes();

let gateway: Gateway;
let worker: RunningWorker;
let follow: (task: AgreementTask, call: number) => AgreementNext;
let settle: (call: number) => void;
let calls: ('follow' | 'settle')[];
let remind: (task: ListingTask, call: number) => ListingNext;
let reminded: ListingTask[];

const wait = (until: number): AgreementNext => ({ kind: 'wait', until, needsOperator: false });
const finish = (status: 'COMPLETED' | 'BROKEN'): AgreementNext => ({ kind: 'finish', status, needsOperator: false });
const follows = (): number => calls.filter((kind) => kind === 'follow').length;

beforeEach(() => {
  const taskQueue = `agreements-${randomUUID()}`;
  gateway = gatewayFor(taskQueue);
  settle = () => {};
  calls = [];
  reminded = [];
  const activities = {
    settleAgreement: async () => {
      calls.push('settle');
      settle(calls.filter((kind) => kind === 'settle').length);
    },
    followAgreement: async (task: AgreementTask) => {
      calls.push('follow');
      return follow(task, follows());
    },
    followListings: async (task: ListingTask) => {
      reminded.push(task);
      return remind(task, reminded.length);
    },
  } satisfies Partial<Activities>;
  worker = startWorker({
    ...target,
    taskQueue,
    workerId: 'w',
    bundle: { codePath },
    activities: activities as unknown as Activities,
    limits: LIMITS,
    logger,
  });
});
afterEach(async () => {
  await worker.shutdown();
  await gateway.close();
});

const agreement = () => {
  const agreementId = randomUUID();
  const workflowId = agreementWorkflowId(agreementId);
  const input = { clientId: randomUUID(), agreementId, sandbox: true, maxWaitMs: 5_000, offsetMs: 0 };
  return {
    workflowId,
    signal: (
      signal: 'stateChanged' | 'paymentNoticed' | 'clockReleased',
      maxWaitMs = 5_000,
      more: { readonly clockHeld?: boolean } = {},
    ) =>
      gateway.signalWithStart({
        workflow: 'follow-agreement',
        workflowId,
        input: { ...input, maxWaitMs, ...more },
        signal,
      }),
    result: () => client.workflow.getHandle(workflowId).result() as Promise<string>,
    /** For how many days it has waited in real time. */
    waits: async () =>
      (await eventsOf(client, workflowId)).flatMap(({ timerStartedEventAttributes: timer }) =>
        timer == null ? [] : [Math.round((Number(timer.startToFireTimeout?.seconds ?? 0) * 1_000) / DAY)],
      ),
    /** After how many failed tries it has waited before it did anything else. */
    rests: async () => {
      const kinds = (await eventsOf(client, workflowId)).flatMap((event) => {
        if (event.activityTaskFailedEventAttributes != null) return ['failed'];
        if (event.timerStartedEventAttributes != null) return ['wait'];
        return event.activityTaskScheduledEventAttributes == null ? [] : ['work'];
      });
      return kinds.filter((kind, at) => kind === 'failed' && kinds[at + 1] === 'wait').length;
    },
    // It is no child of another workflow, whose start would be billed twice.
    actions: async () => billableActions(await eventsOf(client, workflowId)) - 1,
  };
};

describe('following an agreement', () => {
  it('costs four billable actions for an instalment that is paid before its first notice', async () => {
    const one = agreement();
    follow = ({ clock }) => wait(clock.at + 30 * DAY);
    await one.signal('stateChanged');
    await eventually(async () => expect(follows()).toBe(1));
    // It waits for the notice of the instalment: start, signal, activity and timer.
    await eventually(async () => expect(await one.actions()).toBe(4));
    await one.signal('paymentNoticed');
    await eventually(async () => expect(follows()).toBe(2));
    await eventually(async () => expect(await one.actions()).toBe(8));
    expect(calls).toEqual(['follow', 'settle', 'follow']);
    follow = () => finish('COMPLETED');
    await one.signal('paymentNoticed');
    expect(await one.result()).toBe('COMPLETED');
    // The last one sets no timer, but how it has ended.
    expect(await one.actions()).toBe(12);
  });

  it('settles what is paid after a notice, before anybody is reminded again', async () => {
    const one = agreement();
    follow = ({ clock }, call) => (call < 3 ? wait(clock.at + 5 * DAY) : finish('COMPLETED'));
    await one.signal('stateChanged', 2_000);
    await eventually(async () => expect(follows()).toBe(2));
    await one.signal('paymentNoticed');
    expect(await one.result()).toBe('COMPLETED');
    expect(calls).toEqual(['follow', 'follow', 'settle', 'follow']);
    await keepHistory(client, one.workflowId, 'follow-agreement-paid');
  });

  it('rests after each failed question about a payment, also when something else has happened', async () => {
    const one = agreement();
    settle = (call) => {
      if (call < 4) throw ApplicationFailure.nonRetryable('unauthorized', 'PaymentProviderError:unauthorized');
    };
    follow = ({ clock }) => (calls.includes('settle') ? finish('COMPLETED') : wait(clock.at + 30 * DAY));
    await one.signal('paymentNoticed', 3_000);
    await eventually(async () => expect(await one.rests()).toBe(1));
    await one.signal('stateChanged');
    expect(await one.result()).toBe('COMPLETED');
    await keepHistory(client, one.workflowId, 'follow-agreement-settlement-fails');
    expect(calls).toEqual(['settle', 'settle', 'settle', 'settle', 'follow']);
    expect(await one.rests()).toBe(3);
  });

  it('begins with a held clock when those of its debts are held, and runs when it is released', async () => {
    const one = agreement();
    const asked: number[] = [];
    follow = ({ clock }) => {
      asked.push(clock.at);
      return asked.length === 2 ? finish('COMPLETED') : wait(clock.at + 5 * DAY);
    };
    await one.signal('stateChanged', 20, { clockHeld: true });
    // A free clock would wait for 20 ms.
    await eventually(async () => expect(await one.waits()).toEqual([5]));
    await one.signal('clockReleased');
    expect(await one.result()).toBe('COMPLETED');
    expect(asked[1]! - asked[0]!).toBe(5 * DAY);
  });

  it('costs twelve billable actions from the acceptance to the breach, with all notices', async () => {
    const one = agreement();
    // The day before, the day, the warning and the breach.
    follow = ({ clock }, call) => (call === 5 ? finish('BROKEN') : wait(clock.at + call * DAY));
    await one.signal('stateChanged', 60);
    expect(await one.result()).toBe('BROKEN');
    expect(await one.actions()).toBe(12);
    await keepHistory(client, one.workflowId, 'follow-agreement-broken');
  });
});

describe('reminding of the listings of a debt that is agreed about', () => {
  const listings = () => {
    const [clientId, debtId] = [randomUUID(), randomUUID()];
    const workflowId = listingsWorkflowId(debtId);
    return {
      signal: (maxWaitMs: number) =>
        gateway.signalWithStart({
          workflow: 'follow-listings',
          workflowId,
          input: { clientId, debtId, maxWaitMs, offsetMs: 0 },
          signal: 'stateChanged',
        }),
      ended: () => client.workflow.getHandle(workflowId).result(),
      debtId,
    };
  };

  it('asks again when each term comes, and ends when nothing has to go any more', async () => {
    const one = listings();
    const terms: number[] = [];
    remind = ({ clock }, call) => {
      if (call === 4) return { until: null };
      terms.push(clock.at + call * DAY);
      return { until: terms.at(-1)! };
    };
    await one.signal(60);
    await one.ended();
    expect(reminded.map(({ debtId }) => debtId)).toEqual(Array(4).fill(one.debtId));
    // By the clock of the debt, none comes early.
    for (const [index, term] of terms.entries()) expect(reminded[index + 1]!.clock.at).toBeGreaterThanOrEqual(term);
  });

  it('looks at once when something happened to the debt', async () => {
    const one = listings();
    remind = ({ clock }, call) => ({ until: call === 1 ? clock.at + 5 * DAY : null });
    await one.signal(600_000);
    await eventually(() => expect(reminded).toHaveLength(1));
    await one.signal(600_000);
    await one.ended();
    expect(reminded).toHaveLength(2);
    expect(reminded[1]!.clock.at - reminded[0]!.clock.at).toBeLessThan(DAY);
  });
});
