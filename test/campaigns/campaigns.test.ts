import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { debtInput, debtInputs } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';

const app = await opened(startCampaignsApp());
const [client, stranger] = await Promise.all([app.newClient(), app.newClient()]);

describe('campaigns and debts as their client sees them', () => {
  const itemsOf = async (path: string) => (await client.call('GET', path)).body.items;

  it('creates a draft under the trimmed name', async () => {
    const { status, body } = await client.call('POST', '/api/campaigns', {
      name: '  Mensalidades 2026 ',
      status: 'RUNNING',
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(String),
      name: 'Mensalidades 2026',
      status: 'DRAFT',
      sandbox: null,
      channels: null,
      sequence: null,
      hours: null,
      reminders: null,
      sender: null,
      onPartial: 'hold',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      launchedAt: null,
    });
    expect((await client.call('GET', `/api/campaigns/${body.id}`)).body).toEqual(body);
  });

  it.each([
    [{}, 'required'],
    [{ name: 5 }, 'invalid_type'],
    [{ name: '   ' }, 'name_invalid'],
    [{ name: 'a\u0007b' }, 'name_invalid'],
    [{ name: 'é'.repeat(201) }, 'name_invalid'],
  ])('refuses the name of %j', async (body, code) => {
    const answer = await client.call('POST', '/api/campaigns', body);
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toEqual([{ pointer: '/name', code, message: expect.any(String) }]);
  });

  it('counts the length of a name in characters and not in UTF-16 units', async () => {
    const name = '😀'.repeat(200);
    expect((await client.call('POST', '/api/campaigns', { name })).body.name).toBe(name);
  });

  it('lists campaigns newest first, in pages that new campaigns do not shift', async () => {
    const own = await app.newClient();
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.unshift(await own.createCampaign(`C${n}`));
    const seen: string[] = [];
    let cursor = '';
    for (let page = 0; page < 3; page++) {
      const { body } = await own.call('GET', `/api/campaigns?limit=2${cursor}`);
      seen.push(...body.items.map((one: { id: string }) => one.id));
      cursor = `&cursor=${body.nextCursor}`;
      await own.createCampaign('one more');
      if (page === 2) expect(body.nextCursor).toBeNull();
    }
    expect(seen).toEqual(ids);
  });

  it.each(['limit=0', 'limit=101', 'limit=x', 'cursor=!', 'cursor=WyJ4Il0', 'cursor=bnVsbA'])(
    'refuses a page by %s',
    async (query) => {
      const { status, body } = await client.call('GET', `/api/campaigns?${query}`);
      expect([status, body.code, body.errors[0].parameter]).toEqual([400, 'validation_failed', query.split('=')[0]]);
    },
  );

  it('lists debts in the order of import, by status and by invoice id', async () => {
    const campaignId = await client.createCampaign();
    await client.importJson(campaignId, debtInputs(30, 1_000));
    await client.importJson(campaignId, debtInputs(30, 1_030));
    const path = `/api/campaigns/${campaignId}/debts`;
    await app.query("update debts set status = 'PAID' where campaign_id = $1 and invoice_id = 'NF-1041'", [campaignId]);

    const first = (await client.call('GET', `${path}?limit=45`)).body;
    const second = (await client.call('GET', `${path}?limit=45&cursor=${first.nextCursor}`)).body;
    const invoices = [...first.items, ...second.items].map((debt: { invoiceId: string }) => debt.invoiceId);
    expect(invoices).toEqual(debtInputs(60, 1_000).map((debt) => debt.invoiceId));
    expect(second.nextCursor).toBeNull();

    expect(await itemsOf(`${path}?status=PAID&invoiceId=`)).toHaveLength(1);
    expect(await itemsOf(`${path}?status=&invoiceId=NF-1041`)).toHaveLength(1);
    expect(await itemsOf(`${path}?status=PAID&invoiceId=NF-1041`)).toHaveLength(1);
    expect(await itemsOf(`${path}?status=IMPORTED&invoiceId=NF-1041`)).toEqual([]);
    expect(await itemsOf(`${path}?invoiceId=NF-104`)).toEqual([]);
    expect((await client.call('GET', `${path}?status=paid`)).body.errors[0].parameter).toBe('status');
  });

  it('shows a debt as it is stored, with its timeline in order', async () => {
    const campaignId = await client.createCampaign();
    const given = {
      debtorCpf: '529.982.247-25',
      debtorPhone: '(11) 98765-4321',
      debtorEmail: ' Maria@Exemplo.com.br ',
    };
    await client.importJson(campaignId, [debtInput(2_000, { ...given, originalAmount: 19.99 })]);
    const [{ id }] = await itemsOf(`/api/campaigns/${campaignId}/debts`);
    const [inbound, outbound] = [randomUUID(), randomUUID()];
    const launchedAt = new Date(Date.now() + 1_000);
    await app.query('update campaigns set launched_at = $2 where id = $1', [campaignId, launchedAt]);
    await app.query(
      `update debts set status = 'PROMISED', score = 71, scored_at = $2, score_reasons = $3 where id = $1`,
      [id, launchedAt, JSON.stringify([{ code: 'age', points: 3, text: 'Vencida há pouco' }])],
    );
    const message = `insert into messages (id, client_id, debt_id, direction, channel, purpose, text, delivery, intent, at)
      values ($1, $2, $3, $4, 'sandbox', $5, $6, $7, $8, now())`;
    await app.query(message, [outbound, client.id, id, 'out', 'collection', 'Olá, Maria', 'booked', null]);
    await app.query(message, [inbound, client.id, id, 'in', null, 'pago sexta', null, 'promise']);
    const events = [
      ['verdict', { allowed: true, rules: ['window'], notBefore: null }],
      ['charge_created', { paymentId: 'p1' }],
      ['message_sent', { messageId: outbound }],
      ['message_received', { messageId: inbound }],
      ['status_changed', { from: 'IN_COLLECTION', to: 'PROMISED' }],
    ] as const;
    for (const [kind, data] of events) {
      await app.query('insert into debt_events (client_id, debt_id, at, kind, data) values ($1, $2, $3, $4, $5)', [
        client.id,
        id,
        new Date(launchedAt.getTime() + 1_000),
        kind,
        JSON.stringify(data),
      ]);
    }

    const { status, body } = await client.call('GET', `/api/debts/${id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id,
      campaignId,
      status: 'PROMISED',
      score: 71,
      debtorName: 'Maria da Conceição 2000',
      debtorPhone: '+5511987654321',
      debtorCpf: '52998224725',
      debtorEmail: 'maria@exemplo.com.br',
      originalAmount: 19.99,
      dueDate: '2026-10-05',
      invoiceId: 'NF-2000',
      scoreReasons: [{ code: 'age' }],
    });
    const at = expect.any(String);
    expect(body.timeline).toEqual([
      { at, kind: 'imported', by: { id: expect.any(String), name: 'Escola Aurora' } },
      { at: launchedAt.toISOString(), kind: 'status_changed', from: 'IMPORTED', to: 'QUEUED' },
      { at: launchedAt.toISOString(), kind: 'scored', score: 71 },
      { at, kind: 'verdict', allowed: true, rules: ['window'], notBefore: null },
      { at, kind: 'charge_created', paymentId: 'p1' },
      {
        at,
        kind: 'message_sent',
        messageId: expect.any(String),
        channel: 'sandbox',
        purpose: 'collection',
        text: 'Olá, Maria',
        delivery: 'unknown',
      },
      { at, kind: 'message_received', channel: 'sandbox', text: 'pago sexta', intent: 'promise' },
      { at, kind: 'status_changed', from: 'IN_COLLECTION', to: 'PROMISED' },
    ]);
  });

  it('answers for another client’s resources exactly as for resources that do not exist', async () => {
    const campaignId = await client.createCampaign();
    await client.importJson(campaignId, [debtInput(3_000)]);
    const [{ id: debtId }] = await itemsOf(`/api/campaigns/${campaignId}/debts`);
    const asks: ((campaign: string, debt: string) => Promise<{ status: number; body: { requestId?: string } }>)[] = [
      (campaign) => stranger.call('GET', `/api/campaigns/${campaign}`),
      (campaign) => stranger.call('GET', `/api/campaigns/${campaign}/debts`),
      (campaign) => stranger.call('GET', `/api/campaigns/${campaign}/statistics`),
      (campaign) => stranger.importJson(campaign, [debtInput(1)]),
      (campaign) => stranger.importJson(campaign, [debtInput(1)], { checkOnly: true }),
      (campaign) => stranger.importCsv(campaign, 'nome;telefone;cpf;valor;vencimento\na;b;c;d;e'),
      (_, debt) => stranger.call('GET', `/api/debts/${debt}`),
    ];
    for (const ask of asks) {
      const foreign = await ask(campaignId, debtId);
      const unknown = await ask(randomUUID(), randomUUID());
      const malformed = await ask('x', 'x');
      expect(foreign.status).toBe(404);
      for (const answer of [foreign, unknown, malformed]) delete answer.body.requestId;
      expect([foreign.status, foreign.body]).toEqual([unknown.status, unknown.body]);
      expect([malformed.status, malformed.body]).toEqual([unknown.status, unknown.body]);
    }
    expect((await stranger.call('GET', '/api/dashboard?sandbox=true')).body.debts.total).toBe(0);
  });

  it('keeps an archived campaign readable', async () => {
    const campaignId = await client.createCampaign();
    await client.importJson(campaignId, [debtInput(4_000)]);
    await app.query("update campaigns set status = 'ARCHIVED' where id = $1", [campaignId]);
    expect((await client.call('GET', `/api/campaigns/${campaignId}`)).body.status).toBe('ARCHIVED');
    expect(await itemsOf(`/api/campaigns/${campaignId}/debts`)).toHaveLength(1);
    expect((await client.call('GET', `/api/campaigns/${campaignId}/statistics`)).body.debts.total).toBe(1);
  });
});
