import type { CheckResult, Readiness } from '../platform/http/deps.ts';
import type { WorkerHealth } from '../platform/temporal/worker-health.ts';

/** Shorter than the timeout of an orchestrator's probe, which gives up after a few seconds. */
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

/** Runs the checks of `/health/ready` in parallel, each with a deadline, so that none can delay the answer. */
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
 * The endpoint is public, so a flood of requests must not cause a flood of checks: one check runs at a time, and its
 * result answers all calls while it runs and within a second of its start.
 */
export function createReadiness(
  checks: ReadinessChecks,
  now: () => number = () => performance.now(),
): () => Promise<Readiness> {
  let startedAt = Number.NEGATIVE_INFINITY;
  let checking = false;
  let latest: Promise<Readiness> | undefined;
  return () => {
    if (latest === undefined || (!checking && now() - startedAt >= FRESH_MS)) {
      startedAt = now();
      checking = true;
      latest = checkReadiness(checks).finally(() => {
        checking = false;
      });
    }
    return latest;
  };
}
