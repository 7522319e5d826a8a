import { rmSync } from 'node:fs';

interface Stoppable {
  stop(): Promise<void>;
}

export interface TestServers {
  folder?: string;
  postgres?: Stoppable;
  temporal?: Stoppable;
  close(): Promise<void>;
}

const KEY = Symbol.for('quita.test.testServers');

/** The servers that globalSetup starts and globalTeardown stops, as one object in jest's parent process. */
export function testServers(): TestServers {
  const holder = globalThis as { [KEY]?: TestServers };
  holder[KEY] ??= {
    async close() {
      await Promise.allSettled([this.postgres?.stop(), this.temporal?.stop()]);
      if (this.folder !== undefined) rmSync(this.folder, { recursive: true, force: true });
    },
  };
  return holder[KEY];
}
