import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const LITTERING = fileURLToPath(new URL('./fixtures/littering.ts', import.meta.url));

it('keeps the heap near the size of its live objects from the start', () => {
  const options = ['--max-semi-space-size=4', '--disable-warning=ExperimentalWarning', LITTERING];
  const { megabytes } = JSON.parse(execFileSync(process.execPath, options, { encoding: 'utf8' }));
  // 70 MB are live. The heap had 103 MB with the limit and 257 MB without it.
  expect(megabytes).toBeGreaterThan(60);
  expect(megabytes).toBeLessThan(180);
});
