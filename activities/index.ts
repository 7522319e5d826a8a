import { Context } from '@temporalio/activity';
import type { WorkerServices } from '../src/app/services/worker.ts';
import type { AgreementNext, AgreementTask } from '../src/modules/agreements/rules/agreement-task.ts';
import type { DebtClock, DebtTask, KnownContact } from '../src/modules/debts/rules/debt-task.ts';
import type { KnowingStep } from '../src/modules/debts/rules/next-step.ts';
import type { Activities, DebtStep } from './contract.ts';
import { type Announce, whileAlive } from './while-alive.ts';

interface HeartbeatDeps {
  readonly workerId: string;
  /** Rejects while the worker's database login cannot be used. */
  readonly pingDatabase: () => Promise<void>;
}

const createHeartbeat =
  ({ workerId, pingDatabase }: HeartbeatDeps): Activities['heartbeat'] =>
  async () => {
    await pingDatabase();
    return { worker: workerId };
  };

export interface ActivityDeps extends HeartbeatDeps {
  readonly services: Pick<
    WorkerServices,
    Exclude<keyof Activities, 'heartbeat'> | 'holdIfEnded' | 'readKnowledge' | 'issueInstalmentReceipts'
  >;
  /** How far the clock of the service is ahead of real time: `CLOCK_OFFSET`. */
  readonly clockOffsetMs?: number;
  /** Where the console is. */
  readonly consoleUrl?: string;
}

interface Timed {
  readonly clock: DebtClock;
}

/** All activities. `worker.ts` translates the errors of the use cases into retry or no retry. */
export const createActivities = ({
  services,
  clockOffsetMs = 0,
  consoleUrl,
  ...heartbeat
}: ActivityDeps): Activities => {
  const inServiceTimeOf = <Task extends Timed>(task: Task): Task => ({
    ...task,
    clock: inServiceTime(task.clock, clockOffsetMs),
  });
  /** Tells the workflow by which clock it has to wait, when it was started with another one. */
  const byServiceClock = <Next extends object>({ clock }: Timed, next: Next): Next & { clockOffsetMs?: number } =>
    clock.exact || clock.offsetMs === clockOffsetMs ? next : { ...next, clockOffsetMs };
  /**
   * A run that a signal has started first finds out whether an earlier run has ended the debt. Every run learns what the
   * database knows afterwards.
   */
  const onDebt = (run: (task: DebtTask, announce: Announce) => Promise<KnowingStep>) =>
    whileAlive(async (asked: DebtTask, announce): Promise<DebtStep> => {
      const task = inServiceTimeOf(asked);
      if (task.mayHaveEnded === true) await services.holdIfEnded(task);
      const step = await run(task, announce);
      const known = step.known ?? (await services.readKnowledge(task));
      return byServiceClock(asked, { ...step, known });
    });
  return {
    heartbeat: createHeartbeat(heartbeat),
    scoreCampaign: (task) => services.scoreCampaign(task, sendHeartbeat),
    planCollection: async (task) => {
      const page = await services.planCollection(task);
      return {
        ...page,
        ...(clockOffsetMs === 0 ? {} : { clockOffsetMs }),
        ...(consoleUrl === undefined ? {} : { consoleUrl }),
      };
    },
    reviewCampaign: services.reviewCampaign,
    contactDebtor: onDebt((task, announce) => services.contactDebtor(withAnnounced(task), announce)),
    answerDebtor: onDebt(services.answerDebtor),
    settlePayment: onDebt(services.settlePayment),
    deliverReceipt: onDebt(services.deliverReceipt),
    settleAgreement: whileAlive(async (asked: AgreementTask): Promise<void> => {
      try {
        await services.settleAgreement(inServiceTimeOf(asked));
      } catch (error) {
        // The agreement is not followed before its settlement succeeds, but what else was paid has its receipt.
        await services.issueInstalmentReceipts(asked);
        throw error;
      }
    }),
    followAgreement: whileAlive(async (asked: AgreementTask): Promise<AgreementNext> => {
      const next = await services.followAgreement(inServiceTimeOf(asked));
      await services.issueInstalmentReceipts(asked);
      return byServiceClock(asked, next);
    }),
    followListings: async (asked) => byServiceClock(asked, await services.followListings(inServiceTimeOf(asked))),
    reconcileCharges: () => whileAlive(services.reconcileCharges)(undefined),
    mailInboxDigests: () => services.mailInboxDigests(sendHeartbeat),
    checkSenders: () => services.checkSenders(sendHeartbeat),
    askForPhone: services.askForPhone,
    wakePaused: services.wakePaused,
    restartLost: (task) => services.restartLost(task, pause),
    deliverDue: whileAlive(services.deliverDue),
    eraseDebtor: services.eraseDebtor,
    purgeExpired: services.purgeExpired,
    purgeEndedDebts: () => services.purgeEndedDebts(sendHeartbeat),
    sendAccountMail: services.sendAccountMail,
  };
};

/**
 * A workflow counts from real time, the use cases from the clock of the service. The clock of a real debt follows the
 * service when it was started with another offset; a simulated one keeps its moment, because it never goes back.
 */
const inServiceTime = (clock: DebtClock, clockOffsetMs: number): DebtClock => {
  const offsetMs = clock.offsetMs - clockOffsetMs;
  return clock.exact ? { ...clock, offsetMs } : { ...clock, at: clock.at - offsetMs, offsetMs: 0 };
};

const sendHeartbeat = (): void => Context.current().heartbeat();

/** Waits for the given time, tells Temporal that the work goes on, and fails when the worker stops. */
async function pause(ms: number): Promise<void> {
  const context = Context.current();
  context.heartbeat();
  await (ms > 0 ? context.sleep(ms) : Promise.resolve(context.cancellationSignal.throwIfAborted()));
}

/** An interrupted attempt had booked a contact, which the database may have forgotten since. */
function withAnnounced(task: DebtTask): DebtTask {
  const booked: KnownContact | undefined = Context.current().info.heartbeatDetails;
  return booked === undefined ? task : { ...task, contacts: [...(task.contacts ?? []), booked] };
}
