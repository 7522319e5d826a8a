import type { Logger } from 'pino';
import { SCHEDULES } from '../../workflows/contract.ts';
import type { Gateway } from './gateway.ts';
import { retryDelayMs } from './retry-delay.ts';

export interface EnginePreparation {
  stop(): Promise<void>;
}

/** Registers what workflows need in the namespace. In the background: an engine that is away must not stop a start. */
export function prepareEngine(options: {
  readonly gateway: Pick<Gateway, 'ensureSearchAttributes' | 'ensureSchedule'>;
  readonly logger: Logger;
}): EnginePreparation {
  const { gateway, logger } = options;
  const stop = Promise.withResolvers<'stop'>();
  let stopped = false;

  async function run(): Promise<void> {
    for (let attempts = 1; !stopped; attempts += 1) {
      try {
        await gateway.ensureSearchAttributes();
        for (const { scheduleId, workflow, everyMs } of SCHEDULES) {
          await gateway.ensureSchedule({ scheduleId, workflow, workflowId: scheduleId, everyMs, input: {} });
        }
        return;
      } catch (error) {
        const name = error instanceof Error ? error.name : 'UnknownError';
        logger.warn({ error: name, attempts }, 'the namespace could not be prepared, will try again');
        await Promise.race([stop.promise, pause(retryDelayMs(attempts, Math.random()))]);
      }
    }
  }

  const running = run();
  return {
    stop: async () => {
      stopped = true;
      stop.resolve('stop');
      await running;
    },
  };
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms).unref());
