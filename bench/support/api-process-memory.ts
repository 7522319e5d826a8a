import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ApiProcess {
  readonly url: string;
  readonly clientId: string;
  readonly token: string;
  readonly pid: number;
  stop(): void;
}

/** Starts the API in a separate process, so that the measured memory and event loop are those of the API alone. */
export async function startApiProcess(databaseUrl: string): Promise<ApiProcess> {
  const child = spawn(process.execPath, [new URL('./api-process.ts', import.meta.url).pathname], {
    env: { ...process.env, BENCH_DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { ...(JSON.parse(line) as Omit<ApiProcess, 'pid' | 'stop'>), pid: child.pid!, stop: () => child.kill() };
}

export const rssOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1024;

/** Returns the maximum memory of the process, measured every 5 ms while `work` runs. */
export async function peakRss<T>(pid: number, work: () => Promise<T>): Promise<{ peak: number; result: T }> {
  let peak = 0;
  let running = true;
  const watch = (async () => {
    while (running) {
      peak = Math.max(peak, rssOf(pid));
      await sleep(5);
    }
  })();
  try {
    return { result: await work(), peak };
  } finally {
    running = false;
    await watch;
  }
}
