import { setTimeout as sleep } from 'node:timers/promises';
import { writeEntry } from '../../testing/checker/log.ts';
import type { Stack } from '../stack/stack.ts';
import type { SmallDisk } from './disk.ts';
import { describeFault, type Fault } from './schedule.ts';
import type { World } from './world/start-world.ts';

export interface Injector {
  /** Lets the fault happen, and resolves when it has ended. */
  inject(fault: Fault): Promise<void>;
  injected(): number;
}

export interface InjectorPlan {
  readonly stack: Stack;
  readonly world: World;
  readonly disk: SmallDisk | null;
  readonly logFile: string;
  readonly stepClock: (byMs: number) => Promise<void>;
}

function signal(stack: Stack, name: string, what: NodeJS.Signals): void {
  const pid = stack.processes().find((one) => one.name === name)?.pid;
  if (pid === undefined) return;
  try {
    process.kill(pid, what);
  } catch {
    // It ended a moment ago, and is being started again.
  }
}

export function createInjector({ stack, world, disk, logFile, stepClock }: InjectorPlan): Injector {
  let number = 0;

  async function happen(fault: Fault): Promise<void> {
    switch (fault.kind) {
      case 'kill':
        return signal(stack, fault.on, 'SIGKILL');
      case 'stop':
        signal(stack, fault.on, 'SIGSTOP');
        await sleep(fault.forMs);
        return signal(stack, fault.on, 'SIGCONT');
      case 'cut':
        return stack.proxies[fault.on].cut();
      case 'refuse':
        stack.proxies[fault.on].refuse(true);
        await sleep(fault.forMs);
        return stack.proxies[fault.on].refuse(false);
      case 'answers':
        await world.tell({ kind: 'fault', on: fault.on, fault: fault.fault });
        await sleep(fault.forMs);
        await world.tell({ kind: 'fault', on: fault.on, fault: null });
        return;
      case 'full_disk': {
        const until = Date.now() + fault.forMs;
        while (Date.now() < until) {
          disk?.fill();
          await sleep(200);
        }
        return disk?.empty();
      }
      case 'clock_step':
        return stepClock(fault.byMs);
    }
  }

  return {
    injected: () => number,
    async inject(fault) {
      number += 1;
      const own = number;
      writeEntry(logFile, { kind: 'fault_began', fault: describeFault(fault), on: fault.on, number: own });
      await happen(fault);
      writeEntry(logFile, { kind: 'fault_ended', number: own });
    },
  };
}
