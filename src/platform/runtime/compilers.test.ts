import { spawnSync } from 'node:child_process';
import { expect, it } from '@jest/globals';

// What is compiled before the call is no part of the question, so the loop is a module of its own.
const HOT = `
  let sum = 0;
  const add = (n) => { for (let i = 0; i < n; i += 1) sum = (sum * 31 + i) | 0; };
  for (let round = 0; round < 5_000; round += 1) add(500);`;

/** How many functions were given to the compiler that may keep a process from its end. */
function given(before: string): number {
  const script = `${before}; await import(${JSON.stringify(`data:text/javascript,${encodeURIComponent(HOT)}`)});`;
  const { stdout, status } = spawnSync(process.execPath, ['--trace-opt', '--input-type=module', '--eval', script], {
    cwd: new URL('../../..', import.meta.url),
    encoding: 'utf8',
  });
  expect(status).toBe(0);
  return stdout.split('target MAGLEV').length - 1;
}

it('leaves out the compiler that may keep a process from its end', () => {
  expect(given('')).toBeGreaterThan(0);
  expect(given(`(await import('./src/platform/runtime/compilers.ts')).configureCompilers()`)).toBe(0);
});
