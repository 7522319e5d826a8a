import { answersQueueOf } from '../../../workflows/ids.ts';

/** The kinds of work that a worker takes: workflow tasks, and activities of two task queues. */
export type WorkKind = 'workflow' | 'activity' | 'answers';

/** Age of the latest poll for each kind of work in milliseconds; null when no worker polls. */
export type Pollers = Readonly<Record<WorkKind, number | null>>;

/** What waits for a worker. */
export interface Backlog {
  readonly tasks: number;
  /** How long the oldest task has waited. */
  readonly seconds: number;
}

export interface TaskQueues {
  pollers(): Promise<Pollers>;
  /** Estimates of the server. */
  backlogs(): Promise<Readonly<Record<WorkKind, Backlog>>>;
}

interface QueueQuestion {
  readonly taskQueue: { readonly name: string };
  readonly taskQueueType: number;
  readonly reportStats: boolean;
}

interface ServerTime {
  /** A number, or an object of a library for numbers of 64 bits. */
  readonly seconds?: unknown;
  readonly nanos?: number | null;
}

interface QueueAnswer {
  readonly pollers?: readonly { readonly lastAccessTime?: ServerTime | null }[] | null;
  readonly stats?: {
    readonly approximateBacklogCount?: unknown;
    readonly approximateBacklogAge?: ServerTime | null;
  } | null;
}

// These are enum values of Temporal's API, for which the SDK exports no names.
const WORKFLOW_TASKS = 1;
const ACTIVITY_TASKS = 2;

/** Asks the server about the queues of the workers. */
export function createTaskQueues(
  taskQueue: string,
  describe: (question: QueueQuestion) => Promise<QueueAnswer>,
): TaskQueues {
  const queues = {
    workflow: { name: taskQueue, type: WORKFLOW_TASKS },
    activity: { name: taskQueue, type: ACTIVITY_TASKS },
    answers: { name: answersQueueOf(taskQueue), type: ACTIVITY_TASKS },
  } as const satisfies Record<WorkKind, unknown>;

  const ask = (kind: WorkKind, reportStats: boolean) =>
    describe({ taskQueue: { name: queues[kind].name }, taskQueueType: queues[kind].type, reportStats });

  async function newestPoll(kind: WorkKind): Promise<number | null> {
    const { pollers } = await ask(kind, false);
    const ages = (pollers ?? []).map(({ lastAccessTime }) => Date.now() - Number(lastAccessTime?.seconds ?? 0) * 1000);
    return ages.length === 0 ? null : Math.max(0, Math.min(...ages));
  }

  async function backlogOf(kind: WorkKind): Promise<Backlog> {
    const { stats } = await ask(kind, true);
    const { seconds, nanos } = stats?.approximateBacklogAge ?? {};
    return { tasks: Number(stats?.approximateBacklogCount ?? 0), seconds: Number(seconds ?? 0) + (nanos ?? 0) / 1e9 };
  }

  /** Asks about all kinds of work at once. */
  async function eachKind<T>(question: (kind: WorkKind) => Promise<T>): Promise<Record<WorkKind, T>> {
    const [workflow, activity, answers] = await Promise.all([
      question('workflow'),
      question('activity'),
      question('answers'),
    ]);
    return { workflow, activity, answers };
  }

  return { pollers: () => eachKind(newestPoll), backlogs: () => eachKind(backlogOf) };
}
