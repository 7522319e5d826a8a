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
 * Returns the start time of a live process in a form that can only be compared; a reused pid has another start time.
 * A zombie counts as dead, because it would keep its start time for ever where pid 1 does not reap its children.
 */
export const startTimeOf = (pid: number): string | undefined => {
  if (process.platform !== 'linux') return ps('lstart', pid) || undefined;
  const stat = procFile(pid, 'stat');
  // The command is in parentheses and may itself contain spaces and parentheses, so fields count from the last one.
  const [state, ...rest] = (stat?.slice(stat.lastIndexOf(')') + 2) ?? '').split(' ');
  return state === undefined || state === '' || state === 'Z' || state === 'X' ? undefined : rest[18];
};

export const commandOf = (pid: number): string => {
  if (process.platform !== 'linux') return ps('command', pid) ?? '';
  return (procFile(pid, 'cmdline') ?? '').replaceAll('\0', ' ');
};

const LISTENING = '0A';

/** Returns whether this process listens on the port. Without /proc it cannot be checked, and true is returned. */
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

/** Stops a process that is not our child: it gets the signal first, and SIGKILL when it has not ended in time. */
export const stopForeignProcess = async (pid: number, signal: NodeJS.Signals, graceMs: number): Promise<void> => {
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
  if (!(await gone(5_000))) throw new Error(`Process ${pid} does not end, even after SIGKILL`);
};
