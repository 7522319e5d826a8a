import type { Logger } from 'pino';
import { SEARCH_ATTRIBUTES } from '../../../workflows/contract.ts';
import { SCHEDULES } from '../../../workflows/schedules.ts';
import type { Gateway } from './gateway.ts';
import { toGatewayError } from './gateway-error.ts';
import { retryDelayMs } from './retry-delay.ts';

export interface EnginePreparation {
  stop(): Promise<void>;
}

/** Temporal Cloud refuses calls of its operator service, and other servers may not have this service. */
const REGISTRATION_NOT_POSSIBLE = new Set(['PERMISSION_DENIED', 'UNIMPLEMENTED']);

/** Registers what workflows need in the namespace, in the background: the service must start without Temporal too. */
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
      if (!REGISTRATION_NOT_POSSIBLE.has(code)) throw error;
      const searchAttributes = Object.values(SEARCH_ATTRIBUTES).map(({ name, type }) => `${name} (${type})`);
      logger.warn(
        { code, searchAttributes },
        'this service cannot register search attributes: add the missing ones to the namespace',
      );
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
        logger.warn({ code, attempts }, 'the namespace could not be prepared; the service will try again');
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
