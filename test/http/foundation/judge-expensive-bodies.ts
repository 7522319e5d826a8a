import { zeroCharacter } from '../../../src/http/field-problems.ts';
import { parseJson } from '../../../src/http/json-text.ts';
import { BODIES, manyNumbers } from './expensive-bodies.ts';

/**
 * How long each body holds up the event loop: parsing and judging follow one another without a pause. In a process of its
 * own, because the globals of jest's tests are several times slower than the engine's; processor time and the best of
 * several tries, because other processes and the collector are not what is measured.
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
    best = Math.min(best, performance.now() - start, process.cpuUsage(before).user / 1000);
  }
  longest[name] = best;
}
process.stdout.write(JSON.stringify(longest));
