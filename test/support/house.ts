import { rmSync } from 'node:fs';

interface Stoppable {
  stop(): Promise<void>;
}

export interface House {
  folder?: string;
  postgres?: Stoppable;
  temporal?: Stoppable;
  close(): Promise<void>;
}

const KEY = Symbol.for('quita.test.house');

/** What globalSetup started and globalTeardown stops: one object of jest's parent process. */
export function house(): House {
  const holder = globalThis as { [KEY]?: House };
  holder[KEY] ??= {
    async close() {
      await Promise.allSettled([this.postgres?.stop(), this.temporal?.stop()]);
      if (this.folder !== undefined) rmSync(this.folder, { recursive: true, force: true });
    },
  };
  return holder[KEY];
}
