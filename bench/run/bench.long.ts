import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { Results } from './results.ts';

const folder = mkdtempSync(join(tmpdir(), 'quita-bench-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('npm run bench', () => {
  it('runs a real benchmark, stores its figures with the machine, and compares them without failing', async () => {
    const json = join(folder, 'results.json');
    const main = fileURLToPath(new URL('./main.ts', import.meta.url));
    const before = fileURLToPath(new URL('./fixtures/impossible.json', import.meta.url));
    const args = [main, '--only', 'receipts', '--quick', '--json', json, '--compare', before];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const [out, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    expect(code).toBe(0);
    const results = JSON.parse(readFileSync(json, 'utf8')) as Results;
    expect(results).toMatchObject({ quick: true, machine: { node: process.version }, benches: [{ outcome: 'done' }] });
    const cpu = results.benches[0]?.figures.find(({ name }) => name === 'CPU of a receipt');
    expect(cpu?.ratio).toBeGreaterThan(0);
    expect(out).toMatch(/worse +receipts: CPU of a receipt/);
  });
});
