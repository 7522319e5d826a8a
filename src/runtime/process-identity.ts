import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const ps = (column: string, pid: number): string | undefined => {
  try {
    return execFileSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return undefined;
  }
};

const procFile = (pid: number, name: string): string | undefined => {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return undefined;
  }
};

/**
 * When a live process began, in a form that is only good for comparing: a recycled pid has another one.
 * A zombie counts as dead: where pid 1 does not reap, it would keep its start time for ever.
 */
export const startTimeOf = (pid: number): string | undefined => {
  if (process.platform !== 'linux') return ps('lstart', pid) || undefined;
  const stat = procFile(pid, 'stat');
  // The command stands in parentheses and may hold spaces and parentheses itself: count from the last one.
  const [state, ...rest] = (stat?.slice(stat.lastIndexOf(')') + 2) ?? '').split(' ');
  return state === undefined || state === '' || state === 'Z' || state === 'X' ? undefined : rest[18];
};

export const commandOf = (pid: number): string => {
  if (process.platform !== 'linux') return ps('command', pid) ?? '';
  return (procFile(pid, 'cmdline') ?? '').replaceAll('\0', ' ');
};

const LISTENING = '0A';

/** Whether it is this process that listens on the port. Where there is no /proc to ask, the answer is taken on trust. */
export const ownsPort = (pid: number, port: number): boolean => {
  if (process.platform !== 'linux') return true;
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const sockets = (procFile(pid, 'net/tcp') ?? '').split('\n').flatMap((line) => {
    const [, local, , state, , , , , , inode] = line.trim().split(/\s+/);
    return local?.endsWith(suffix) && state === LISTENING ? [`socket:[${inode}]`] : [];
  });
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => {
      try {
        return sockets.includes(readlinkSync(`/proc/${pid}/fd/${fd}`));
      } catch {
        return false;
      }
    });
  } catch {
    return false;
  }
};

export const signalProcess = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
};

/** Asks a process that is not our child to stop, and kills it when it has not done so in time. */
export const stopStranger = async (pid: number, signal: NodeJS.Signals, graceMs: number): Promise<void> => {
  const startedAt = startTimeOf(pid);
  if (startedAt === undefined) return;
  const gone = async (ms: number): Promise<boolean> => {
    const deadline = Date.now() + ms;
    while (startTimeOf(pid) === startedAt) {
      if (Date.now() > deadline) return false;
      await sleep(20);
    }
    return true;
  };
  signalProcess(pid, signal);
  if (await gone(graceMs)) return;
  signalProcess(pid, 'SIGKILL');
  if (!(await gone(5_000))) throw new Error(`Process ${pid} does not end, not even by SIGKILL`);
};
