import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { Client } from '../../src/db/entities/client.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createClient } from '../support/factories.ts';

describe('isolation', () => {
  let test: TestDatabase;
  let app: Database;
  beforeAll(async () => {
    test = await createTestDatabase();
    app = await openDatabase({ url: test.url, role: 'quita_app' });
  });
  afterAll(async () => {
    await app?.close();
    await test?.drop();
  });
  it('works', async () => {
    const a = await createClient(app);
    await createClient(app);
    expect((await app.tenant(a.id).find(Client, {})).map((c) => c.id)).toEqual([a.id]);
  });
});
