import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** Starts a file in a process of its own, and waits for the line of JSON by which it reports its address. */
export async function startProcess(file: URL, env: Record<string, string>) {
  const child = spawn(process.execPath, [fileURLToPath(file)], {
    env: { ...process.env, ...env },
    // A child ends with its input, so that none outlives a benchmark that failed.
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('{')) continue;
    return {
      pid: child.pid ?? 0,
      told: JSON.parse(line) as unknown,
      stop: () => child.kill(),
      /** Lets it finish what it has begun. */
      end: async () => {
        child.stdin.end();
        if (child.exitCode === null)
          await Promise.race([once(child, 'exit'), sleep(30_000, undefined, { ref: false })]);
        child.kill('SIGKILL');
      },
    };
  }
  throw new Error(`${file.pathname} ended`);
}
