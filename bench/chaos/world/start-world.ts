import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Opened, Order, State, WorldPlan } from './protocol.ts';

export interface World extends Opened {
  tell(order: Order): Promise<State>;
  stop(): Promise<void>;
}

const PROGRAM = fileURLToPath(new URL('./main.ts', import.meta.url));

/** Starts the process with everything outside the product. */
export async function startWorld(folder: string, plan: WorldPlan): Promise<World> {
  const planFile = join(folder, 'world.json');
  writeFileSync(planFile, JSON.stringify(plan));
  const child: ChildProcess = spawn(process.execPath, [PROGRAM, planFile], { stdio: ['pipe', 'pipe', 'inherit'] });
  const answers = new Map<number, (state: State) => void>();
  let next = 1;
  const opened = await new Promise<Opened>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The process of the fakes ended (${code}).`)));
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const said = JSON.parse(line) as Opened | (State & { readonly answers: number });
      if (!('answers' in said)) return resolve(said);
      answers.get(said.answers)?.(said);
      answers.delete(said.answers);
    });
  });
  return {
    ...opened,
    tell: (order) =>
      new Promise((resolve, reject) => {
        if (child.exitCode !== null) return reject(new Error('The process of the fakes has ended.'));
        const id = next++;
        answers.set(id, resolve);
        child.stdin!.write(`${JSON.stringify({ ...order, id })}\n`);
      }),
    async stop() {
      if (child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.stdin!.end();
      await ended;
    },
  };
}
