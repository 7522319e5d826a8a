import { afterAll, beforeAll } from '@jest/globals';
import { createSandboxChargeStore } from '../../src/modules/payments/queries/sandbox-charge-store.ts';
import { type Database, openDatabase } from '../../src/platform/database/database.ts';
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
