import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { migrate } from '../../src/platform/database/migrate.ts';
import { type EarlierDatabase, openEarlierDatabase } from './earlier-database.ts';

const BEFORE = 'Migration20261122211652_debt_search';

let earlier: EarlierDatabase;
const [client, refreshed, signUp] = [randomUUID(), randomUUID(), randomUUID()];

beforeAll(async () => {
  earlier = await openEarlierDatabase(BEFORE, ['clients', 'sessions']);
  const { owner, force } = earlier;
  await owner.query(
    `insert into clients (id, name, email, plan, status) values ($1, 'Escola', 'f@escola.com.br', 'GROWTH', 'ACTIVE')`,
    [client],
  );
  await owner.query(
    `insert into sessions (id, client_id, created_at, expires_at) values
       ($1, $3, '2026-10-01T12:00Z', '2026-11-09T08:00Z'), ($2, $3, '2026-11-20T12:00Z', '2026-11-20T12:15Z')`,
    [refreshed, signUp, client],
  );
  await force('force');
  await migrate(earlier.database.url);
});

afterAll(() => earlier?.close());

it('a session that was there before shows its last refresh, or its login, as its last use', async () => {
  const { owner, force } = earlier;
  const forced = await owner.query(`select relforcerowsecurity as forced from pg_class where relname = 'sessions'`);
  expect(forced.rows).toEqual([{ forced: true }]);
  await force('no force');
  const { rows } = await owner.query<{ id: string; used: Date; cookie: string | null }>(
    'select id, last_used_at as used, cookie_hash as cookie from sessions order by created_at',
  );
  expect(rows).toEqual([
    { id: refreshed, used: new Date('2026-10-10T08:00Z'), cookie: null },
    { id: signUp, used: new Date('2026-11-20T12:00Z'), cookie: null },
  ]);
});
