import { DefaultLogger, Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';
import { onFreePort } from '../runtime/free-port.ts';

const LEVELS = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const;

/** What the SDK warns of although it is meant so: the worker of the answers' queue runs activities alone. */
const MEANT = 'No workflows registered, not polling for workflow tasks';

/**
 * Writes the SDK's log lines to our log. Of an error only the name is logged: its text may contain what a debtor wrote.
 */
export const sdkLogger = (logger: Logger) =>
  new DefaultLogger('INFO', ({ level, message, meta }) => {
    if (message === MEANT) return;
    const { error, ...facts } = meta ?? {};
    const failure: unknown = error;
    logger[LEVELS[level]]({ ...facts, ...(failure instanceof Error ? { error: failure.name } : {}) }, message);
  });

let metricsUrl: string | undefined;

/**
 * The SDK has one runtime for each process, and the first caller installs it. Our own shutdown handles signals. The
 * SDK's metrics are served on the loopback interface only, where `sdkMetrics` reads them for `/metrics`.
 */
export async function installSdkRuntime(logger: Logger): Promise<void> {
  if (metricsUrl !== undefined) return;
  metricsUrl = await onFreePort({ name: 'SDK metrics', preferred: 0, log: () => {} }, async (port) => {
    const bindAddress = `127.0.0.1:${port}`;
    Runtime.install({
      logger: sdkLogger(logger),
      shutdownSignals: [],
      telemetryOptions: {
        logging: { filter: { core: 'WARN', other: 'ERROR' }, forward: {} },
        metrics: {
          prometheus: { bindAddress, countersTotalSuffix: true, unitSuffix: true, useSecondsForDurations: true },
        },
      },
    });
    return `http://${bindAddress}/metrics`;
  });
}

/** Returns the Prometheus text of the worker's SDK; it is empty in a process without a worker. */
export async function sdkMetrics(): Promise<string> {
  if (metricsUrl === undefined) return '';
  const answer = await fetch(metricsUrl, { signal: AbortSignal.timeout(2_000) });
  return answer.text();
}
