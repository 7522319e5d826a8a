import { afterAll, beforeAll } from '@jest/globals';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { createSandboxChargeStore } from '../../src/db/sandbox-charge-store.ts';
import { ask, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { memorySandboxChargeStore } from '../support/memory-sandbox-store.ts';
import { LET_OWNER_SEE } from '../support/owner-sees.ts';
import { sandboxChargeStoreSuite } from './sandbox-charge-store.suite.ts';

sandboxChargeStoreSuite('in memory', memorySandboxChargeStore);

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  await ask(database.url, LET_OWNER_SEE);
  db = await openDatabase({ url: database.url, role: 'quita_app' });
});

afterAll(async () => {
  await db?.close();
  await database?.drop();
});

sandboxChargeStoreSuite('in PostgreSQL', async () => {
  await ask(database.url, 'delete from sandbox_charges');
  return createSandboxChargeStore(db);
});
