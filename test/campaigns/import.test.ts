import { connect } from 'node:net';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { startCampaignsApp, type TestClient } from '../../testing/campaigns-app.ts';
import { debtInput, debtInputs } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';
import { until } from '../../testing/poll.ts';

const NOTHING = { imported: 0, skipped: 0, errors: [] };

const app = await opened(startCampaignsApp());
const second = await opened(startCampaignsApp({ database: app.database }));

describe('JSON import', () => {
  let client: TestClient;
  let campaignId: string;

  beforeEach(async () => {
    client = await app.newClient();
    campaignId = await client.createCampaign();
  });

  const stored = async (): Promise<number> => {
    const [row] = await app.query<{ count: string }>('select count(*) from debts where client_id = $1', [client.id]);
    return Number(row!.count);
  };
  const send = (body: unknown) => client.call('POST', `/api/import/json/${campaignId}`, body);
  const codesOf = async (element: unknown): Promise<string[]> => {
    const { body } = await client.importJson(campaignId, [element]);
    expect([body.imported, body.skipped]).toEqual([0, 1]);
    return body.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`);
  };

  it('imports the valid elements and names each problem of the others', async () => {
    const bad = debtInput(2, { debtorCpf: '52998224726', originalAmount: '100', dueDate: '2026-02-30' });
    const { status, body } = await client.importJson(campaignId, [debtInput(1), bad, debtInput(3)]);
    expect(status).toBe(200);
    const at = (field: string, code: string) => ({
      index: 1,
      pointer: `/debts/1/${field}`,
      code,
      message: expect.any(String),
      invoiceId: 'NF-2',
    });
    expect(body).toEqual({
      imported: 2,
      skipped: 1,
      errors: [at('debtorCpf', 'cpf_invalid'), at('originalAmount', 'invalid_type'), at('dueDate', 'date_invalid')],
    });
    expect(await stored()).toBe(2);
  });

  it.each([
    [19.99, 1999],
    [0.01, 1],
    [1.1, 110],
    [99_999_999.99, 9_999_999_999],
    [8.2, 820],
    [1234.56, 123_456],
  ])('stores %d reais as %d centavos', async (originalAmount, centavos) => {
    await client.importJson(campaignId, [debtInput(1, { originalAmount })]);
    expect(
      await app.query('select original_amount_centavos as c from debts where client_id = $1', [client.id]),
    ).toEqual([{ c: String(centavos) }]);
  });

  it.each([10.999, 1e12, 0, -5, 100_000_000, 1e-7])('refuses the amount %d', async (originalAmount) => {
    expect(await codesOf(debtInput(1, { originalAmount }))).toEqual(['/debts/0/originalAmount amount_invalid']);
  });

  it.each([
    ['debtorName', 'A', 'name_invalid'],
    ['debtorName', '  ', 'name_invalid'],
    ['debtorName', 'Ana\u0000', 'name_invalid'],
    ['debtorName', 'Ana\nMaria', 'name_invalid'],
    ['debtorName', 'Ana \ud800', 'name_invalid'],
    ['debtorName', 'Ana \u202egpj', 'name_invalid'],
    ['debtorName', 'a'.repeat(201), 'name_invalid'],
    ['debtorName', 5, 'invalid_type'],
    ['debtorName', null, 'invalid_type'],
    ['debtorName', undefined, 'required'],
    ['debtorPhone', '11 8765-4321', 'phone_invalid'],
    ['debtorPhone', '+14155552671', 'phone_invalid'],
    ['debtorPhone', '0800 123 4567', 'phone_invalid'],
    ['debtorPhone', '2098765-4321', 'phone_invalid'],
    ['debtorCpf', '111.111.111-11', 'cpf_invalid'],
    ['debtorCpf', 52_998_224_725, 'invalid_type'],
    ['originalAmount', null, 'invalid_type'],
    ['originalAmount', undefined, 'required'],
    ['dueDate', '20/11/2026', 'date_invalid'],
    ['dueDate', '2026-02-30', 'date_invalid'],
    ['dueDate', '0000-01-01', 'date_invalid'],
    ['dueDate', '2026-1-1', 'date_invalid'],
    ['debtorEmail', 'maria@', 'email_invalid'],
    ['debtorEmail', '', 'email_invalid'],
    ['invoiceId', '', 'invoice_invalid'],
    ['invoiceId', 'x'.repeat(101), 'invoice_invalid'],
    ['invoiceId', 7, 'invalid_type'],
  ])('refuses %s %j as %s', async (field, value, code) => {
    expect(await codesOf(debtInput(1, { [field]: value }))).toEqual([`/debts/0/${field} ${code}`]);
    expect(await stored()).toBe(0);
  });

  it('refuses a value that is not an object, and names all five fields that {} lacks', async () => {
    for (const element of [null, 'x', [], 5, true, [debtInput(1)]]) {
      expect(await codesOf(element)).toEqual(['/debts/0 invalid_type']);
    }
    const required = ['debtorName', 'debtorPhone', 'debtorCpf', 'originalAmount', 'dueDate'];
    expect(await codesOf({})).toEqual(required.map((field) => `/debts/0/${field} required`));
  });

  it('uses the last of duplicate keys, also for the list itself', async () => {
    const good = JSON.stringify(debtInput(1)).slice(1);
    const body = `{"clientId":"${client.id}","debts":[{}],"d\\u0065bts" : [{"debtorName":7,${good}],"other":[1,{"debts":[]}]}`;
    expect((await send(body)).body).toEqual({ ...NOTHING, imported: 1 });
    const answer = await send(`{"clientId":"${client.id}","debts":[{}],"debts":5}`);
    expect(answer.body.errors).toEqual([expect.objectContaining({ pointer: '/debts', code: 'invalid_type' })]);
  });

  it('refuses a body nested more than 32 levels deep, and accepts 32 levels', async () => {
    const elementOf = (levels: number) => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    const bodyOf = (levels: number) => `{"clientId":"${client.id}","debts":[${elementOf(levels)}]}`;
    expect((await send(bodyOf(29))).body).toMatchObject({ imported: 0, skipped: 1 });
    expect((await send(bodyOf(30))).body.code).toBe('malformed_json');
    expect((await send(bodyOf(10_000))).body.code).toBe('malformed_json');
  });

  it.each([
    ['a comma too many at the end', '[1,]'],
    ['a comma too many in the middle', '[1,,2]'],
    ['a comma at the beginning', '[,1]'],
    ['only a comma', '[,]'],
    ['no comma', '[1 2]'],
    ['other brackets', '[{"a":1],"b":2}]'],
    ['a list closed as an object', '[1}'],
    ['no end', '[1'],
    ['a string without end', '["a]}'],
    ['a late mistake', `[${'1,'.repeat(1_200)}x]`],
    ['a blank element where a piece ends', `[${'1,'.repeat(500)}]`],
    ['something behind it', '[1]}{'],
  ])('refuses debts with %s as malformed, and stores nothing', async (_, debts) => {
    const good = `[${JSON.stringify(debtInput(1))},${debts.slice(1)}`;
    for (const list of [debts, good]) {
      const answer = await send(`{"clientId":"${client.id}","debts":${list}}`);
      expect([answer.status, answer.body.code]).toEqual([400, 'malformed_json']);
    }
    expect(await stored()).toBe(0);
  });

  it('refuses an element, or a rest, of more than 10,000 values', async () => {
    const many = (count: number) => Array(count).fill(0);
    const wide = await client.importJson(campaignId, [debtInput(1), { a: many(10_001) }]);
    expect([wide.status, wide.body.errors]).toEqual([
      400,
      [expect.objectContaining({ pointer: '/debts/1', code: 'too_long' })],
    ]);
    const beside = await send({ clientId: client.id, debts: [debtInput(1)], a: many(10_001) });
    expect([beside.status, beside.body.errors]).toEqual([
      400,
      [expect.objectContaining({ pointer: '', code: 'too_long' })],
    ]);
    expect((await client.importJson(campaignId, [debtInput(1, { a: many(9_000) })])).body.imported).toBe(1);
  });

  it('skips duplicates inside a call and across calls and campaigns', async () => {
    const without = (n: number, given: object = {}) => debtInput(n, { invoiceId: undefined, ...given });
    const first = [
      debtInput(1),
      debtInput(2, { invoiceId: ' nf-1 ' }),
      without(3),
      without(3, { debtorName: 'Outra Pessoa' }),
      without(3, { originalAmount: 10 }),
      debtInput(3, { invoiceId: 'NF-3b' }),
      debtInput(4),
      without(4),
    ];
    const { body } = await client.importJson(campaignId, first);
    expect([body.imported, body.skipped]).toEqual([4, 4]);
    expect(body.errors).toEqual([
      expect.objectContaining({ index: 1, pointer: '/debts/1/invoiceId', code: 'duplicate', invoiceId: 'nf-1' }),
      expect.objectContaining({ index: 3, pointer: '/debts/3', code: 'duplicate', invoiceId: null }),
      // The same debt with and without its invoice is one debt, in either order.
      expect.objectContaining({ index: 5, pointer: '/debts/5/invoiceId', code: 'duplicate', invoiceId: 'NF-3b' }),
      expect.objectContaining({ index: 7, pointer: '/debts/7', code: 'duplicate', invoiceId: null }),
    ]);
    const again = await client.importJson(await client.createCampaign(), first);
    expect([again.body.imported, again.body.skipped]).toEqual([0, 8]);
    expect(again.body.errors.map(({ index }: { index: number }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('refuses a due date that is more than 10 years ahead or 30 years back', async () => {
    const day = (years: number, days: number): string => {
      const date = new Date();
      date.setUTCFullYear(date.getUTCFullYear() + years);
      date.setUTCDate(date.getUTCDate() + days);
      return date.toISOString().slice(0, 10);
    };
    const dates = [day(10, -2), day(10, 2), day(-30, 2), day(-30, -2), '9999-12-31', '0000-01-01'];
    const { body } = await client.importJson(
      campaignId,
      dates.map((dueDate, n) => debtInput(n + 1, { dueDate })),
    );
    expect(body.imported).toBe(2);
    expect(body.errors.map(({ index, code }: { index: number; code: string }) => [index, code])).toEqual(
      [1, 3, 4, 5].map((index) => [index, 'date_invalid']),
    );
  });

  it('treats a PAID debt as a duplicate for ever, and EXHAUSTED and STOPPED debts never', async () => {
    await client.importJson(campaignId, debtInputs(3));
    const become = (invoice: string, status: string) =>
      app.query('update debts set status = $3 where client_id = $1 and invoice_id = $2', [client.id, invoice, status]);
    await become('NF-1', 'PAID');
    await become('NF-2', 'EXHAUSTED');
    await become('NF-3', 'STOPPED');
    const { body } = await client.importJson(await client.createCampaign(), debtInputs(3));
    expect([body.imported, body.errors[0].index]).toEqual([2, 0]);
  });

  it('ignores equal debts of another client', async () => {
    const other = await app.newClient();
    await other.importJson(await other.createCampaign(), debtInputs(3));
    expect((await client.importJson(campaignId, debtInputs(3))).body).toEqual({ ...NOTHING, imported: 3 });
  });

  it('imports each debt once in four concurrent calls with different orders on two instances', async () => {
    const debts = debtInputs(3_000);
    const calls = [debts, debts.toReversed(), debts, debts.toSorted((a, b) => (a.debtorCpf < b.debtorCpf ? 1 : -1))];
    const instances = [app, second, app, second];
    const answers = await Promise.all(
      calls.map((one, index) =>
        instances[index]!.post<{ imported: number }>(
          `/api/import/json/${campaignId}`,
          { clientId: client.id, debts: one },
          client.token,
        ),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(answers.reduce((sum, { body }) => sum + body.imported, 0)).toBe(3_000);
    expect(await stored()).toBe(3_000);
    const [row] = await app.query(
      'select min(position), max(position), count(distinct position)::int from debts where client_id = $1',
      [client.id],
    );
    expect(row).toEqual({ min: 1, max: 3_000, count: 3_000 });
  });

  it('stores nothing in a dry run', async () => {
    await client.importJson(campaignId, [debtInput(1)]);
    const debts = [debtInput(1), debtInput(2), debtInput(2), debtInput(3, { debtorCpf: '1' })];
    const checked = await client.importJson(campaignId, debts, { checkOnly: true });
    expect(await stored()).toBe(1);
    const done = await client.importJson(campaignId, debts);
    expect(checked.body).toEqual(done.body);
    expect(done.body.imported).toBe(1);
    expect(
      (await client.call('POST', `/api/import/json/${campaignId}?checkOnly=yes`, {})).body.errors[0].parameter,
    ).toBe('checkOnly');
  });

  it.each([
    ['a body that is no object', [], ['']],
    ['null', 'null', ['']],
    ['an empty object', {}, ['/clientId', '/debts']],
    ['no debts', { debts: [] }, ['/clientId', '/debts']],
    ['debts that are no list', { clientId: 5, debts: { 0: {} } }, ['/clientId', '/debts']],
    ['50,001 debts', { debts: Array(50_001).fill(0) }, ['/clientId', '/debts']],
  ])('refuses %s as a whole', async (_, body, pointers) => {
    const answer = await send(body);
    expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed']);
    expect(answer.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(pointers);
  });

  it('refuses another client’s id before it checks the rest', async () => {
    const answer = await send({ clientId: (await app.newClient()).id, debts: [] });
    expect([answer.status, answer.body.code]).toEqual([403, 'client_mismatch']);
    const good = { clientId: client.id.toUpperCase(), debts: [debtInput(1)] };
    expect((await send(good)).body.imported).toBe(1);
  });

  it('checks the body before it looks the campaign up, also with a malformed id', async () => {
    const other = await app.newClient();
    const one = { clientId: client.id, debts: [debtInput(1)] };
    for (const id of ['x', '00000000-0000-4000-8000-000000000000', await other.createCampaign()]) {
      const ask = async (body: unknown) => (await client.call('POST', `/api/import/json/${id}`, body)).body.code;
      expect(await ask({ ...one, clientId: other.id })).toBe('client_mismatch');
      expect(await ask({ ...one, debts: [] })).toBe('validation_failed');
      expect(await ask(one)).toBe('not_found');
      expect((await client.importCsv(id, 'a;b')).body.code).toBe('validation_failed');
    }
  });

  it('needs a body', async () => {
    expect((await client.call('POST', `/api/import/json/${campaignId}`)).body.code).toBe('malformed_json');
  });

  it.each(['COMPLETED', 'ARCHIVED'])('refuses a campaign that is %s', async (state) => {
    await app.query('update campaigns set status = $2 where id = $1', [campaignId, state]);
    for (const checkOnly of [true, false]) {
      const answer = await client.importJson(campaignId, [debtInput(1)], { checkOnly });
      expect([answer.status, answer.body.code]).toEqual([409, 'campaign_not_draft']);
    }
    expect(await stored()).toBe(0);
  });

  it('imports 50,000 debts in one call, and reports 50,000 invalid ones', async () => {
    const debts = debtInputs(50_000);
    expect((await client.importJson(campaignId, debts)).body).toEqual({ ...NOTHING, imported: 50_000 });
    expect(await stored()).toBe(50_000);
    expect((await client.importJson(campaignId, debts)).body).toMatchObject({ imported: 0, skipped: 50_000 });
    const { body } = await client.importJson(campaignId, Array(50_000).fill({}));
    expect([body.skipped, body.errors.length]).toEqual([50_000, 250_000]);
  });

  it('finds duplicates fast even when the last ANALYZE had not seen the client', async () => {
    await app.query('alter table debts set (autovacuum_enabled = false)');
    const before = await app.newClient();
    await before.importJson(await before.createCampaign(), debtInputs(3));
    await app.query('analyze debts');
    const debts = debtInputs(20_000).map(({ invoiceId: _, ...debt }) => debt);
    const startedAt = performance.now();
    expect((await client.importJson(campaignId, debts)).body.imported).toBe(20_000);
    expect((await client.importJson(campaignId, debts)).body.skipped).toBe(20_000);
    // It takes two seconds, and a minute when each lookup reads all debts of the client.
    expect(performance.now() - startedAt).toBeLessThan(25_000);
    await app.query('alter table debts reset (autovacuum_enabled)');
  });

  it('finds duplicates fast while ANALYZE runs, which does not see the debts that are being stored', async () => {
    // An ended debt of the client makes the import look for those that it continues.
    await client.importJson(campaignId, [debtInput(1)]);
    await app.query(`update debts set status = 'EXHAUSTED' where campaign_id = $1`, [campaignId]);
    let importing = true;
    const startedAt = performance.now();
    const imported = client.importJson(campaignId, debtInputs(20_000)).finally(() => {
      importing = false;
    });
    while (importing) await app.query('analyze debts');
    expect((await imported).body.imported).toBe(20_000);
    // It takes three seconds, and a minute when each lookup reads all debts of the client.
    expect(performance.now() - startedAt).toBeLessThan(25_000);
  });

  it('refuses 33 MiB', async () => {
    const answer = await send(`{"clientId":"${client.id}","debts":["${'x'.repeat(33 * 1024 * 1024)}"]}`);
    expect([answer.status, answer.body.code]).toEqual([413, 'payload_too_large']);
  });

  it('stores nothing when the client disconnects during the upload, and continues to serve', async () => {
    const body = JSON.stringify({ clientId: client.id, debts: debtInputs(2_000) });
    const { hostname, port } = new URL(app.url);
    const socket = connect(Number(port), hostname);
    const head = `POST /api/import/json/${campaignId} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.token}\r\n`;
    socket.write(`${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`);
    await new Promise<void>((resolve) => socket.write(body.slice(0, body.length / 2), () => resolve()));
    socket.destroy();
    await until('the request was given up', () => app.logText().includes('/api/import/json'));
    expect(await stored()).toBe(0);
    expect((await client.importJson(campaignId, [debtInput(1)])).body.imported).toBe(1);
  });

  it('writes no part of the body into a log line', async () => {
    await client.importJson(campaignId, [
      debtInput(77, { debtorName: 'Segredo Absoluto' }),
      { debtorCpf: 'Segredo 2' },
    ]);
    expect(app.logText()).not.toMatch(/Segredo/);
  });
});
