import type { CheckResult, Readiness } from './http/deps.ts';
import type { WorkerHealth } from './temporal/worker-health.ts';

/** Shorter than the patience of what asks: an orchestrator's probe gives up after a few seconds. */
const DEADLINE_MS = 2_000;

export interface ReadinessChecks {
  readonly database: () => Promise<void>;
  readonly temporal: () => Promise<void>;
  readonly worker: () => Promise<WorkerHealth>;
}

const DOWN: CheckResult = { status: 'down' };

async function within(check: () => Promise<CheckResult>): Promise<CheckResult> {
  const { promise, resolve } = Promise.withResolvers<CheckResult>();
  const timer = setTimeout(() => resolve({ status: 'down', detail: 'did not answer in time' }), DEADLINE_MS);
  try {
    return await Promise.race([check(), promise]);
  } catch {
    return DOWN;
  } finally {
    clearTimeout(timer);
  }
}

const up = (check: () => Promise<void>) => async (): Promise<CheckResult> => {
  await check();
  return { status: 'up' };
};

/** What `/health/ready` names; the checks run side by side and none can make the answer late. */
async function checkReadiness({ database, temporal, worker }: ReadinessChecks): Promise<Readiness> {
  const checks = await Promise.all([
    within(up(database)),
    within(up(temporal)),
    within(async () => {
      const health = await worker();
      return health === 'ok' ? { status: 'up' } : { status: 'down', detail: health };
    }),
  ]);
  return { database: checks[0], temporal: checks[1], worker: checks[2] };
}

const FRESH_MS = 1_000;

/**
 * Anybody may ask, so the asking must not be worth a flood: one look at a time, shared by all who ask meanwhile, and
 * repeated to whoever asks within a second of its beginning.
 */
export function createReadiness(
  checks: ReadinessChecks,
  now: () => number = () => performance.now(),
): () => Promise<Readiness> {
  let begunAt = Number.NEGATIVE_INFINITY;
  let looking = false;
  let latest: Promise<Readiness> | undefined;
  return () => {
    if (latest === undefined || (!looking && now() - begunAt >= FRESH_MS)) {
      begunAt = now();
      looking = true;
      latest = checkReadiness(checks).finally(() => {
        looking = false;
      });
    }
    return latest;
  };
}
