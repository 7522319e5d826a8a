import {
  Client,
  Connection,
  ScheduleAlreadyRunning,
  ScheduleOverlapPolicy,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowExecutionInfo,
  WorkflowNotFoundError,
} from '@temporalio/client';
import { defineSearchAttributeKey, type Workflow } from '@temporalio/common';
import { SEARCH_ATTRIBUTES, SIGNALS, WORKFLOWS } from '../../../workflows/contract.ts';
import { consoleLinks } from '../../../workflows/ids.ts';
import type { OutboxPayload } from '../../kernel/ports/outbox-store.ts';
import { connectionSettings, type TemporalTarget } from './connection.ts';
import { grpcFailure, toGatewayError } from './gateway-error.ts';
import { batchQuery, startAttributes } from './search-attributes.ts';
import { createTaskQueues, type TaskQueues } from './task-queues.ts';

export interface GatewayOptions extends TemporalTarget {
  readonly taskQueue: string;
  readonly deadlineMs?: number;
  /** Where the console is, for links in Temporal's UI. */
  readonly consoleUrl?: string;
}

export interface StartCommand {
  readonly workflow: string;
  readonly workflowId: string;
  readonly input: OutboxPayload;
}

export interface SignalCommand {
  readonly workflowId: string;
  readonly signal: string;
}

export interface BatchSignalCommand {
  /** A second batch with the same id counts as already accepted. */
  readonly jobId: string;
  readonly workflow: string;
  readonly signal: string;
  readonly target: OutboxPayload;
}

export interface ScheduleCommand extends StartCommand {
  readonly scheduleId: string;
  readonly everyMs: number;
}

export interface RunDescription {
  readonly status: string;
  readonly runId: string;
  /** The status in which a collection has ended, by its search attribute; null when that is not set. */
  readonly debtStatus: string | null;
}

export interface Gateway extends TaskQueues {
  /**
   * An id that was used before is no error and starts nothing. With `afterBroken` it starts a run where the last one did
   * not end by itself.
   */
  start(command: StartCommand, how?: { readonly afterBroken?: true }): Promise<'started' | 'already_started'>;
  signal(command: SignalCommand): Promise<'signalled' | 'not_running'>;
  /** Starts a new run when the last one has ended, so that a signal after the end is handled too. */
  signalWithStart(command: StartCommand & SignalCommand): Promise<void>;
  batchSignal(command: BatchSignalCommand): Promise<'accepted' | 'already_accepted'>;
  /** Creates the schedule, or updates it to the values of the command. */
  ensureSchedule(command: ScheduleCommand): Promise<void>;
  /** Runs the action of the schedule now. */
  triggerSchedule(scheduleId: string): Promise<void>;
  ensureSearchAttributes(): Promise<void>;
  /** Describes the latest run, or returns null when there is none. Temporal does not bill this. */
  describe(workflowId: string): Promise<RunDescription | null>;
  /** Returns the latest run that has ended by itself, also when a later run is open. Temporal does not bill this. */
  lastCompleted(workflowId: string): Promise<RunDescription | null>;
  /** Returns some of the open workflows that only an operator can repair, and their number. */
  waitingForOperator(): Promise<{
    readonly count: number;
    readonly some: readonly { workflowId: string; runId: string }[];
  }>;
  /** Waits for the result of a run, at most until the deadline. */
  result(workflowId: string): Promise<unknown>;
  /** Resolves when the namespace answers, and rejects otherwise. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

// These are enum values of Temporal's API, for which the SDK exports no names.
const INDEXED_VALUE_TYPES = { KEYWORD: 2, BOOL: 5 } as const;
const ALREADY_EXISTS = 6;
const MAX_LISTED = 50;

const ENDED_AS = defineSearchAttributeKey(SEARCH_ATTRIBUTES.endedAs.name, SEARCH_ATTRIBUTES.endedAs.type);

/** Connects at the first call, so that the API serves requests while Temporal is not reachable. */
export function createGateway(options: GatewayOptions): Gateway {
  const { namespace, taskQueue, deadlineMs = 5_000, consoleUrl } = options;
  const connection = Connection.lazy({
    ...connectionSettings(options),
    // The SDK's retries inside a call are turned off: they exceed the call's deadline, and a retry after `close` ends
    // the process. The callers decide when to try again. The back-off is shortened because gRPC's default makes the
    // first call after a long outage wait over 10 s.
    interceptors: [],
    channelArgs: { 'grpc.initial_reconnect_backoff_ms': 100, 'grpc.max_reconnect_backoff_ms': 1000 },
  });
  const client = new Client({ connection, namespace });

  async function call<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await connection.withDeadline(Date.now() + deadlineMs, run);
    } catch (error) {
      throw toGatewayError(error);
    }
  }

  const startOptions = ({ workflow, workflowId, input }: StartCommand) => ({
    workflowId,
    taskQueue,
    args: [input] as [OutboxPayload],
    typedSearchAttributes: startAttributes(input),
    staticSummary: definitionOf(workflow).summary,
    ...consoleLinks(consoleUrl, input),
  });

  const queues = createTaskQueues(taskQueue, (question) =>
    call(() => connection.workflowService.describeTaskQueue({ namespace, ...question })),
  );

  return {
    ...queues,

    start: (command, { afterBroken = false } = {}) =>
      call(async () => {
        try {
          await client.workflow.start(definitionOf(command.workflow).type, {
            ...startOptions(command),
            workflowIdReusePolicy: afterBroken ? 'ALLOW_DUPLICATE_FAILED_ONLY' : 'REJECT_DUPLICATE',
          });
          return 'started';
        } catch (error) {
          if (error instanceof WorkflowExecutionAlreadyStartedError) return 'already_started';
          throw error;
        }
      }),

    signal: ({ workflowId, signal }) =>
      call(async () => {
        try {
          await client.workflow.getHandle(workflowId).signal(knownSignal(signal));
          return 'signalled';
        } catch (error) {
          if (error instanceof WorkflowNotFoundError) return 'not_running';
          throw error;
        }
      }),

    signalWithStart: (command) =>
      call(async () => {
        // The cause is for the history alone: workflows do not read it, and the run that it may start has none.
        const { cause, ...input } = command.input;
        await client.workflow.signalWithStart<Workflow, string[]>(definitionOf(command.workflow).type, {
          ...startOptions({ ...command, input }),
          workflowIdReusePolicy: 'ALLOW_DUPLICATE',
          signal: knownSignal(command.signal),
          signalArgs: typeof cause === 'string' ? [cause] : [],
        });
      }),

    batchSignal: ({ jobId, workflow, signal, target }) =>
      call(async () => {
        try {
          await connection.workflowService.startBatchOperation({
            namespace,
            jobId,
            reason: signal,
            visibilityQuery: batchQuery(definitionOf(workflow).type, target),
            signalOperation: { signal: knownSignal(signal), identity: 'quita' },
          });
          return 'accepted';
        } catch (error) {
          if (grpcFailure(error)?.code === ALREADY_EXISTS) return 'already_accepted';
          throw error;
        }
      }),

    ensureSchedule: (command) =>
      call(async () => {
        const schedule = {
          spec: { intervals: [{ every: command.everyMs }] },
          action: {
            type: 'startWorkflow' as const,
            workflowType: definitionOf(command.workflow).type,
            ...startOptions(command),
          },
          policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' as const },
        };
        try {
          await client.schedule.create({ scheduleId: command.scheduleId, ...schedule });
        } catch (error) {
          if (!(error instanceof ScheduleAlreadyRunning)) throw error;
          await client.schedule
            .getHandle(command.scheduleId)
            .update(({ state }) => ({ ...schedule, state: { paused: state.paused } }));
        }
      }),

    triggerSchedule: (scheduleId) => call(() => client.schedule.getHandle(scheduleId).trigger()),

    ensureSearchAttributes: () =>
      call(async () => {
        const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
        const missing = Object.values(SEARCH_ATTRIBUTES).filter(({ name }) => !(name in (customAttributes ?? {})));
        if (missing.length === 0) return;
        const searchAttributes = Object.fromEntries(missing.map(({ name, type }) => [name, INDEXED_VALUE_TYPES[type]]));
        try {
          await connection.operatorService.addSearchAttributes({ namespace, searchAttributes });
        } catch (error) {
          if (grpcFailure(error)?.code !== ALREADY_EXISTS) throw error;
        }
      }),

    describe: (workflowId) =>
      call(async () => {
        try {
          return describedRun(await client.workflow.getHandle(workflowId).describe());
        } catch (error) {
          if (error instanceof WorkflowNotFoundError) return null;
          throw error;
        }
      }),

    lastCompleted: (workflowId) =>
      call(async () => {
        const query = `WorkflowId = '${plainId(workflowId)}' AND ExecutionStatus = 'Completed'`;
        for await (const run of client.workflow.list({ query, pageSize: 1 })) return describedRun(run);
        return null;
      }),

    waitingForOperator: () =>
      call(async () => {
        const query = `${SEARCH_ATTRIBUTES.attention.name} = 'NEEDS_OPERATOR' AND ExecutionStatus = 'Running'`;
        const some: { workflowId: string; runId: string }[] = [];
        for await (const { workflowId, runId } of client.workflow.list({ query, pageSize: MAX_LISTED })) {
          some.push({ workflowId, runId });
          if (some.length === MAX_LISTED) break;
        }
        // Workflows begin and end to wait between two calls: the count of all is asked for where the list is not all.
        const count = some.length < MAX_LISTED ? some.length : (await client.workflow.count(query)).count;
        return { count: Math.max(count, some.length), some };
      }),

    result: (workflowId) => call(() => client.workflow.getHandle(workflowId).result()),

    ping: () =>
      call(async () => {
        await connection.workflowService.describeNamespace({ namespace });
      }),

    close: () => connection.close(),
  };
}

function definitionOf(workflow: string): (typeof WORKFLOWS)[keyof typeof WORKFLOWS] {
  if (!Object.hasOwn(WORKFLOWS, workflow)) throw new RangeError('unknown workflow');
  return WORKFLOWS[workflow as keyof typeof WORKFLOWS];
}

const describedRun = ({
  status,
  runId,
  typedSearchAttributes,
}: Pick<WorkflowExecutionInfo, 'status' | 'runId' | 'typedSearchAttributes'>): RunDescription => ({
  status: status.name,
  runId,
  debtStatus: typedSearchAttributes.get(ENDED_AS) ?? null,
});

/** A value in a query must not be able to end its quotes. */
function plainId(id: string): string {
  if (!/^[\w-]+$/.test(id)) throw new RangeError('not an id');
  return id;
}

function knownSignal(signal: string): string {
  if (!SIGNALS.some((known) => known === signal)) throw new RangeError('unknown signal');
  return signal;
}
