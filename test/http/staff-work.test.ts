import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { startCampaignsApp, type TestClient } from '../../testing/campaigns-app.ts';
import { type DebtInput, debtInputs } from '../../testing/debts.ts';
import { OFFERS_POLICY } from '../../testing/offers-policy.ts';
import { opened } from '../../testing/opened.ts';

let number = 0;

const app = await opened(startCampaignsApp());
const [client, stranger] = [await app.newClient(), await app.newClient()];

/** Creates a draft with as many new debts. */
async function draft(count: number, given: (n: number) => Partial<DebtInput> = () => ({})) {
  const campaignId = await client.createCampaign();
  const inputs = debtInputs(count, number + 1).map((input, n) => ({ ...input, ...given(n) }));
  number += count;
  expect((await client.importJson(campaignId, inputs)).body).toMatchObject({ imported: count, errors: [] });
  const { items } = (await client.call('GET', `/api/campaigns/${campaignId}/debts`)).body;
  return { campaignId, inputs, ids: (items as { id: string }[]).map(({ id }) => id) };
}
const newDebt = async (): Promise<string> => (await draft(1)).ids[0]!;
const wait = (debtId: string, reason: string, since = '2026-11-18 12:00:00Z') =>
  app.query(`insert into inbox_items (client_id, debt_id, reason, since) values ($1, $2, $3, $4)`, [
    client.id,
    debtId,
    reason,
    since,
  ]);
const read = async (debtId: string) => (await client.call('GET', `/api/debts/${debtId}`)).body;
const audited = async (action: string, target: string) =>
  (
    await app.query<{ details: object }>('select details from audit_log where action = $1 and target = $2', [
      action,
      target,
    ])
  ).map(({ details }) => details);
const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();

describe('POST /api/debts/:id/notes', () => {
  const write = (debtId: string, body: unknown, who = client) => who.call('POST', `/api/debts/${debtId}/notes`, body);

  it('puts notes on the timeline in order, trimmed and with their line breaks', async () => {
    const id = await newDebt();
    const first = await write(id, { text: '  Ligou a mãe.\nPaga na sexta. \r\n' });
    expect(first.status).toBe(201);
    expect(first.body).toEqual({
      id: expect.any(String),
      at: expect.stringMatching(/Z$/),
      text: 'Ligou a mãe.\nPaga na sexta.',
      by: { id: expect.any(String), name: expect.any(String) },
    });
    const second = await write(id, { text: 'x'.repeat(4_000) });
    expect(second.status).toBe(201);
    const { timeline } = await read(id);
    expect(timeline.slice(1)).toEqual(
      [first, second].map(({ body }) => ({ at: body.at, kind: 'note', noteId: body.id, text: body.text, by: body.by })),
    );
    expect(await audited('debt_note_written', id)).toEqual(
      [first, second].map(({ body }) => ({ by: 'session', noteId: body.id })),
    );
  });

  it('takes no character that nobody sees, and at most 500 notes for a debt', async () => {
    const id = await newDebt();
    expect((await write(id, { text: 'a\u0001\tb\u0085c' })).body.text).toBe('a bc');
    await app.query(
      `insert into debt_notes (client_id, debt_id, text, at) select client_id, id, 'nota', now()
         from debts, generate_series(1, 498) where id = $1`,
      [id],
    );
    expect((await write(id, { text: 'a última' })).status).toBe(201);
    expect(await write(id, { text: 'mais uma' })).toMatchObject({ status: 409, body: { code: 'debt_state' } });
  });

  it('keeps the text out of events, audit and log', async () => {
    const id = await newDebt();
    const secret = `confidencial ${randomUUID()}`;
    await write(id, { text: secret });
    const rows = await app.query<{ row: string }>(
      `select data::text as row from debt_events union all select details::text from audit_log union all select payload::text from outbox`,
    );
    expect(JSON.stringify(rows)).not.toContain(secret);
    expect(app.logText()).not.toContain(secret);
  });

  it.each([
    [{}, 'required'],
    [{ text: '' }, 'too_short'],
    [{ text: ' \n ' }, 'too_short'],
    [{ text: 'x'.repeat(4_001) }, 'too_long'],
    [{ text: 'a\u0000b' }, 'invalid_value'],
    [{ text: 'a\ud800b' }, 'text_invalid'],
    [{ text: 7 }, 'invalid_type'],
  ])('refuses %j', async (body, code) => {
    const answer = await write(await newDebt(), body);
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer: '/text', code }] } });
    expect(answer.body.errors).toHaveLength(1);
  });

  it('counts characters, not code units', async () => {
    expect((await write(await newDebt(), { text: '😀'.repeat(4_000) })).status).toBe(201);
  });

  it('writes one note for one Idempotency-Key', async () => {
    const id = await newDebt();
    const post = (text: string) =>
      app.call('POST', `/api/debts/${id}/notes`, {
        body: { text },
        bearer: client.token,
        headers: { 'Idempotency-Key': '"note-1"' },
      });
    const [first, again, other] = [await post('uma vez'), await post('uma vez'), await post('outra')];
    expect([first.status, again.status, other.status]).toEqual([201, 201, 422]);
    expect(again.body).toEqual(first.body);
    expect((await read(id)).timeline).toHaveLength(2);
  });

  it('is 404 for another client and for a malformed id, and writes nothing', async () => {
    const id = await newDebt();
    const [theirs, none, malformed] = [
      await write(id, { text: 'a' }, stranger),
      await write(randomUUID(), { text: 'a' }),
      await write('7', { text: 'a' }),
    ];
    for (const { status, body } of [theirs, none, malformed]) expect([status, body.code]).toEqual([404, 'not_found']);
    expect(theirs.body.detail).toEqual(none.body.detail);
    expect((await read(id)).timeline).toHaveLength(1);
  });

  it('is 409 once the debtor is erased', async () => {
    const id = await newDebt();
    await app.query('update debts set erased_at = now() where id = $1', [id]);
    expect(await write(id, { text: 'a' })).toMatchObject({ status: 409, body: { code: 'debt_state' } });
  });
});

describe('POST /api/debts/:id/snooze', () => {
  const snooze = (debtId: string, body: unknown, who = client) => who.call('POST', `/api/debts/${debtId}/snooze`, body);
  const list = async (state: string, debtId: string) => {
    const { items, counts } = (await client.call('GET', `/api/inbox?state=${state}&limit=100`)).body;
    const mine = (items as { debt: { id: string }; reason: string; snoozedUntil: string | null }[]).filter(
      ({ debt }) => debt.id === debtId,
    );
    return { mine, counts };
  };

  it('hides all that the debt waits for now, and not what comes up later', async () => {
    const id = await newDebt();
    await wait(id, 'hardship');
    await wait(id, 'human');
    const before = { open: (await list('open', id)).counts, snoozed: (await list('snoozed', id)).counts };
    const until = inHours(2);
    expect(await snooze(id, { until })).toMatchObject({ status: 200, body: { id } });
    await wait(id, 'attachment');
    const [open, snoozed] = [await list('open', id), await list('snoozed', id)];
    expect(open.mine.map(({ reason }) => reason)).toEqual(['attachment']);
    expect(snoozed.mine.map(({ reason, snoozedUntil }) => [reason, snoozedUntil]).sort()).toEqual(
      [
        ['hardship', until],
        ['human', until],
      ].sort(),
    );
    expect(open.counts).toEqual({
      ...before.open,
      hardship: before.open.hardship - 1,
      human: before.open.human - 1,
      attachment: before.open.attachment + 1,
      open: before.open.open - 1,
    });
    expect(snoozed.counts).toEqual({
      ...before.snoozed,
      open: before.snoozed.open - 1,
      hardship: before.snoozed.hardship + 1,
      human: before.snoozed.human + 1,
    });
    expect(await audited('debt_snoozed', id)).toEqual([{ by: 'session', until, items: 2 }]);
  });

  it('ends by itself when its time is over, and with null', async () => {
    const [over, ended] = (await draft(2)).ids as [string, string];
    for (const id of [over, ended]) {
      await wait(id, 'human');
      expect((await snooze(id, { until: '2027-01-10T09:00:00-03:00' })).status).toBe(200);
      expect((await list('open', id)).mine).toEqual([]);
    }
    await app.query(`update inbox_items set snoozed_until = now() - interval '1 second' where debt_id = $1`, [over]);
    expect((await snooze(ended, { until: null })).status).toBe(200);
    for (const id of [over, ended]) {
      expect((await list('open', id)).mine).toHaveLength(1);
      expect((await list('snoozed', id)).mine).toEqual([]);
    }
    expect((await list('open', ended)).mine[0]?.snoozedUntil).toBeNull();
  });

  it.each([
    [{}, 'required'],
    [{ until: '' }, 'date_invalid'],
    [{ until: 'amanhã' }, 'date_invalid'],
    [{ until: '2027-01-10' }, 'date_invalid'],
    [{ until: '2027-02-30T09:00:00Z' }, 'date_invalid'],
    [{ until: inHours(-0.01) }, 'date_invalid'],
    [{ until: inHours(24 * 367) }, 'date_invalid'],
    [{ until: 1_800_000_000_000 }, 'invalid_type'],
  ])('refuses %j', async (body, code) => {
    const id = await newDebt();
    await wait(id, 'human');
    expect(await snooze(id, body)).toMatchObject({ status: 400, body: { errors: [{ pointer: '/until', code }] } });
  });

  it('is 409 when the debt waits for nothing, and 404 for another client', async () => {
    const id = await newDebt();
    expect(await snooze(id, { until: inHours(1) })).toMatchObject({ status: 409, body: { code: 'debt_state' } });
    await wait(id, 'human');
    expect(await snooze(id, { until: inHours(1) }, stranger)).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    });
    expect((await list('open', id)).mine).toHaveLength(1);
  });
});

describe('GET /api/debts/:id/timeline', () => {
  it('goes on before the end that the debt shows, page by page, and misses or repeats nothing', async () => {
    const id = await newDebt();
    await app.query(
      `insert into debt_events (client_id, debt_id, at, kind, data)
         select client_id, id, now() + n * interval '1 second', 'needs_person', jsonb_build_object('reason', 'n' || n)
         from debts, generate_series(1, 250) n where id = $1`,
      [id],
    );
    const debt = await read(id);
    expect(debt.timeline).toHaveLength(200);
    expect(debt.timeline.at(-1)).toMatchObject({ reason: 'n250' });
    expect(debt.timeline[0]).toMatchObject({ reason: 'n51' });
    const page = (query: string, who = client) => who.call('GET', `/api/debts/${id}/timeline?${query}`);
    const first = await page(`limit=40&cursor=${debt.timelineCursor}`);
    expect([first.status, first.body.items.length]).toEqual([200, 40]);
    const rest = await page(`limit=40&cursor=${first.body.nextCursor}`);
    expect(rest.body.nextCursor).toBeNull();
    const older = [...first.body.items, ...rest.body.items].reverse();
    expect(older[0]).toMatchObject({ kind: 'imported' });
    expect(older.slice(1).map(({ reason }: { reason: string }) => reason)).toEqual(
      Array.from({ length: 50 }, (_, n) => `n${n + 1}`),
    );
    expect((await page('')).body.items[0]).toMatchObject({ reason: 'n250' });
    expect((await page('cursor=nonsense')).status).toBe(400);
    expect((await page('', stranger)).status).toBe(404);
  });
});

describe('POST /api/debts/:id/withdraw', () => {
  const withdraw = (debtId: string, body?: unknown) => client.call('POST', `/api/debts/${debtId}/withdraw`, body);
  const last = (body: { timeline: object[] }) => body.timeline.at(-1);

  it('shows the reason with the change of status, and stores it apart from the event', async () => {
    const id = await newDebt();
    const reason = 'Acordo com a família de Maria.\nNão cobrar.';
    const { status, body } = await withdraw(id, { reason: ` ${reason} ` });
    expect([status, body.status]).toEqual([200, 'STOPPED']);
    expect(last(await read(id))).toEqual({
      at: expect.any(String),
      kind: 'status_changed',
      from: 'IMPORTED',
      to: 'STOPPED',
      caller: 'session',
      by: { id: expect.any(String), name: 'Escola Aurora' },
      noteId: expect.any(String),
      reason,
    });
    const events = await app.query<{ data: string }>('select data::text from debt_events where debt_id = $1', [id]);
    expect(JSON.stringify(events)).not.toContain('Maria');
    expect(JSON.stringify(await audited('debt_withdrawn', id))).not.toContain('Maria');
    expect(await withdraw(id, { reason })).toMatchObject({ status: 409, body: { code: 'debt_state' } });
    expect(await app.query('select 1 from debt_notes where debt_id = $1', [id])).toHaveLength(1);
  });

  it('shows the reason as a note where the debt was stopped before, and only what it waited for ends', async () => {
    const id = await newDebt();
    await withdraw(id);
    await wait(id, 'underpaid');
    const reason = 'Resto perdoado pela direção.';
    expect((await withdraw(id, { reason })).status).toBe(200);
    expect(last(await read(id))).toEqual({
      at: expect.any(String),
      kind: 'note',
      by: { id: expect.any(String), name: 'Escola Aurora' },
      noteId: expect.any(String),
      text: reason,
    });
  });

  it.each([[undefined], [{}], [{ reason: null }]])('needs no reason: %j', async (given) => {
    const { status, body } = await withdraw(await newDebt(), given);
    expect(status).toBe(200);
    expect(last(await read(body.id))).toEqual({
      at: expect.any(String),
      kind: 'status_changed',
      from: 'IMPORTED',
      to: 'STOPPED',
      caller: 'session',
      by: { id: expect.any(String), name: 'Escola Aurora' },
    });
  });

  it.each([
    [' ', 'too_short'],
    ['x'.repeat(501), 'too_long'],
    [false, 'invalid_type'],
  ])('refuses the reason %j', async (reason, code) => {
    expect(await withdraw(await newDebt(), { reason })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/reason', code }] },
    });
  });
});

describe('DELETE /api/campaigns/:id/debts', () => {
  const empty = (campaignId: string, who = client) => who.call('DELETE', `/api/campaigns/${campaignId}/debts`);

  it('deletes the debts with all that describes them, and they may be imported again', async () => {
    const phones = { debtorPhones: ['+5521980000001', '+5531980000002'] } as object;
    const { campaignId, inputs, ids } = await draft(3, () => phones);
    await client.call('POST', `/api/debts/${ids[0]}/notes`, { text: 'anotação' });
    await wait(ids[1]!, 'attachment');
    expect(await empty(campaignId)).toMatchObject({ status: 204 });
    const { body } = await client.call('GET', `/api/campaigns/${campaignId}/statistics`);
    expect([body.debts.total, body.amount.total]).toEqual([0, 0]);
    for (const table of ['debt_notes', 'debt_events', 'debt_phones', 'inbox_items']) {
      expect(await app.query(`select 1 from ${table} where debt_id = any($1::uuid[])`, [ids])).toEqual([]);
    }
    expect((await client.call('GET', `/api/debts/${ids[0]}`)).status).toBe(404);
    expect(await audited('draft_debts_deleted', campaignId)).toEqual([{ by: 'session', deleted: 3, kept: 0 }]);
    expect((await client.importJson(campaignId, inputs)).body).toMatchObject({ imported: 3, errors: [] });
    expect((await empty(campaignId)).status).toBe(204);
    expect(await empty(campaignId)).toMatchObject({ status: 204 });
  });

  it('keeps a debt with a code, with a message, with an answered debtor, and one that has left the draft', async () => {
    const { campaignId, ids } = await draft(5);
    const [coded, written, noticed, withdrawn, untouched] = ids as [string, string, string, string, string];
    expect((await client.call('GET', `/api/payments/${coded}`)).status).toBe(200);
    expect((await fetch(`${app.url}/checkout/${coded}`)).status).toBe(200);
    expect(await app.query('select 1 from charges where debt_id = $1', [coded])).toHaveLength(1);
    await app.query(
      `insert into messages (client_id, debt_id, direction, channel, text, at) values ($1, $2, 'in', 'sandbox', 'oi', now())`,
      [client.id, written],
    );
    await app.query(`insert into checkout_notices (client_id, debt_id, notice) values ($1, $2, 'said_paid')`, [
      client.id,
      noticed,
    ]);
    await client.call('POST', `/api/debts/${withdrawn}/withdraw`);
    expect((await empty(campaignId)).status).toBe(204);
    const { items } = (await client.call('GET', `/api/campaigns/${campaignId}/debts`)).body;
    expect(items.map(({ id }: { id: string }) => id)).toEqual([coded, written, noticed, withdrawn]);
    expect((await client.call('GET', `/api/debts/${untouched}`)).status).toBe(404);
    expect(await audited('draft_debts_deleted', campaignId)).toEqual([{ by: 'session', deleted: 1, kept: 4 }]);
    const { body } = await client.call('GET', `/api/campaigns/${campaignId}/statistics`);
    expect(body.debts).toMatchObject({ total: 4, byStatus: { IMPORTED: 3, STOPPED: 1 } });
  });

  it('undoes that an unreachable debt was imported again: it waits for the staff', async () => {
    const { ids, inputs } = await draft(1);
    await app.query(`update debts set status = 'UNREACHABLE' where id = $1`, [ids[0]]);
    await wait(ids[0]!, 'undelivered');
    const again = await client.createCampaign();
    await client.importJson(again, inputs);
    const open = () => app.query('select reason from inbox_items where debt_id = $1 and closed_at is null', [ids[0]]);
    expect(await open()).toEqual([]);
    expect((await empty(again)).status).toBe(204);
    expect(await open()).toEqual([{ reason: 'undelivered' }]);
  });

  it('is 409 after the launch, and 404 for another client', async () => {
    const { campaignId, ids } = await draft(1);
    expect(await empty(campaignId, stranger)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    await client.call('POST', `/api/campaigns/${campaignId}/launch?sandbox=true`);
    expect(await empty(campaignId)).toMatchObject({ status: 409, body: { code: 'campaign_not_draft' } });
    expect((await read(ids[0]!)).id).toBe(ids[0]);
  });
});

describe('GET /api/campaigns?include=statistics', () => {
  it('has for each campaign of a page what its statistics say, and nothing more without it', async () => {
    const owner = await app.newClient();
    const ids = [
      await owner.createCampaign('um'),
      await owner.createCampaign('dois'),
      await owner.createCampaign('três'),
    ];
    await owner.importJson(ids[0]!, debtInputs(3));
    await owner.importJson(ids[1]!, debtInputs(2, 10));
    const [debt] = (await owner.call('GET', `/api/campaigns/${ids[1]}/debts`)).body.items;
    await owner.call('POST', `/api/debts/${debt.id}/settle`, { amount: 150.75, paidAt: '2026-11-18', method: 'cash' });
    const first = (await owner.call('GET', '/api/campaigns?include=statistics&limit=2')).body;
    const second = (await owner.call('GET', `/api/campaigns?include=statistics&limit=2&cursor=${first.nextCursor}`))
      .body;
    const items = [...first.items, ...second.items];
    expect(items.map(({ id }: { id: string }) => id)).toEqual(ids.toReversed());
    for (const { id, statistics } of items) {
      expect(statistics).toEqual((await owner.call('GET', `/api/campaigns/${id}/statistics`)).body);
    }
    expect(items[1].statistics).toMatchObject({ amount: { recovered: 150.75 }, payments: { approved: 1 } });
    for (const query of ['', '?include=']) {
      const plain = (await owner.call('GET', `/api/campaigns${query}`)).body.items;
      expect(plain.some((item: object) => 'statistics' in item)).toBe(false);
    }
    expect(await owner.call('GET', '/api/campaigns?include=debts')).toMatchObject({
      status: 400,
      body: { errors: [{ parameter: 'include' }] },
    });
  });
});

describe('GET /api/dashboard', () => {
  it('counts open debts by age, promises, and the debts that wait', async () => {
    const owner = await app.newClient();
    const campaignId = await owner.createCampaign();
    // The service counts days in America/Sao_Paulo.
    const today = new Date(Date.now() - 3 * 3_600_000).toISOString().slice(0, 10);
    const overdue = (days: number) =>
      new Date(Date.parse(`${today}T00:00:00Z`) - days * 86_400_000).toISOString().slice(0, 10);
    const ages = [-1, 0, 30, 31, 60, 61, 90, 91, 365, 366, 40, 40];
    const inputs = debtInputs(ages.length).map((input, n) => ({
      ...input,
      originalAmount: 10 * (n + 1),
      dueDate: overdue(ages[n]!),
    }));
    expect((await owner.importJson(campaignId, inputs)).body.imported).toBe(ages.length);
    const ids = ((await owner.call('GET', `/api/campaigns/${campaignId}/debts`)).body.items as { id: string }[]).map(
      ({ id }) => id,
    );
    const set = (n: number, status: string) =>
      app.query('update debts set status = $2 where id = $1', [ids[n], status]);
    await set(1, 'DISPUTED');
    await set(10, 'EXHAUSTED');
    await set(0, 'STOPPED');
    await set(11, 'PROMISED');
    await set(3, 'PROMISED');
    for (const [n, reason] of [
      [1, 'disputed'],
      [1, 'human'],
      [4, 'human'],
      [5, 'attachment'],
    ] as const) {
      await app.query('insert into inbox_items (client_id, debt_id, reason) values ($1, $2, $3)', [
        owner.id,
        ids[n],
        reason,
      ]);
    }
    await owner.call('POST', `/api/debts/${ids[4]}/snooze`, { until: inHours(1) });
    await owner.call('POST', `/api/debts/${ids[11]}/settle`, { amount: 120, paidAt: '2026-11-18', method: 'cash' });
    const { status, body } = await owner.call('GET', '/api/dashboard?sandbox=true');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      aging: [
        { fromDays: 0, toDays: 30, debts: 2, amount: 50 },
        { fromDays: 31, toDays: 60, debts: 2, amount: 90 },
        { fromDays: 61, toDays: 90, debts: 2, amount: 130 },
        { fromDays: 91, toDays: 365, debts: 2, amount: 170 },
        { fromDays: 366, toDays: null, debts: 1, amount: 100 },
      ],
      // What nobody answers is open too; what was paid or withdrawn is not.
      open: { debts: 10, amount: 650, outsideSequence: { debts: 1, amount: 110 } },
      promises: { open: 1, kept: 1, broken: 0 },
      waiting: 2,
    });
    const other = (await owner.call('GET', '/api/dashboard')).body;
    expect([other.waiting, other.promises.kept, other.aging[0].debts]).toEqual([0, 0, 0]);
  });
});

describe('POST /api/sandbox/example', () => {
  const create = (key?: string) =>
    app.call<{ id: string }>('POST', '/api/sandbox/example', {
      bearer: client.token,
      headers: key === undefined ? {} : { 'Idempotency-Key': `"${key}"` },
    });

  it('creates a draft of the sandbox with debtors of all behaviours, as often as it is asked', async () => {
    const [one, two] = [await create(), await create()];
    const seen = new Set<string>();
    for (const { status, body } of [one, two]) {
      expect(status).toBe(201);
      expect(body).toEqual((await client.call('GET', `/api/campaigns/${body.id}`)).body);
      expect(body).toMatchObject({ name: 'Exemplo', status: 'DRAFT', sandbox: true, launchedAt: null });
      const { items } = (await client.call('GET', `/api/campaigns/${body.id}/debts`)).body;
      expect(items).toHaveLength(15);
      const endings = (items as { debtorPhone: string }[]).map(({ debtorPhone }) => debtorPhone.slice(-4));
      expect(new Set(endings)).toEqual(
        new Set(['0001', '0002', '0003', '0004', '0005', '0006', '0007', '0008', '0009', '0100', '0200', '0300']),
      );
      expect(new Set(items.map((item: { debtorPhone: string }) => item.debtorPhone.slice(3, 5))).size).toBe(15);
      for (const { debtorCpf, debtorPhone, invoiceId, dueDate, originalAmount } of items) {
        for (const own of [debtorCpf, debtorPhone, invoiceId]) {
          expect(seen.has(own)).toBe(false);
          seen.add(own);
        }
        // No bill is due on the day of the launch or the one before: each is collected at once, or reminded of.
        expect(Math.abs(Date.parse(dueDate) - Date.now())).toBeGreaterThan(86_400_000);
        expect(originalAmount).toBeGreaterThan(0);
      }
    }
    const { body } = await client.call('POST', `/api/campaigns/${one.body.id}/launch`);
    expect(body).toMatchObject({ queued: 15, status: 'RUNNING', sandbox: true });
  });

  it('gives a client that has never stated what it offers a policy, and no other', async () => {
    const [fresh, removed] = [await app.newClient(), await app.newClient()];
    const policyOf = async (one: TestClient) => (await one.call('GET', '/api/offers/policy')).body;
    for (const policy of [OFFERS_POLICY, null]) {
      // `call` leaves a body of null out.
      const headers = { authorization: `Bearer ${removed.token}`, 'content-type': 'application/json' };
      const body = JSON.stringify(policy);
      expect((await fetch(`${app.url}/api/offers/policy`, { method: 'PUT', headers, body })).status).toBe(200);
    }
    for (const one of [fresh, removed]) expect((await one.call('POST', '/api/sandbox/example')).status).toBe(201);
    expect(await policyOf(removed)).toBeNull();
    const policy = await policyOf(fresh);
    expect(policy).toMatchObject({ maxInstalments: expect.any(Number), bands: expect.any(Array) });
    const [entry] = (await fresh.call('GET', '/api/audit?limit=100')).body.items.filter(
      ({ action }: { action: string }) => action === 'offers_policy_changed',
    );
    expect(entry).toMatchObject({ details: { version: 1 } });
    // The policy is one that a client may state.
    expect((await fresh.call('PUT', '/api/offers/policy', policy)).status).toBe(200);
  });

  it('creates one for one Idempotency-Key', async () => {
    const key = randomUUID();
    const [first, again] = [await create(key), await create(key)];
    expect(again.body).toEqual(first.body);
    expect((await client.call('GET', `/api/campaigns/${first.body.id}/debts`)).body.items).toHaveLength(15);
  });
});
