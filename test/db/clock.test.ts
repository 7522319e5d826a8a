import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, it } from '@jest/globals';
import { openDatabase } from '../../src/platform/database/database.ts';
import { ask, createTestDatabase } from '../../testing/database.ts';
import { opened } from '../../testing/opened.ts';

const HOUR = 3_600_000;

const database = await opened(createTestDatabase());

const AHEAD = `select (extract(epoch from quita_now() - now()) * 1000)::float8 as ms`;

it.each([0, 51 * HOUR, -5 * HOUR, 1, -366 * 24 * HOUR])('quita_now() is %d ms ahead of the server', async (offset) => {
  const db = await openDatabase({ url: database.url, role: 'quita_app', clockOffsetMs: offset });
  try {
    expect((await db.pool.query(AHEAD)).rows).toEqual([{ ms: offset }]);
    expect((await db.pool.query(`select current_setting('quita.clock_offset_ms', true) as set`)).rows).toEqual([
      { set: offset === 0 ? null : String(offset) },
    ]);
  } finally {
    await db.close();
  }
});

it('a condition with quita_now() is inlined and uses the same index as one with now()', async () => {
  const url = new URL(database.url);
  url.search = 'options=-c%20enable_seqscan=off%20-c%20enable_bitmapscan=off';
  const planOf = async (now: string) => {
    const text = `explain (costs off) select id from outbox where delivered_at is null and available_at <= ${now}
      order by available_at limit 1`;
    const rows = await ask<Record<string, string>>(url.href, text);
    return rows.map((row) => Object.values(row)[0]).join('\n');
  };
  expect(await planOf('now()')).toMatch(/Index Cond: \(available_at <= now\(\)\)/);
  expect(await planOf('quita_now()')).toMatch(/Index Cond: \(available_at <= \(now\(\) \+ make_interval/);
});

it('every column that is set by itself has a moment of the service, except for what protects against guessing', async () => {
  const columns = await ask<{ name: string }>(
    database.url,
    `select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = 'public' and column_default is not null and column_default !~ '^quita_now'
       and column_default ~* '(now|timestamp|date)' order by 1`,
  );
  expect(columns.map(({ name }) => name).filter((name) => !name.startsWith('mikro_orm'))).toEqual([
    'login_lockouts.updated_at',
  ]);
});

it('statements read the clock of the service, except for what protects against guessing and for how long work takes', () => {
  const root = new URL('../../', import.meta.url);
  const files = globSync('src/{modules/*,platform/database}/queries/*.ts', { cwd: root });
  const real = files.filter((file) =>
    /`[^`]*(?<![\w.])(?:now\(\)|current_timestamp|clock_timestamp\(\))/.test(readFileSync(new URL(file, root), 'utf8')),
  );
  expect(real.map((file) => basename(file)).toSorted()).toEqual([
    'bank-calls.ts',
    'login-challenges.ts',
    'login-lockouts.ts',
    'login-sources.ts',
    'operators.ts',
    'passkey-challenges.ts',
    'purges.ts',
    'receipt-leases.ts',
    'second-factors.ts',
    'settled-payments.ts',
  ]);
});
