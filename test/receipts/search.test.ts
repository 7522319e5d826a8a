import { describe, expect, it } from '@jest/globals';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { cpfOf } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';
import { paidDebt } from '../../testing/receipts-harness.ts';

const CPF = cpfOf(529_982_247);

const app = await opened(startCampaignsApp());
const [client, stranger] = [await app.newClient(), await app.newClient()];
const ana = await paidDebt(app.query, client.id, {
  debtorName: 'Ana Conceição Oliveira',
  debtorTaxId: CPF,
  debtorPhone: '+5511987650001',
});
await paidDebt(app.query, client.id, { debtorName: 'Bruno Dias' });
await paidDebt(app.query, client.id, { debtorName: 'Carla Oliveira' });
await paidDebt(app.query, stranger.id, { debtorName: 'Ana Oliveira', debtorTaxId: CPF });
await client.call('POST', '/api/receipts/regenerate-all');
await stranger.call('POST', '/api/receipts/regenerate-all');
const protocol: string = (await client.call('POST', `/api/receipts/${ana.debtId}`)).body.protocol;
await app.query(`update receipts set issued_at = '2026-10-31T12:00:00Z' where protocol = $1`, [protocol]);

const search = (body: object, who = client) => who.call('POST', '/api/receipts/search', body);
const namesOf = async (body: object): Promise<string[]> =>
  (await search(body)).body.items.map(({ debtorName }: { debtorName: string }) => debtorName).sort();

describe('POST /api/receipts/search', () => {
  it.each([
    ['oliveira', ['Ana Conceição Oliveira', 'Carla Oliveira']],
    ['CONCEICAO ana', ['Ana Conceição Oliveira']],
    [CPF, ['Ana Conceição Oliveira']],
    [CPF.slice(0, 6), ['Ana Conceição Oliveira']],
    ['98765-0001', ['Ana Conceição Oliveira']],
    ['Ninguém', []],
  ])('%j finds %j', async (q, names) => expect(await namesOf({ q })).toEqual(names));

  it('finds a protocol, as it is and as a person types it from paper', async () => {
    const typed = `${protocol.slice(0, 8)}${protocol.slice(8).replaceAll('0', 'o')}`.toLowerCase();
    for (const q of [protocol, protocol.slice(0, -2), typed, ` ${typed} `]) {
      expect(await namesOf({ q })).toEqual(['Ana Conceição Oliveira']);
    }
    expect(await namesOf({ q: 'QT-2026-%' })).toEqual([]);
  });

  it('narrows by the filters of the list, page by page', async () => {
    expect(await namesOf({ q: 'oliveira', to: '2026-10-31' })).toEqual(['Ana Conceição Oliveira']);
    expect(await namesOf({ q: 'oliveira', from: '2026-11-01' })).toEqual(['Carla Oliveira']);
    expect(await namesOf({ debtId: ana.debtId, q: 'carla' })).toEqual([]);
    const first = (await search({ q: 'oliveira', limit: 1 })).body;
    expect(first.items).toHaveLength(1);
    const rest = (await search({ q: 'oliveira', limit: 1, cursor: first.nextCursor })).body;
    expect([rest.items.length, rest.nextCursor]).toEqual([1, null]);
    const { campaignId } = rest.items[0];
    expect((await search({ q: 'oliveira', campaignId })).body.items).toEqual(rest.items);
    expect((await search({})).body.items).toEqual((await client.call('GET', '/api/receipts')).body.items);
    expect((await search({ q: null, campaignId: null, limit: null })).body.items).toHaveLength(3);
  });

  it('shows a client its own receipts alone, and takes no API key', async () => {
    expect((await search({ q: protocol }, stranger)).body.items).toEqual([]);
    expect((await search({ q: CPF }, stranger)).body.items).toHaveLength(1);
    const { body } = await client.call('POST', '/api/onboarding/me/api-key');
    expect(await app.post('/api/receipts/search', {}, body.apiKey)).toMatchObject({
      status: 401,
      body: { code: 'access_token_required' },
    });
  });

  it.each([
    [{ q: '' }, '/q'],
    [{ q: 'a'.repeat(101) }, '/q'],
    [{ from: '2026-02-30' }, '/from'],
    [{ limit: 101 }, '/limit'],
    [{ cursor: 'x' }, '/cursor'],
  ])('refuses %j', async (body, pointer) => {
    expect(await search(body)).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
  });
});

describe('POST /api/receipts/regenerate-all with a filter', () => {
  const regenerate = (body: object, query = '?force=true') =>
    client.call('POST', `/api/receipts/regenerate-all${query}`, body);
  const total = async (body: object, query?: string): Promise<number> => (await regenerate(body, query)).body.total;

  it('draws what a search with the same filter shows, and no other', async () => {
    const drawnAt = () =>
      app.query<{ name: string; at: Date }>(
        `select debtor_name as name, rendered_at as at from receipts join debts on debts.id = receipts.debt_id
         where receipts.client_id = $1 order by debtor_name`,
        [client.id],
      );
    const before = await drawnAt();
    expect((await regenerate({ q: 'oliveira' })).body).toMatchObject({ total: 2, regenerated: 2, capped: false });
    const after = await drawnAt();
    const drawn = after.filter(({ at }, n) => at.getTime() !== before[n]!.at.getTime());
    expect(drawn.map(({ name }) => name)).toEqual(['Ana Conceição Oliveira', 'Carla Oliveira']);
    expect(await total({ q: protocol })).toBe(1);
    expect(await total({ from: '2026-11-01' })).toBe(2);
    expect(await total({ to: '2026-10-31' })).toBe(1);
    const { campaignId } = (await search({ q: protocol })).body.items[0];
    expect(await total({ campaignId })).toBe(1);
    expect(await total({ campaignId, q: 'bruno' })).toBe(0);
  });

  it('pages within the filter, and issues what is missing', async () => {
    const late = await paidDebt(app.query, client.id, { debtorName: 'Dora Oliveira' });
    const first = (await regenerate({ q: 'oliveira' }, '?take=2')).body;
    expect(first).toMatchObject({ total: 2, capped: true, nextSkip: 2 });
    const rest = (await regenerate({ q: 'oliveira' }, '?take=2&skip=2')).body;
    expect(rest).toMatchObject({ total: 1, capped: false, nextSkip: null });
    expect(first.regenerated + rest.regenerated).toBe(1);
    expect((await search({ debtId: late.debtId })).body.items).toHaveLength(1);
    expect(await total({}, '')).toBe(4);
    expect(await total({ q: null }, '')).toBe(4);
  });

  it('is noted in the audit log without the searched text', async () => {
    await regenerate({ q: 'oliveira', from: '2026-01-01' });
    const [entry] = (await client.call('GET', '/api/audit?limit=1')).body.items;
    expect(entry).toMatchObject({
      action: 'receipts_regenerated',
      details: { searched: true, from: '2026-01-01', total: 3 },
    });
    expect(JSON.stringify(entry)).not.toMatch(/oliveira/i);
  });

  it('refuses a filter that it cannot read', async () => {
    expect(await regenerate({ q: '' })).toMatchObject({ status: 400, body: { errors: [{ pointer: '/q' }] } });
    expect(await regenerate([])).toMatchObject({ status: 400 });
  });
});
