import { afterAll, beforeEach, expect, it } from '@jest/globals';
import pg from 'pg';
import { DAY, openEngine, somebody } from '../../testing/engine.ts';
import { opened } from '../../testing/opened.ts';

// The connections of the engine take the function when they are opened.
const { query } = pg.Client.prototype;
let statements: string[] = [];
pg.Client.prototype.query = function (this: pg.Client, ...given: Parameters<typeof query>) {
  const statement = given[0] as string | pg.QueryConfig;
  statements.push(typeof statement === 'string' ? statement : statement.text);
  return query.apply(this, given);
} as typeof query;
afterAll(() => {
  pg.Client.prototype.query = query;
});

const engine = await opened(openEngine());
beforeEach(engine.reset);

it('a contact with a code that can still be paid takes three transactions of twenty statements in all', async () => {
  const one = await engine.debt(somebody());
  await engine.contact(one);
  await engine.query(one, `update charges set expires_at = expires_at + interval '30 days' where debt_id = $1`, [
    one.id,
  ]);
  engine.clock.now += 5 * DAY;
  statements = [];
  await engine.contact(one);
  expect(engine.sent).toHaveLength(2);
  expect(statements.filter((text) => /^begin/i.test(text))).toHaveLength(3);
  expect(statements.length).toBeLessThanOrEqual(20);
});

it('PostgreSQL plans the statements of a contact for all contacts', async () => {
  const debts = [];
  for (let made = 0; made < 10; made += 1) debts.push(await engine.debt(somebody()));
  for (const debt of debts) await engine.contact(debt);
  const { rows } = await engine.db.pool.query<{ statement: string }>(
    `select statement from pg_prepared_statements where generic_plans = 0 and custom_plans > 6 and statement ~ 'debts'`,
  );
  expect(rows).toEqual([]);
});
