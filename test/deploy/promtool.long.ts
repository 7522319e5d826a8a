import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { findPromtool, type Promtool } from '../../testing/deploy/promtool.ts';
import { DEPLOY, expressionsOf, readDashboard } from '../../testing/observability.ts';

const ALERTS = join(DEPLOY, 'prometheus', 'alerts.yml');
const TESTS = join(DEPLOY, 'prometheus', 'alerts.test.yml');

let promtool: Promtool;
beforeAll(async () => {
  promtool = await findPromtool();
  // It is built here when `npm run test:long` has not built it before.
}, 900_000);

describe('promtool', () => {
  it('accepts the rules', async () => {
    expect(await promtool(['check', 'rules', '--lint=all', '--lint-fatal', ALERTS])).toMatchObject({ ok: true });
  });

  it('runs the tests of the rules, and they pass', async () => {
    expect(await promtool(['test', 'rules', TESTS])).toEqual({ ok: true, output: expect.stringContaining('SUCCESS') });
  });

  it('refuses an alert that does not fire where it should', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'quita-alerts-'));
    const rules = readFileSync(ALERTS, 'utf8').replaceAll(
      'quita_outbox_oldest_seconds) > 60',
      'quita_outbox_oldest_seconds) > 6000',
    );
    await writeFile(join(folder, 'alerts.yml'), rules);
    await writeFile(join(folder, 'alerts.test.yml'), readFileSync(TESTS));
    const { ok, output } = await promtool(['test', 'rules', join(folder, 'alerts.test.yml')]);
    expect([ok, output]).toEqual([false, expect.stringContaining('QuitaOutboxStuck')]);
    await rm(folder, { recursive: true });
  });

  it('accepts every expression of the dashboard', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'quita-dashboard-'));
    const file = join(folder, 'dashboard.yml');
    const rules = [...new Set(expressionsOf(readDashboard()))].map((expr, n) => ({
      record: `panel:${n}`,
      expr: expr.replaceAll('$__rate_interval', '5m'),
    }));
    // YAML takes JSON.
    await writeFile(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
    expect(await promtool(['check', 'rules', file])).toMatchObject({ ok: true });
    await rm(folder, { recursive: true });
  });
});
