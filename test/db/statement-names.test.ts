import { describe, expect, it } from '@jest/globals';
import type { PoolClient } from 'pg';
import { openDatabase } from '../../src/platform/database/database.ts';
import { createTestDatabase } from '../../testing/database.ts';
import { opened } from '../../testing/opened.ts';

const database = await opened(createTestDatabase());
const db = await opened(openDatabase({ url: database.url, role: 'quita_app' }));

/** Runs on a connection of its own, which has planned nothing yet. */
async function onNewConnection(run: (client: PoolClient) => Promise<void>): Promise<void> {
  const client = await db.pool.connect();
  try {
    await run(client);
  } finally {
    client.release(true);
  }
}
const plannedBy = async (client: PoolClient): Promise<string[]> => {
  const { rows } = await client.query<{ statement: string }>('select statement from pg_prepared_statements');
  return rows.map(({ statement }) => statement);
};

describe('a connection', () => {
  it('plans a statement with values under a name when it runs again, and answers the same', () =>
    onNewConnection(async (client) => {
      const text = 'select $1::int + 1 as next';
      expect((await client.query(text, [1])).rows).toEqual([{ next: 2 }]);
      expect(await plannedBy(client)).toEqual([]);
      expect((await client.query(text, [2])).rows).toEqual([{ next: 3 }]);
      expect(await plannedBy(client)).toEqual([text]);
      expect((await client.query(text, [3])).rows).toEqual([{ next: 4 }]);
      expect(await plannedBy(client)).toEqual([text]);
    }));

  it('plans no statement without values, because those begin and end transactions', () =>
    onNewConnection(async (client) => {
      for (let n = 0; n < 3; n += 1) await client.query('select 1');
      expect(await plannedBy(client)).toEqual([]);
    }));

  it('plans a statement that brings many rows each time, because the tables grow by it', () =>
    onNewConnection(async (client) => {
      const text = 'select count(*)::int as rows from unnest($1::int[])';
      const many = `{${Array.from({ length: 1_000 }, (_, n) => n).join(',')}}`;
      for (let n = 0; n < 3; n += 1) expect((await client.query(text, [many])).rows).toEqual([{ rows: 1_000 }]);
      expect(await plannedBy(client)).toEqual([]);
      for (let n = 0; n < 2; n += 1) await client.query(text, ['{1}']);
      expect(await plannedBy(client)).toEqual([text]);
    }));

  it('keeps a bounded number of plans, however many texts there are', () =>
    onNewConnection(async (client) => {
      for (let n = 0; n < 310; n += 1) {
        for (let time = 0; time < 2; time += 1) await client.query(`select $1::int as column_${n}`, [n]);
      }
      expect(await plannedBy(client)).toHaveLength(300);
      expect((await client.query('select $1::int as column_309', [7])).rows).toEqual([{ column_309: 7 }]);
    }));

  it('goes on after an error in a planned statement', () =>
    onNewConnection(async (client) => {
      const text = 'select 1 / $1::int as share';
      await client.query(text, [1]);
      await client.query(text, [1]);
      await expect(client.query(text, [0])).rejects.toThrow('division by zero');
      expect((await client.query(text, [1])).rows).toEqual([{ share: 1 }]);
    }));
});
