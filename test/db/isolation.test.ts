import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RowLevelSecurityViolationException } from '@mikro-orm/core';
import { Client as PgClient } from 'pg';
import { Client } from '../../src/modules/accounts/tables/client.ts';
import { type Database, openDatabase } from '../../src/platform/database/database.ts';
import { tenantTable } from '../../src/platform/database/tables/tenant-table.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { entitiesOf } from '../../testing/entities-of.ts';
import { createClient } from '../../testing/factories.ts';
import { readRaw, runInTransaction, writeRaw } from '../../testing/raw-sql.ts';

const allClients = { name: 'test_all_clients', text: 'select id from clients' };
const allNotes = { name: 'test_all_notes', text: 'select text from notes' };

describe('tenant isolation of statements without a where', () => {
  let database: TestDatabase;
  let app: Database;
  let worker: Database;
  const a = randomUUID();
  const b = randomUUID();
  const debt = randomUUID();

  /** Creates a table as a later migration would. */
  async function createNotesTable(): Promise<void> {
    const { policies } = tenantTable({ debtColumn: 'debt_id' });
    const owner = new PgClient({ connectionString: database.url });
    await owner.connect();
    await owner.query(`create table notes (client_id uuid not null, debt_id uuid, text text not null)`);
    await owner.query('alter table notes enable row level security; alter table notes force row level security');
    for (const { name, command = 'all', roles, using, check } of policies) {
      const written = check === undefined ? '' : `with check (${check})`;
      await owner.query(`create policy ${name} on notes for ${command} to ${roles.join()} using (${using}) ${written}`);
    }
    await owner.query('grant select, insert, update, delete on notes to quita_app, quita_worker');
    await owner.end();
  }

  const writeNote = (db: Database, clientId: string, text: string): Promise<object[]> =>
    writeRaw(
      db,
      { clientId },
      { name: 'test_write_note', text: 'insert into notes (client_id, debt_id, text) values ($1, $2, $3)' },
      [clientId, debt, text],
    );

  beforeAll(async () => {
    database = await createTestDatabase();
    // There is one connection, so that the next transaction gets everything that the last one left on it.
    app = await openDatabase({ url: database.url, role: 'quita_app', poolSize: 1 });
    worker = await openDatabase({ url: database.url, role: 'quita_worker', poolSize: 1 });
    await createNotesTable();
    await createClient(app, { id: a, email: 'a@aurora.com.br' });
    await createClient(app, { id: b, email: 'b@boreal.com.br' });
    await writeNote(app, a, 'of a');
    await writeNote(worker, b, 'of b');
  });

  afterAll(async () => {
    await app?.close();
    await worker?.close();
    await database?.drop();
  });

  const idsSeen = async (tx: ReturnType<Database['system']>): Promise<string[]> =>
    (await entitiesOf(tx).find(Client, {}, { fields: ['id'] })).map((client) => client.id).sort();

  it.each(['quita_app', 'quita_worker'])('%s sees and changes its own tenant only', async (role) => {
    const db = role === 'quita_app' ? app : worker;
    expect(await idsSeen(db.tenant(a))).toEqual([a]);
    expect(await readRaw(db, { clientId: a }, allClients)).toEqual([{ id: a }]);
    expect(await readRaw(db, { clientId: b }, allNotes)).toEqual([{ text: 'of b' }]);
    const changed = await entitiesOf(db.tenant(a)).nativeUpdate(Client, {}, { segment: 'school' });
    expect(changed).toBe(1);
    const raw = await db.tenant(a).transactional((tx) => runInTransaction(tx, 'select id from clients'));
    expect(raw).toEqual([{ id: a }]);
  });

  it('refuses to write a row of another tenant', async () => {
    const tx = app.tenant(a);
    entitiesOf(tx).create(Client, {
      id: randomUUID(),
      name: 'Other',
      email: 'c@c.com.br',
      plan: 'GROWTH',
      status: 'ACTIVE',
    });
    await expect(entitiesOf(tx).flush()).rejects.toThrow(RowLevelSecurityViolationException);
    await expect(
      writeRaw(worker, { clientId: a }, { name: 'test_steal', text: 'update notes set client_id = $1' }, [b]),
    ).rejects.toThrow(/row-level security/);
    const deleted = await writeRaw(
      app,
      { clientId: a },
      { name: 'test_delete', text: 'delete from notes where text = $1' },
      ['of b'],
    );
    expect(deleted).toEqual([]);
    expect(await readRaw(app, { clientId: b }, allNotes)).toEqual([{ text: 'of b' }]);
  });

  it('shows the API no row when no tenant is set, whatever the connection did before', async () => {
    await entitiesOf(app.tenant(a)).find(Client, {});
    expect(await idsSeen(app.system())).toEqual([]);
    await readRaw(app, { clientId: a }, allClients);
    expect(await readRaw(app, {}, allClients)).toEqual([]);
    await expect(readRaw(app, { clientId: a }, { name: 'test_broken', text: 'select 1 / 0' })).rejects.toThrow();
    expect(await readRaw(app, {}, allClients)).toEqual([]);
    await expect(
      app.tenant(a).transactional(async (tx) => {
        await entitiesOf(tx).find(Client, {});
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    expect(await readRaw(app, {}, allClients)).toEqual([]);
  });

  it('lets the worker read across tenants and change nothing', async () => {
    expect(await idsSeen(worker.system())).toEqual([a, b].sort());
    expect(await entitiesOf(worker.system()).nativeUpdate(Client, {}, { segment: 'taken' })).toBe(0);
    expect(await writeRaw(worker, {}, { name: 'test_take', text: "update notes set text = 'x' returning 1" })).toEqual(
      [],
    );
  });

  it('lets authentication read clients and change none', async () => {
    expect((await entitiesOf(app.auth()).findOneOrFail(Client, { email: 'b@boreal.com.br' })).id).toBe(b);
    expect(await readRaw(app, { auth: true }, allClients)).toHaveLength(2);
    expect(await entitiesOf(app.auth()).nativeUpdate(Client, {}, { segment: 'taken' })).toBe(0);
    expect(await readRaw(app, { auth: true }, allNotes)).toEqual([]);
  });

  it('lets a public page read the rows of its debt only', async () => {
    expect(await readRaw(app, { debtId: debt }, allNotes)).toHaveLength(2);
    expect(await readRaw(app, { debtId: randomUUID() }, allNotes)).toEqual([]);
    expect(await idsSeen(app.debt(debt))).toEqual([]);
    const changed = await writeRaw(
      app,
      { debtId: debt },
      { name: 'test_page', text: "update notes set text = '' returning 1" },
    );
    expect(changed).toEqual([]);
  });

  it('refuses raw SQL outside a transaction, where the tenant would not be set', async () => {
    await expect(runInTransaction(app.tenant(a), 'select 1')).rejects.toThrow('inside tx.transactional');
  });

  it('refuses a write in a read transaction', async () => {
    await expect(
      readRaw(app, { clientId: a }, { name: 'test_sneak', text: "update clients set segment = 'x'" }),
    ).rejects.toThrow('read-only');
  });
});
