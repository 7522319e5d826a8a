import { setTimeout as sleep } from 'node:timers/promises';
import type { Stack } from '../stack/stack.ts';

/** Numbers that depend on the seed alone. */
function numbersFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Kills every process in turn, in an order by the seed, until the campaign is over and each was killed once. */
export async function killInTurn(
  stack: Stack,
  {
    seed,
    isOver,
    say,
  }: { readonly seed: number; readonly isOver: () => boolean; readonly say: (line: string) => void },
): Promise<void> {
  const random = numbersFrom(seed);
  const names = stack
    .processes()
    .map(({ name }) => ({ name, at: random() }))
    .sort((one, other) => one.at - other.at);
  for (const { name } of names) {
    if (isOver()) say(`the campaign was over before ${name} was killed`);
    const pid = stack.processes().find((one) => one.name === name)?.pid;
    if (pid === undefined) continue;
    say(`kill -9 ${name}`);
    process.kill(pid, 'SIGKILL');
    await sleep(4_000 + random() * 4_000);
  }
}
