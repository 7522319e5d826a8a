import { createSandboxChargeStore } from '../../src/modules/payments/queries/sandbox-charge-store.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { ask, createTestDatabase } from '../../testing/database.ts';
import { memorySandboxChargeStore } from '../../testing/memory-sandbox-store.ts';
import { opened } from '../../testing/opened.ts';
import { LET_OWNER_SEE } from '../../testing/owner-sees.ts';
import { sandboxChargeStoreSuite } from './sandbox-charge-store.suite.ts';

sandboxChargeStoreSuite('in memory', memorySandboxChargeStore);

const database = await opened(createTestDatabase());
await ask(database.url, LET_OWNER_SEE);
const db = await opened(openDatabase({ url: database.url, role: 'quita_app' }));

sandboxChargeStoreSuite('in PostgreSQL', async () => {
  await ask(database.url, 'delete from sandbox_charges');
  return createSandboxChargeStore(db);
});
