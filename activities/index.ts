import { Context } from '@temporalio/activity';
import type { DebtTask, KnownContact } from '../src/domain/debt-task.ts';
import type { NextStep } from '../src/domain/next-step.ts';
import type { WorkerServices } from '../src/services/worker.ts';
import type { Activities, DebtStep } from './contract.ts';
import { createHeartbeat, type HeartbeatDeps } from './heartbeat.ts';
import { type Announce, whileAlive } from './while-alive.ts';

export interface ActivityDeps extends HeartbeatDeps {
  readonly services: Pick<
    WorkerServices,
    Exclude<keyof Activities, 'heartbeat' | 'sendPasswordReset'> | 'holdIfEnded' | 'readKnowledge'
  >;
}

/** All activities. `worker.ts` translates the errors of the use cases into retry or no retry. */
export const createActivities = ({ services, ...heartbeat }: ActivityDeps): Activities => {
  /**
   * A run that a signal has started first finds out whether an earlier run has ended the debt. Every run learns what the
   * database knows afterwards.
   */
  const onDebt = (run: (task: DebtTask, announce: Announce) => Promise<NextStep>) =>
    whileAlive(async (task: DebtTask, announce): Promise<DebtStep> => {
      if (task.mayHaveEnded === true) await services.holdIfEnded(task);
      const step = await run(task, announce);
      return { ...step, known: await services.readKnowledge(task) };
    });
  return {
    heartbeat: createHeartbeat(heartbeat),
    scoreCampaign: (task) => services.scoreCampaign(task, sendHeartbeat),
    planCollection: services.planCollection,
    reviewCampaign: services.reviewCampaign,
    contactDebtor: onDebt((task, announce) => services.contactDebtor(withAnnounced(task), announce)),
    answerDebtor: onDebt(services.answerDebtor),
    settlePayment: onDebt(services.settlePayment),
    deliverReceipt: onDebt(services.deliverReceipt),
    reconcileCharges: () => whileAlive(services.reconcileCharges)(undefined),
    mailInboxDigests: () => services.mailInboxDigests(sendHeartbeat),
    wakePaused: services.wakePaused,
    restartLost: (task) => services.restartLost(task, takeTurn),
    purgeExpired: services.purgeExpired,
    sendAccountMail: services.sendAccountMail,
    sendPasswordReset: (request) => services.sendAccountMail({ ...request, kind: 'password_reset' }),
  };
};

const sendHeartbeat = (): void => Context.current().heartbeat();

/** Waits for the given time, tells Temporal that the work goes on, and fails when the worker stops. */
async function takeTurn(ms: number): Promise<void> {
  const context = Context.current();
  context.heartbeat();
  await (ms > 0 ? context.sleep(ms) : Promise.resolve(context.cancellationSignal.throwIfAborted()));
}

/** An interrupted attempt had booked a contact, which the database may have forgotten since. */
function withAnnounced(task: DebtTask): DebtTask {
  const booked: KnownContact | undefined = Context.current().info.heartbeatDetails;
  return booked === undefined ? task : { ...task, contacts: [...(task.contacts ?? []), booked] };
}
