import { zeroCharacter } from '../../../src/platform/http/field-problems.ts';
import { parseJson } from '../../../src/platform/http/json-text.ts';
import { BODIES, manyNumbers } from './expensive-bodies.ts';

/**
 * Measures how long each body blocks the event loop, because parsing and checking run without a pause. It runs in a
 * separate process, because the globals of jest are several times slower than those of Node. It takes the CPU time and
 * the best of several attempts, so that other processes and the garbage collector do not count. Both parts of the CPU
 * time are added, because Linux knows only their sum exactly.
 */
const judge = (body: string): void => {
  try {
    const value = parseJson(body);
    zeroCharacter(value, 'body');
    manyNumbers.body?.safeParse(value);
  } catch (error) {
    if ((error as { code?: string }).code !== 'malformed_json') throw error;
  }
};

const longest: Record<string, number> = {};
for (const [name, body] of Object.entries(BODIES)) {
  let best = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < 7; turn++) {
    const before = process.cpuUsage();
    const start = performance.now();
    judge(body);
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, performance.now() - start, (user + system) / 1000);
  }
  longest[name] = best;
}
process.stdout.write(JSON.stringify(longest));
