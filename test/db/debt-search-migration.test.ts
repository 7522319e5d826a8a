import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Client } from 'pg';
import { nameKeyOf } from '../../src/kernel/name-key.ts';
import { migrate } from '../../src/platform/database/migrate.ts';
import { type EarlierDatabase, openEarlierDatabase } from './earlier-database.ts';

const BEFORE = 'Migration20261122204913_work_of_the_staff';
/** A trigger on the debts counts them in the last one. */
const TABLES = ['clients', 'campaigns', 'debts', 'campaign_status_counts'];
const NAMES = [
  'João Antônio da Conceição',
  '  MÜLLER   & Çã ',
  'Ｍａｒｉａ 😀',
  'D’Ávila Júnior',
  'Ana\u00a0Souza',
  '\ufdfa'.repeat(200),
  'Å'.repeat(200),
];

let earlier: EarlierDatabase;
let owner: Client;
let force: EarlierDatabase['force'];
const [client, campaign, erased] = [randomUUID(), randomUUID(), randomUUID()];

const debt = (id: string, position: number, name: string) =>
  owner.query(
    `insert into debts (id, client_id, campaign_id, position, debtor_name, debtor_phone, debtor_cpf,
       original_amount_centavos, due_date, status, erased_at)
     values ($1, $2, $3, $4, $5, '+5511980001000', '52998224725', 10000, '2026-10-05', 'PAID', $6)`,
    [id, client, campaign, position, name, id === erased ? new Date() : null],
  );

beforeAll(async () => {
  earlier = await openEarlierDatabase(BEFORE, TABLES);
  ({ owner, force } = earlier);
  await owner.query(
    `insert into clients (id, name, email, plan, status) values ($1, 'Escola', 'f@escola.com.br', 'GROWTH', 'ACTIVE')`,
    [client],
  );
  await owner.query(`insert into campaigns (id, client_id, name, status) values ($1, $2, 'Mensalidades', 'RUNNING')`, [
    campaign,
    client,
  ]);
  for (const [position, name] of NAMES.entries()) await debt(randomUUID(), position + 1, name);
  await debt(erased, NAMES.length + 1, '(dados apagados)');
  await force('force');
  await migrate(earlier.database.url);
  await force('no force');
});

afterAll(() => earlier?.close());

it('the names of debts that were there before are found as those of new ones, and erased ones are not', async () => {
  const { rows } = await owner.query<{ name: string; key: string }>(
    'select debtor_name as name, name_key as key from debts where erased_at is null order by position',
  );
  expect(rows.map(({ name }) => name)).toEqual(NAMES);
  for (const { name, key } of rows) expect(key).toBe(nameKeyOf(name));
  const { rows: hidden } = await owner.query('select name_key from debts where id = $1', [erased]);
  expect(hidden).toEqual([{ name_key: '' }]);
});
