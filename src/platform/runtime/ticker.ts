export interface Ticker {
  stop(): Promise<void>;
}

/**
 * Runs a function repeatedly with a pause in between, never twice at the same time; a failure does not end the loop.
 */
export function startTicker(options: {
  readonly everyMs: number;
  readonly run: () => Promise<unknown>;
  readonly onFailure: (error: unknown) => void;
}): Ticker {
  let stopped = false;
  let endPause: () => void = () => undefined;

  async function loop(): Promise<void> {
    while (!stopped) {
      try {
        await options.run();
      } catch (error) {
        options.onFailure(error);
      }
      if (stopped) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, options.everyMs);
        endPause = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  const running = loop();
  return {
    stop: async () => {
      stopped = true;
      endPause();
      await running;
    },
  };
}
