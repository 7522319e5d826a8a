import { describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { createTestDatabase } from '../../testing/database.ts';
import { opened } from '../../testing/opened.ts';

/** Tables that belong to no client, each with its reason. Every other table needs `client_id` and row security. */
const SHARED_TABLES: Readonly<Record<string, string>> = {
  mikro_orm_migrations: 'what was migrated',
  account_hours: 'counts people of an account at a channel; all workers share it',
  audit_log: 'written by all; some entries concern no account; its own policies show a client its own entries',
  bank_calls: 'moments of calls to banks; all processes share them, the API by the signature of authentication',
  contact_pace: 'moments only; all campaigns keep the pace together',
  login_lockouts: 'counts for e-mails without an account too',
  login_sources: 'as the lockouts, from which they are excepted',
  operators: 'people of the deployment; the API reaches these four by the signature of operators',
  operator_invitations: 'likewise',
  operator_sessions: 'likewise',
  operator_acts: 'likewise',
  outbox: 'ids only; the relay takes the rows of all clients in order',
  index_values: 'published values, which are the same for every client',
  passkey_challenges:
    'a login asks before anybody knows whose it is; the API reaches it by the signature of authentication',
  policy_versions: 'the texts of the policy, which every client may read',
  rate_limits: 'counts addresses',
  sender_pace: 'moments of senders; all workers share it',
  unrecorded_contacts: 'moments only; what a restored database may have forgotten counts for everybody',
  sandbox_charges: 'what the simulated provider remembers; the API reaches it by the signature of authentication',
};
/** Tables that span clients, because a person's contacts do. Only the contact gate may read all their rows. */
const GATE_TABLES = ['contact_ledger', 'suppressions'];
/** The table whose own id is the client. */
const ROOT_TABLE = 'clients';

const database = await opened(createTestDatabase());
const owner = await opened(new Client({ connectionString: database.url }));
await owner.connect();

describe('laws of the schema', () => {
  const column = async (text: string, params: unknown[] = []): Promise<string[]> =>
    (await owner.query<{ found: string }>(text, params)).rows.map((row) => row.found);

  const tenantTables = (): Promise<string[]> =>
    column(
      `select relname as found from pg_class
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname <> all ($1)`,
      [[...Object.keys(SHARED_TABLES), ...GATE_TABLES]],
    );

  it('has tables to check', async () => {
    expect(await tenantTables()).toContain(ROOT_TABLE);
  });

  // In debts it leads only a partial index, for the reason given in `src/modules/debts/tables/debt.ts`.
  it('gives every tenant table a client_id that is not null and leads an index', async () => {
    const good = await column(
      `select distinct a.attrelid::regclass::text as found
       from pg_attribute a join pg_index i on i.indrelid = a.attrelid and i.indkey[0] = a.attnum
         and (i.indpred is null or i.indrelid = 'debts'::regclass)
       where a.attname = 'client_id' and a.attnotnull`,
    );
    const bad = (await tenantTables()).filter((table) => table !== ROOT_TABLE && !good.includes(table));
    expect(bad).toEqual([]);
  });

  it('forces row security on every tenant table, with the tenant policy for both roles', async () => {
    const good = await column(
      `select relname as found from pg_class join pg_policies on tablename = relname and schemaname = 'public'
       where relrowsecurity and relforcerowsecurity and policyname = 'tenant' and permissive = 'PERMISSIVE' and cmd = 'ALL'
         and roles @> array['quita_app', 'quita_worker']::name[] and qual = with_check
         and qual = case relname when $1 then '(id' else '(client_id' end
           || ' = (( SELECT quita_scope(''app.client_id''::text) AS quita_scope))::uuid)'`,
      [ROOT_TABLE],
    );
    expect((await tenantTables()).filter((table) => !good.includes(table))).toEqual([]);
  });

  // A function answers one question about them: asked_for_silence().
  it('lets only quita_worker, and a function, read all rows of tables that span clients', async () => {
    const readers = await column(
      `select tablename || ' ' || array_to_string(roles, ',') as found
       from pg_policies join pg_class on relname = tablename
       where tablename = any ($1) and cmd <> 'INSERT' and qual = 'true' and relrowsecurity and relforcerowsecurity order by 1`,
      [GATE_TABLES],
    );
    const roles = GATE_TABLES.map((table) => `${table} quita_worker`);
    expect(readers.filter((reader) => reader !== 'suppressions quita_functions')).toEqual(roles);
  });

  it('has policies for named roles only, so that no other role sees a row', async () => {
    const bad = await column(
      `select tablename || '.' || policyname as found from pg_policies where roles && array['public']::name[]`,
    );
    expect(bad).toEqual([]);
  });

  // The client of a debt is excepted as above, because clients are neither deleted nor given another id.
  it('has an index that begins with the columns of each foreign key', async () => {
    const bad = await column(
      `select conrelid::regclass || '.' || conname as found from pg_constraint c
       cross join lateral (select case conname when 'debts_campaign_id_client_id_foreign' then conkey[1:1] else conkey end) as searched (key)
       where contype = 'f' and connamespace = 'public'::regnamespace and not exists (
         select from pg_index i where i.indrelid = c.conrelid
           and (i.indkey::int2[])[0:cardinality(searched.key) - 1] @> searched.key
           -- No foreign key looks for null, so that an index without such rows serves it too.
           and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) = (select '(' || a.attname || ' IS NOT NULL)'
             from pg_attribute a where a.attrelid = c.conrelid and a.attnum = searched.key[1]))
       )`,
    );
    expect(bad).toEqual([]);
  });

  it('keeps money as integers named *_centavos', async () => {
    const bad = await column(
      `select table_name || '.' || column_name as found from information_schema.columns
       where table_schema = 'public' and (
         data_type in ('money', 'numeric', 'real', 'double precision')
         or column_name like '%\\_centavos' and data_type not in ('integer', 'bigint')
         or column_name ~ '(^|_)(amount|price|total|fee|value)$'
       ) and column_name <> 'score'`,
    );
    expect(bad).toEqual([]);
  });

  it('has no enum types, because their equality prevents the use of an index under row security', async () => {
    expect(await column(`select typname as found from pg_type where typtype = 'e'`)).toEqual([]);
  });

  it('stores moments with a time zone, in milliseconds', async () => {
    const bad = await column(
      `select table_name || '.' || column_name as found from information_schema.columns
       where table_schema = 'public' and table_name <> 'mikro_orm_migrations' and (
         data_type = 'timestamp without time zone'
         or data_type = 'timestamp with time zone' and datetime_precision <> 3
       )`,
    );
    expect(bad).toEqual([]);
  });
});
