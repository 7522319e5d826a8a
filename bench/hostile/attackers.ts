/**
 * Sends every hostile input from a process of its own, so that their making does not delay the honest callers. It begins
 * with the message `begin`, ends with `end` or with its parent, and tells how its calls were answered.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { CLIENTS } from './clients.ts';
import type { Attack, Input } from './input.ts';
import { Source } from './source.ts';
import { UNKNOWN_CALLERS } from './unknown-callers.ts';
import { UPLOADS } from './uploads.ts';

export interface Answered {
  readonly name: string;
  readonly finding: number;
  readonly outcomes: Readonly<Record<string, number>>;
}

const url = process.argv[2] ?? '';
const only = (process.argv[3] ?? '').split(',').filter((finding) => finding !== '');
const INPUTS: readonly Input[] = [...UPLOADS, ...UNKNOWN_CALLERS, ...CLIENTS].filter(
  ({ finding }) => only.length === 0 || only.includes(String(finding)),
);
process.once('disconnect', () => process.exit(0));

const outcomes = INPUTS.map((): Record<string, number> => ({}));
const attacks: Attack[] = [];
for (const [place, input] of INPUTS.entries()) attacks.push(await input.prepare(new Source(url, place + 1)));

async function attack({ everyMs, atOnce, strike }: Attack, seen: Record<string, number>): Promise<void> {
  for (let from = 0; ; from += atOnce) {
    const next = performance.now() + everyMs;
    await Promise.all(
      Array.from({ length: atOnce }, async (_, n) => {
        const outcome = await strike(from + n);
        seen[outcome] = (seen[outcome] ?? 0) + 1;
      }),
    );
    await sleep(Math.max(0, next - performance.now()));
  }
}

process.on('message', (message) => {
  if (message === 'begin') for (const [place, one] of attacks.entries()) void attack(one, outcomes[place]!);
  if (message !== 'end') return;
  const answered = INPUTS.map(({ name, finding }, place): Answered => ({ name, finding, outcomes: outcomes[place]! }));
  process.send?.(answered, () => process.exit(0));
});
process.send?.('ready');
