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

/** A statement for each table that decides who has access, where money goes, and who speaks for the company. */
const INSERTS: Readonly<Record<string, string>> = {
  members: `insert into members (client_id, email, name, role) values ($1, $2 || '@x.com.br', 'x', 'owner')`,
  invitations: `insert into invitations (client_id, email, name, role, expires_at)
    values ($1, $2 || '@x.com.br', 'x', 'owner', now())`,
  api_keys: `insert into api_keys (client_id, key_hash, revoked_at) values ($1, $2, now())`,
  client_credentials: `insert into client_credentials (client_id, purpose, sealed, account_id, replaced_at)
    values ($1, 'pix', 's', $2, now())`,
  second_factors: `insert into second_factors (client_id, member_id, sealed, confirmed_at) values ($1, $3, $2, now())`,
  passkeys: `insert into passkeys (client_id, member_id, credential_id, public_key, counter, transports, device_type, backed_up, name)
    values ($1, $3, $2, '', 0, '{}', 'singleDevice', false, 'x')`,
  recovery_codes: 'insert into recovery_codes (client_id, member_id, code_hash) values ($1, $3, $2)',
  email_changes: `insert into email_changes (client_id, member_id, of_company, present_email, new_email, expires_at)
    values ($1, $3, false, 'x@x.com.br', $2 || '@x.com.br', now())`,
  channel_senders: `insert into channel_senders (client_id, channel, sender_id, shown_as, replaced_at)
    values ($1, 'whatsapp', $2, 'x', now())`,
  channel_templates: `insert into channel_templates (client_id, channel, account_id, name, state)
    values ($1, 'whatsapp', 'x', $2, 'approved')`,
};
/** Channels tell news of their rows themselves, so that only adding rows is the owners'. */
const CHANGES: Readonly<Record<string, string>> = {
  members: `update members set role = 'owner' returning id`,
  invitations: `update invitations set role = 'owner' returning id`,
  api_keys: `update api_keys set revoked_at = null returning id`,
  client_credentials: `update client_credentials set sealed = 'x' returning id`,
  second_factors: 'update second_factors set last_step = 1 returning id',
  passkeys: `update passkeys set name = 'y' returning id`,
  recovery_codes: 'update recovery_codes set used_at = now() returning id',
  email_changes: 'update email_changes set of_company = true returning id',
};

/** A member of its own, because nobody has two apps. */
const newMember = () =>
  db.account(clientId).transactional(async (tx) => {
    const text = `${INSERTS['members']} returning id`;
    const [row] = await runInTransaction<{ id: string }>(tx, text, [clientId, randomUUID()]);
    return row!.id;
  });
async function write(tx: Tx, table: string) {
  const text = INSERTS[table] ?? '';
  const values = [clientId, randomUUID(), ...(text.includes('$3') ? [await newMember()] : [])];
  return tx.transactional((inside) => runInTransaction(inside, text, values));
}
const change = (tx: Tx, table: string) =>
  tx.transactional((inside) => runInTransaction(inside, CHANGES[table] ?? 'select where false'));

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
    // Of the keys of a company one works.
    if (table in CHANGES && table !== 'api_keys')
      expect(await as('owner', () => change(db.tenant(clientId), table))).toHaveLength(2);
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
