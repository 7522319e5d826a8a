import type { Logger } from 'pino';
import { SCHEDULES, SEARCH_ATTRIBUTES } from '../../workflows/contract.ts';
import type { Gateway } from './gateway.ts';
import { toGatewayError } from './gateway-error.ts';
import { retryDelayMs } from './retry-delay.ts';

export interface EnginePreparation {
  stop(): Promise<void>;
}

/** Temporal Cloud keeps its operator service to itself, and other servers may have none. */
const NOT_OURS_TO_DO = new Set(['PERMISSION_DENIED', 'UNIMPLEMENTED']);

/** Registers what workflows need in the namespace. In the background: an engine that is away must not stop a start. */
export function prepareEngine(options: {
  readonly gateway: Pick<Gateway, 'ensureSearchAttributes' | 'ensureSchedule'>;
  readonly logger: Logger;
}): EnginePreparation {
  const { gateway, logger } = options;
  const stop = Promise.withResolvers<'stop'>();
  let stopped = false;

  async function registerSearchAttributes(): Promise<void> {
    try {
      await gateway.ensureSearchAttributes();
    } catch (error) {
      const { code } = toGatewayError(error);
      if (!NOT_OURS_TO_DO.has(code)) throw error;
      const searchAttributes = Object.values(SEARCH_ATTRIBUTES).map(({ name, type }) => `${name} (${type})`);
      logger.warn({ code, searchAttributes }, 'search attributes may not be registered from here: add what is missing');
    }
  }

  async function run(): Promise<void> {
    for (let attempts = 1; !stopped; attempts += 1) {
      try {
        await registerSearchAttributes();
        for (const { scheduleId, workflow, everyMs } of SCHEDULES) {
          await gateway.ensureSchedule({ scheduleId, workflow, workflowId: scheduleId, everyMs, input: {} });
        }
        return;
      } catch (error) {
        const { code } = toGatewayError(error);
        logger.warn({ code, attempts }, 'the namespace could not be prepared, will try again');
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
