import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { bundleWorkflows } from '../../src/platform/temporal/bundle.ts';
import { installSdkRuntime } from '../../src/platform/temporal/sdk-runtime.ts';
import { WORKFLOWS } from '../../workflows/contract.ts';
import { HISTORIES, replay, savedHistories } from './replay.ts';

const logger = pino({ level: 'silent' });

await installSdkRuntime(logger);
const fixture = fileURLToPath(new URL('./fixtures/changed.ts', import.meta.url));
const [bundle, changed] = await Promise.all([bundleWorkflows(logger), bundleWorkflows(logger, fixture)]);

describe('saved histories', () => {
  it('replay on the present workflows', async () => {
    const files = await savedHistories();
    expect(files.length).toBeGreaterThan(0);
    const results = await replay(bundle, files);
    expect(results).toHaveLength(files.length);
    expect(results.filter(({ error }) => error !== undefined)).toEqual([]);
  });

  it('belong to workflows that exist', async () => {
    const prefixes = Object.keys(WORKFLOWS);
    for (const file of await savedHistories()) expect(prefixes.some((prefix) => file.startsWith(prefix))).toBe(true);
  });

  it('fail when a step is inserted before the others', async () => {
    const files = await savedHistories();
    const results = await replay(changed, files);
    expect(results.map(({ error }) => error?.name)).toEqual(files.map(() => 'DeterminismViolationError'));
  });

  it('name no machine', async () => {
    for (const file of await savedHistories()) {
      expect(await readFile(`${HISTORIES}/${file}`, 'utf8')).not.toMatch(/node_modules|"identity": "(?!worker)/);
    }
  });
});
