export interface ShutdownStep {
  name: string;
  run: () => Promise<void>;
}

export interface Shutdown {
  /** The step that is added last runs first: what was started last depends on what was started before. */
  add(name: string, run: () => Promise<void>): void;
  /** Runs all steps once, whoever asks and however often. */
  close(): Promise<boolean>;
  /** Whether a stop was asked for while starting. */
  requested(): boolean;
}

/** A terminal's Ctrl-C reaches us and the wrapper that passes it on: the second one is no second wish. */
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

/** The first signal drains and ends with 0, an impatient second one ends at once; the watchdogs then stop the servers. */
export const stopOnSignals = (onStop: () => Promise<boolean>, log: (line: string) => void): void => {
  let askedAt: number | undefined;
  const stop = (signal: string) => {
    if (askedAt !== undefined) {
      if (Date.now() - askedAt < ECHO_MS) return;
      log(`${signal} again: ending without draining`);
      process.exit(1);
    }
    askedAt = Date.now();
    log(`${signal}: finishing what is in flight, then stopping (once more to end at once)`);
    setTimeout(() => {
      log('Draining took too long: ending');
      process.exit(1);
    }, DEADLINE_MS).unref();
    onStop().then(
      (clean) => process.exit(clean ? 0 : 1),
      () => process.exit(1),
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(signal));
  // The wrapper that started us under another Node is gone, and with it the only one who could pass on a signal.
  if (process.channel !== undefined) {
    process.on('disconnect', () => stop('The starting process ended'));
    process.channel?.unref();
  }
};
