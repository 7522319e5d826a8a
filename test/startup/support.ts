import { type ChildProcess, type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export const eventually = async <T>(look: () => T | Promise<T>, what: string, ms = 30_000): Promise<NonNullable<T>> => {
  const deadline = Date.now() + ms;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== null && found !== false) return found;
    if (Date.now() > deadline) throw new Error(`waited ${ms} ms in vain: ${what}`);
    await sleep(25);
  }
};

/** Returns the command lines of all live processes that contain the text. */
export const processesWith = (text: string): string[] => {
  const all =
    process.platform === 'linux'
      ? readdirSync('/proc')
          .filter((name) => /^\d+$/.test(name))
          .map((pid) => {
            try {
              return `${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')}`;
            } catch {
              return '';
            }
          })
      : execFileSync('ps', ['-axo', 'pid,command'], { encoding: 'utf8' }).split('\n');
  return all.filter((line) => line.includes(text));
};

export interface Started {
  child: ChildProcess;
  pid: number;
  output(): string;
  /** Resolves with the match once the output contains it; rejects when the process ends before. */
  says(pattern: RegExp, ms?: number): Promise<RegExpExecArray>;
  signal(signal: NodeJS.Signals): void;
  ended: Promise<number | NodeJS.Signals>;
}

export interface Scratch {
  folder: string;
  /** `input` is the content of standard input; without it there is none. */
  run(command: string, args: readonly string[], env?: Record<string, string>, input?: string): Started;
  node(script: string, env?: Record<string, string>): Started;
  /** Ends the processes that were started in this folder, and those that they left behind. */
  clean(): Promise<void>;
}

export const createScratch = (): Scratch => {
  const folder = mkdtempSync(join(tmpdir(), 'quita-startup-'));
  const running: Started[] = [];

  const run = (
    command: string,
    args: readonly string[],
    env: Record<string, string> = {},
    input: string | undefined = undefined,
  ): Started => {
    const { PATH = '', HOME = '', XDG_CACHE_HOME } = process.env;
    const child = spawn(command, args, {
      cwd: ROOT,
      env: { PATH, HOME, ...(XDG_CACHE_HOME === undefined ? {} : { XDG_CACHE_HOME }), ...env },
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    }) as ChildProcessByStdio<Writable | null, Readable, Readable>;
    // A reader that has read enough closes its end.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
    let output = '';
    const collect = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    let over = false;
    const ended = new Promise<number | NodeJS.Signals>((resolve) => {
      child.once('close', (code, signal) => {
        over = true;
        resolve(signal ?? code ?? -1);
      });
    });
    const started: Started = {
      child,
      pid: child.pid ?? -1,
      output: () => output,
      says: (pattern, ms) =>
        eventually(
          () => {
            const match = pattern.exec(output);
            if (match === null && over) throw new Error(`ended without saying ${pattern}:\n${output}`);
            return match;
          },
          `${pattern} in:\n${output}`,
          ms,
        ),
      signal: (signal) => {
        child.kill(signal);
      },
      ended,
    };
    running.push(started);
    return started;
  };

  return {
    folder,
    run,
    node: (script, env) => run(process.execPath, ['--input-type=module-typescript', '--eval', script], env),
    clean: async () => {
      for (const one of running) {
        one.signal('SIGKILL');
        await one.ended;
      }
      await eventually(() => processesWith(folder).length === 0, `the end of everything in ${folder}`);
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
