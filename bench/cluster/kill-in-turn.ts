import { setTimeout as sleep } from 'node:timers/promises';
import type { Stack } from '../stack/stack.ts';
import { createRandom } from '../support/random.ts';

/** Kills every process in turn, in an order by the seed, until the campaign is over and each was killed once. */
export async function killInTurn(
  stack: Stack,
  {
    seed,
    isOver,
    say,
  }: { readonly seed: number; readonly isOver: () => boolean; readonly say: (line: string) => void },
): Promise<void> {
  const random = createRandom(seed);
  for (const { name } of random.shuffled(stack.processes())) {
    if (isOver()) say(`the campaign was over before ${name} was killed`);
    const pid = stack.processes().find((one) => one.name === name)?.pid;
    if (pid === undefined) continue;
    say(`kill -9 ${name}`);
    process.kill(pid, 'SIGKILL');
    await sleep(random.between(4_000, 8_000));
  }
}
