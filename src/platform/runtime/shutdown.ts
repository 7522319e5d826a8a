export interface ShutdownStep {
  name: string;
  run: () => Promise<void>;
}

export interface Shutdown {
  /** The step that is added last runs first, because each part depends on the parts that were started before it. */
  add(name: string, run: () => Promise<void>): void;
  /** Runs all steps once, also when it is called several times. Resolves with false when a step failed. */
  close(): Promise<boolean>;
  /** Returns whether a stop has been requested, also while the service is still starting. */
  requested(): boolean;
}

/** Ctrl-C in a terminal reaches this process and the wrapper that forwards it; the echo is no second request. */
const ECHO_MS = 1_000;
const DEADLINE_MS = 60_000;

export const createShutdown = (log: (line: string) => void): Shutdown => {
  const steps: ShutdownStep[] = [];
  let closing: Promise<boolean> | undefined;

  const runAll = async (): Promise<boolean> => {
    let clean = true;
    for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
      try {
        await step.run();
      } catch (error) {
        clean = false;
        log(`Stopping ${step.name} failed: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    return clean;
  };

  return {
    add: (name, run) => {
      steps.push({ name, run });
    },
    close: () => {
      closing ??= runAll();
      return closing;
    },
    requested: () => closing !== undefined,
  };
};

/** The first signal drains and exits with 0. A second signal exits at once, and the watchdogs then stop the servers. */
export const stopOnSignals = (onStop: () => Promise<boolean>, log: (line: string) => void): void => {
  let requestedAt: number | undefined;
  const stop = (signal: string) => {
    if (requestedAt !== undefined) {
      if (Date.now() - requestedAt < ECHO_MS) return;
      log(`${signal} again: the service ends without draining`);
      process.exit(1);
    }
    requestedAt = Date.now();
    log(`${signal}: the service finishes the requests in progress and stops (repeat the signal to end at once)`);
    setTimeout(() => {
      log('Draining took too long: the service ends now');
      process.exit(1);
    }, DEADLINE_MS).unref();
    onStop().then(
      (clean) => process.exit(clean ? 0 : 1),
      () => process.exit(1),
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(signal));
  // When the wrapper that started this process is gone, no other process forwards signals to it any more.
  if (process.channel !== undefined) {
    process.on('disconnect', () => stop('The starting process ended'));
    process.channel?.unref();
  }
};
