import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DEBT_STATUSES } from '../../src/kernel/debt-status.ts';
import { searchTermsOf } from '../../src/kernel/search-terms.ts';
import { type DebtSelection, selectedDebts } from '../../src/modules/debts/queries/debt-search.ts';
import { DEBT_SORT_NAMES } from '../../src/modules/debts/rules/debt-sorts.ts';
import { eraseDebtor } from '../../src/modules/privacy/use-cases/erase-debtor.ts';
import { type Database, openDatabase } from '../../src/platform/database/database.ts';
import { queriesIn } from '../../src/platform/database/queries/builder.ts';
import { createPersonKeys } from '../../src/platform/shared/person-keys.ts';
import { startCampaignsApp, type TestClient } from '../../testing/campaigns-app.ts';
import { cpfOf, debtInput } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';

const PEOPLE = [
  { debtorName: 'João Antônio da Conceição', originalAmount: 10, dueDate: '2026-10-01', invoiceId: 'NF-100' },
  { debtorName: 'JOANA  Prado', originalAmount: 30, dueDate: '2026-10-03', invoiceId: 'nf-1001' },
  { debtorName: 'Ana Souza', originalAmount: 20, dueDate: '2026-10-02', invoiceId: 'A_1' },
  { debtorName: '100% Limpeza', originalAmount: 40, dueDate: '2026-10-04', invoiceId: 'AX1' },
  { debtorName: '😀 Feliz', originalAmount: 50, dueDate: '2026-10-05', invoiceId: 'B\\1' },
];

const app = await opened(startCampaignsApp());
const worker = await opened(openDatabase({ url: app.database.url, role: 'quita_worker', poolSize: 2 }));
const [client, stranger] = [await app.newClient(), await app.newClient()];
const [first, second] = [await client.createCampaign('Primeira'), await client.createCampaign('Segunda')];
await client.importJson(first, [
  ...PEOPLE.slice(0, 3).map((person, n) => debtInput(n + 1, person)),
  debtInput(9, { debtorName: 'Várias Linhas', debtorPhones: ['+5511980000009', '+551134567890'] }),
]);
await client.importJson(
  second,
  PEOPLE.slice(3).map((person, n) => debtInput(n + 4, person)),
);
const other = await stranger.createCampaign();
await stranger.importJson(other, [debtInput(1, PEOPLE[0])]);

const search = (body: object, who = client) => who.call('POST', '/api/debts/search', body);
const namesOf = async (body: object, who = client): Promise<string[]> => {
  const answer = await search(body, who);
  expect(answer.status).toBe(200);
  return answer.body.items.map(({ debtorName }: { debtorName: string }) => debtorName);
};

describe('POST /api/debts/search', () => {
  it.each([
    ['a CPF', cpfOf(100_000_001), ['João Antônio da Conceição']],
    ['a CPF with punctuation', cpfOf(100_000_003).replace(/(\d{3})(\d{3})(\d{3})/, '$1.$2.$3-'), ['Ana Souza']],
    ['a phone in E.164', '+5511980000003', ['Ana Souza']],
    ['a phone as Brazilians write it', '(11) 98000-0003', ['Ana Souza']],
    ['a phone that is not in use', '(11) 3456-7890', ['Várias Linhas']],
    ['the beginning of a name', 'joao ant', ['João Antônio da Conceição']],
    ['capitals and accents', 'JOÃ', ['João Antônio da Conceição', 'JOANA  Prado']],
    ['the beginning of an invoice, case aside', 'Nf-100', ['João Antônio da Conceição', 'JOANA  Prado']],
    ['a percent sign', '100%', ['100% Limpeza']],
    ['a lone percent sign', '%', []],
    ['an underscore', 'a_1', ['Ana Souza']],
    ['a backslash', 'b\\', ['😀 Feliz']],
    ['an emoji', '😀', ['😀 Feliz']],
    ['a lone half of an emoji', '\ud83d', []],
    ['a quotation mark', "' or 1=1 --", []],
    ['a combining mark alone', '\u0301', []],
    ['100 characters', 'x'.repeat(100), []],
    ['any word of a name', 'souza', ['Ana Souza']],
    ['words in any order', 'conc JOAO', ['João Antônio da Conceição']],
    ['a word that another one contains', 'ouza', []],
    ['the beginning of a CPF', cpfOf(100_000_003).slice(0, 9), ['Ana Souza']],
    ['five digits of a CPF', cpfOf(100_000_003).slice(0, 5), []],
    ['a phone without its area code', '98000-0003', ['Ana Souza']],
    ['the last eight digits of a phone that is not in use', '3456 7890', ['Várias Linhas']],
  ])('finds by %s', async (_, q, names) => {
    expect((await namesOf({ q })).sort()).toEqual(names.toSorted());
  });

  it.each([
    ['an empty text', { q: '  ' }, '/q'],
    ['101 characters', { q: 'x'.repeat(101) }, '/q'],
    ['U+0000', { q: 'a\0b' }, '/q'],
    ['a number', { q: 1 }, '/q'],
    ['a status that does not exist', { status: ['GONE'] }, '/status/0'],
    ['a day that does not exist', { dueFrom: '2026-02-30' }, '/dueFrom'],
    ['a campaign that is no id', { campaignId: 'x' }, '/campaignId'],
    ['another order', { sort: 'cpf' }, '/sort'],
    ['a page of 101', { limit: 101 }, '/limit'],
    ['a cursor that is none', { cursor: 'nonsense' }, '/cursor'],
  ])('refuses %s', async (_, body, pointer) => {
    expect(await search(body)).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', errors: [{ pointer }] },
    });
  });

  it('filters, and combines filters with the text', async () => {
    expect((await namesOf({ campaignId: second })).sort()).toEqual(['100% Limpeza', '😀 Feliz']);
    expect(await namesOf({ dueFrom: '2026-10-02', dueTo: '2026-10-03', sort: 'dueDate' })).toEqual([
      'Ana Souza',
      'JOANA  Prado',
    ]);
    expect(await namesOf({ q: 'joa', campaignId: second })).toEqual([]);
    expect(await namesOf({ status: ['PAID'] })).toEqual([]);
    expect((await search({ status: ['IMPORTED', 'PAID'] })).body.total).toBe(6);
    expect((await search({ status: [] })).body.total).toBe(6);
    expect((await search({ q: null, status: null, cursor: null })).body.total).toBe(6);
    expect(await namesOf({ campaignId: randomUUID() })).toEqual([]);
  });

  it('tells sandbox debts from real ones', async () => {
    await app.query(`update debts set sandbox = false where client_id = $1 and invoice_id = 'A_1'`, [client.id]);
    expect(await namesOf({ sandbox: false })).toEqual(['Ana Souza']);
    expect((await search({ sandbox: true })).body.total).toBe(5);
    await app.query(`update debts set sandbox = true where client_id = $1`, [client.id]);
  });

  it('shows a debt as lists do, with what it waits for', async () => {
    const [item] = (await search({ q: 'ana s' })).body.items;
    await app.query(`update debts set status = 'ON_HOLD', next_contact_at = '2026-12-02T12:00:00Z' where id = $1`, [
      item.id,
    ]);
    await app.query(
      `insert into person_requests (client_id, debtor_tax_id, sandbox, promised_for)
       select client_id, debtor_tax_id, sandbox, '2026-12-01' from debts where id = $1`,
      [item.id],
    );
    await app.query(
      `insert into inbox_items (client_id, debt_id, reason) values ($1, $2, 'attachment'), ($1, $2, 'hardship')`,
      [client.id, item.id],
    );
    const [found] = (await search({ q: 'ana s' })).body.items;
    const listed = (await client.call('GET', `/api/campaigns/${first}/debts`)).body.items;
    expect(found).toMatchObject(listed.find(({ id }: { id: string }) => id === item.id));
    expect(found).toMatchObject({
      campaignName: 'Primeira',
      sandbox: true,
      holdReason: 'hardship',
      promisedFor: '2026-12-01',
      nextContactAt: '2026-12-02T12:00:00.000Z',
      receiptProtocol: null,
    });
  });

  it.each(DEBT_SORT_NAMES)('pages by %s show each debt once, in one order', async (sort) => {
    const whole = (await search({ sort })).body.items.map(({ id }: { id: string }) => id);
    const paged: string[] = [];
    for (let cursor: string | null = null; ; ) {
      const { body } = await search({ sort, limit: 1, cursor });
      expect(body.total).toBe(6);
      paged.push(...body.items.map(({ id }: { id: string }) => id));
      cursor = body.nextCursor;
      if (cursor === null) break;
    }
    expect(paged).toEqual(whole);
    expect(new Set(whole).size).toBe(6);
    const reversed = sort.startsWith('-') ? sort.slice(1) : `-${sort}`;
    const other = (await search({ sort: reversed })).body.items.map(({ id }: { id: string }) => id);
    // Debts without a next contact come last in both directions.
    if (!sort.includes('nextContactAt')) expect(other).toEqual(whole.toReversed());
  });

  it('sorts by amount, by name without accents, and by import', async () => {
    expect((await namesOf({ sort: 'amount' })).slice(0, 3)).toEqual([
      'João Antônio da Conceição',
      'Ana Souza',
      'JOANA  Prado',
    ]);
    expect((await namesOf({ sort: 'name' })).slice(0, 4)).toEqual([
      '100% Limpeza',
      'Ana Souza',
      'JOANA  Prado',
      'João Antônio da Conceição',
    ]);
    expect((await namesOf({}))[0]).toBe('😀 Feliz');
    expect((await namesOf({ sort: 'createdAt' }))[0]).toBe('João Antônio da Conceição');
  });

  it('refuses the cursor of another search', async () => {
    const { nextCursor } = (await search({ limit: 1, sort: 'amount' })).body;
    expect((await search({ limit: 2, sort: 'amount', cursor: nextCursor })).status).toBe(200);
    for (const other of [{ sort: '-amount' }, { sort: 'amount', q: 'j' }, { sort: 'amount', campaignId: first }]) {
      expect(await search({ ...other, cursor: nextCursor })).toMatchObject({ status: 400 });
    }
    expect(await search({ limit: 1, sort: 'amount', cursor: nextCursor }, stranger)).toMatchObject({ status: 400 });
  });

  it('a forged position is refused, and never an error of the database', async () => {
    const { nextCursor } = (await search({ limit: 1, sort: 'dueDate' })).body;
    const [id] = JSON.parse(Buffer.from(nextCursor, 'base64url').toString()) as string[];
    for (const value of ['0000-01-01', 'infinity', 5, null, '\0', {}]) {
      const cursor = Buffer.from(JSON.stringify([id, value, randomUUID()])).toString('base64url');
      expect((await search({ sort: 'dueDate', cursor })).status).toBe(400);
    }
  });

  it('pages go on over debts that are imported meanwhile', async () => {
    const mine = await app.newClient();
    const campaign = await mine.createCampaign();
    await mine.importJson(campaign, [debtInput(50, { debtorName: 'Bia' }), debtInput(51, { debtorName: 'Davi' })]);
    const page = (await search({ sort: 'name', limit: 1 }, mine)).body;
    await mine.importJson(campaign, [debtInput(52, { debtorName: 'Abel' }), debtInput(53, { debtorName: 'Caio' })]);
    expect(await namesOf({ sort: 'name', cursor: page.nextCursor }, mine)).toEqual(['Caio', 'Davi']);
  });

  it('shows a stranger nothing', async () => {
    expect(await namesOf({}, stranger)).toEqual(['João Antônio da Conceição']);
    expect(await namesOf({ campaignId: first }, stranger)).toEqual([]);
    expect(await namesOf({ q: cpfOf(100_000_003) }, stranger)).toEqual([]);
    expect((await app.post('/api/debts/search', {})).status).toBe(401);
  });

  it('does not find an erased debtor by the name', async () => {
    const mine = await app.newClient();
    await mine.importJson(await mine.createCampaign(), [debtInput(70, { debtorName: 'Zélia Apagada' })]);
    await app.query(`update debts set status = 'STOPPED' where client_id = $1`, [mine.id]);
    expect(await namesOf({ q: 'zelia' }, mine)).toEqual(['Zélia Apagada']);
    const personKeys = createPersonKeys('person_secret-of-the-tests');
    await eraseDebtor({ db: worker, now: () => new Date(), personKeys })(cpfOf(100_000_070));
    expect(await namesOf({ q: 'zelia' }, mine)).toEqual([]);
    expect(await namesOf({ q: '(dados' }, mine)).toEqual([]);
    expect((await search({}, mine)).body.items).toMatchObject([{ debtorName: '(dados apagados)', debtorCpf: '' }]);
  });
});

describe('searching 50,000 debts beside as many of another client', () => {
  let db: Database;
  let large: TestClient;
  let campaign: string;

  beforeAll(async () => {
    // The API's connections refuse `explain`; the worker's have the same row security.
    db = await openDatabase({ url: app.database.url, role: 'quita_worker', poolSize: 2 });
    large = await app.newClient();
    campaign = await large.createCampaign();
    const many = await app.newClient();
    for (const [who, campaignId] of [[large, campaign] as const, [many, await many.createCampaign()] as const]) {
      await app.query(
        `insert into debts (client_id, campaign_id, position, debtor_name, name_key, debtor_phone, debtor_tax_id,
           original_amount_centavos, due_date, invoice_id, invoice_key, status, sandbox)
         select $1, $2, n, 'Pessoa ' || n, 'pessoa ' || n, '+55119' || lpad(n::text, 8, '0'), lpad(n::text, 11, '0'),
           100 + n, '2026-10-05', 'NF-' || n, 'nf-' || n, case when n % 1000 = 0 then 'DISPUTED' else 'PAID' end, true
         from generate_series(1, 50000) as n`,
        [who.id, campaignId],
      );
    }
    await app.query('analyze debts');
  });
  afterAll(() => db?.close());

  const planOf = (selection: Omit<DebtSelection, 'clientId'>): Promise<string> =>
    db.tenant(large.id).transactional(async (tx) => {
      const query = selectedDebts(queriesIn(tx), { clientId: large.id, ...selection }).select('debts.id');
      const rows = await query.explain<{ 'QUERY PLAN': string }>();
      return rows.map((row) => Object.values(row)[0]).join('\n');
    });

  it.each([
    ['a CPF', '000.000.123-45', ['debts_person']],
    ['a phone', '(11) 90001-2345', ['debts_phone', 'debt_phones_phone']],
    ['an invoice', 'NF-1234', ['debts_client_invoice_key']],
    ['a phone without its area code', '90001-2345', ['debts_phone', 'debt_phones_phone']],
  ])('by %s uses an index', async (_, q, indexes) => {
    const plan = await planOf({ terms: { ...searchTermsOf(q), words: [] } });
    for (const index of indexes) expect(plan).toMatch(new RegExp(`\\b${index}\\b`));
    expect(plan).not.toContain('Seq Scan on debts');
    // Both ends of a beginning reach the index; a condition that row security holds back would be a filter.
    expect(plan).not.toMatch(/Filter: .*(?:name_key|invoice_key|debtor_tax_id|debtor_phone)/);
  });

  it('by campaign and status uses an index', async () => {
    const plan = await planOf({ campaignId: campaign, statuses: ['DISPUTED'] });
    expect(plan).toContain('debts_campaign_status_position');
    expect(plan).not.toMatch(/Filter: .*status/);
  });

  it('counts all of them exactly', async () => {
    expect((await search({ limit: 1, sort: 'name' }, large)).body.total).toBe(50_000);
    const { body } = await search({ q: 'nf-4999', status: [...DEBT_STATUSES] }, large);
    expect([body.total, body.items.length]).toEqual([11, 11]);
  });
});
