import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { openDatabase } from '../../src/platform/database/database.ts';
import type { Tx } from '../../src/platform/database/tx.ts';
import { createTestDatabase } from '../../testing/database.ts';
import { createClient } from '../../testing/factories.ts';
import { opened } from '../../testing/opened.ts';
import { runInTransaction } from '../../testing/raw-sql.ts';

const database = await opened(createTestDatabase());
let role: string | undefined;
let caller: string | undefined;
const db = await opened(
  openDatabase({ url: database.url, role: 'quita_app', ownerOf: () => caller, roleOf: () => role }),
);
const { id: clientId } = await createClient(db);

/** A statement for each table that decides who has access, and where money goes. */
const INSERTS: Readonly<Record<string, string>> = {
  members: `insert into members (client_id, email, name, role) values ($1, $2 || '@x.com.br', 'x', 'owner')`,
  invitations: `insert into invitations (client_id, email, name, role, expires_at)
    values ($1, $2 || '@x.com.br', 'x', 'owner', now())`,
  api_keys: `insert into api_keys (client_id, key_hash, revoked_at) values ($1, $2, now())`,
  client_credentials: `insert into client_credentials (client_id, purpose, sealed, account_id, replaced_at)
    values ($1, 'pix', 's', $2, now())`,
};
const CHANGES: Readonly<Record<string, string>> = {
  members: `update members set role = 'owner' returning id`,
  invitations: `update invitations set role = 'owner' returning id`,
  api_keys: `update api_keys set revoked_at = null returning id`,
  client_credentials: `update client_credentials set sealed = 'x' returning id`,
};

const write = (tx: Tx, table: string) =>
  tx.transactional((inside) => runInTransaction(inside, INSERTS[table] ?? '', [clientId, randomUUID()]));
const change = (tx: Tx, table: string) => tx.transactional((inside) => runInTransaction(inside, CHANGES[table] ?? ''));

/** Runs `work` as in a request of a member. */
async function as<T>(given: string | undefined, work: () => Promise<T>, of: string | undefined = clientId): Promise<T> {
  [role, caller] = [given, of];
  return work().finally(() => {
    [role, caller] = [undefined, undefined];
  });
}

describe.each(Object.keys(INSERTS))('%s', (table) => {
  it('is written by an owner, and by what authenticates', async () => {
    await as('owner', () => write(db.tenant(clientId), table));
    await write(db.account(clientId), table);
    if (table !== 'api_keys') expect(await as('owner', () => change(db.tenant(clientId), table))).toHaveLength(2);
  });

  it.each(['manager', 'agent', 'viewer', 'auditor', undefined])(
    'is not written by a %s, whatever its statement says',
    async (given) => {
      await expect(as(given, () => write(db.tenant(clientId), table))).rejects.toThrow(/row-level security/);
      expect(await as(given, () => change(db.tenant(clientId), table))).toEqual([]);
    },
  );

  it('is not written by an owner of another company', async () => {
    const other = randomUUID();
    await expect(as('owner', () => write(db.tenant(clientId), table), other)).rejects.toThrow(/row-level security/);
    expect(await as('owner', () => change(db.tenant(clientId), table), other)).toEqual([]);
  });
});
