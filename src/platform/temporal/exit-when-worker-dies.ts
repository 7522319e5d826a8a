import type { Logger } from 'pino';

/**
 * Returns the handler for a worker that has failed for good. The rest of the process is of no use without it, so the
 * process closes and ends with an error, and its supervisor starts it again. A worker that ends during a stop is expected.
 */
export const exitWhenWorkerDies =
  (
    logger: Pick<Logger, 'fatal'>,
    shutdown: { requested(): boolean; close(): Promise<unknown> },
    exit: (code: number) => void,
  ) =>
  (error: unknown): void => {
    if (shutdown.requested()) return;
    logger.fatal({ err: error }, 'the worker died: the process ends, so that its supervisor can start it again');
    void shutdown.close().finally(() => exit(1));
  };
