import { request as send } from 'node:http';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { startCampaignsApp, type TestClient } from '../../testing/campaigns-app.ts';
import { opened } from '../../testing/opened.ts';
import { until } from '../../testing/poll.ts';
import { readZip } from '../../testing/read-zip.ts';
import { downloadPath, paidDebt, paidDebts } from '../../testing/receipts-harness.ts';

const app = await opened(startCampaignsApp());
const [client, stranger] = [await app.newClient(), await app.newClient()];
const protocols: Record<string, string> = {};

const issuedAt = (protocol: string | undefined, at: string) =>
  app.query('update receipts set issued_at = $2 where protocol = $1', [protocol, at]);

for (const [debtorName, at, sandbox] of [
  ['Ana', '2026-11-01T03:00:00Z', false],
  ['=Bia', '2026-12-01T02:59:59Z', true],
  ['Caio', '2026-11-01T02:59:59Z', false],
  ['Dora', '2026-12-01T03:00:00Z', false],
] as const) {
  const { debtId } = await paidDebt(app.query, client.id, { debtorName, sandbox });
  protocols[debtorName] = (await client.call('POST', `/api/receipts/${debtId}`)).body.protocol;
  await issuedAt(protocols[debtorName], at);
}

const download = async (query: string, who = client) => {
  const response = await fetch(`${app.url}/api/receipts/zip?${query}`, {
    headers: { authorization: `Bearer ${who.token}` },
  });
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
};
const listOf = (bytes: Buffer): Record<string, string>[] =>
  parse(readZip(bytes).get('recibos.csv') ?? '', { bom: true, delimiter: ';', columns: true });

describe('GET /api/receipts/zip', () => {
  it('has the documents of a month by the clock of São Paulo, and a list of them', async () => {
    const { response, bytes } = await download('month=2026-11');
    expect(response.headers.get('content-type')).toBe('application/zip');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="recibos-2026-11.zip"');
    expect(response.headers.get('cache-control')).toBe('no-store');
    const files = readZip(bytes);
    const [ana, bia] = [`${protocols['Ana']}.pdf`, `teste/${protocols['=Bia']}.pdf`];
    expect([...files.keys()]).toEqual([ana, bia, 'recibos.csv']);
    const single = await fetch(app.url + downloadPath(protocols['Ana']!));
    expect(files.get(ana)).toEqual(Buffer.from(await single.arrayBuffer()));
    expect(listOf(bytes)).toMatchObject([
      {
        Recibo: protocols['Ana'],
        'Emitido em': '01/11/2026',
        Devedor: 'Ana',
        Valor: '150,75',
        Arquivo: ana,
        Teste: '',
      },
      { Devedor: "'=Bia", 'Emitido em': '30/11/2026', Situação: 'Válido', Arquivo: bia, Teste: 'TESTE' },
    ]);
  });

  it('can be narrowed to a campaign, and to real or test receipts', async () => {
    const names = async (query: string) => [...readZip((await download(query)).bytes).keys()];
    expect(await names('month=2026-11&sandbox=false')).toEqual([`${protocols['Ana']}.pdf`, 'recibos.csv']);
    const { body } = await client.call('POST', '/api/receipts/search', { q: protocols['=Bia'] });
    const { campaignId } = body.items[0];
    expect(await names(`month=2026-11&campaignId=${campaignId}`)).toEqual([
      `teste/${protocols['=Bia']}.pdf`,
      'recibos.csv',
    ]);
    expect(await names('month=2025-01')).toEqual(['recibos.csv']);
    expect([...readZip((await download('month=2026-11', stranger)).bytes).keys()]).toEqual(['recibos.csv']);
  });

  it('draws a receipt that was revoked since, and lists one whose document is no longer kept', async () => {
    const mine = await app.newClient();
    const debts = await paidDebts(app.query, mine.id, 2);
    for (const { debtId } of debts) await mine.call('POST', `/api/receipts/${debtId}`);
    const [revoked, shortened] = (await mine.call('GET', '/api/receipts')).body.items;
    await app.query(
      `update receipts set issued_at = '2026-11-10T12:00:00Z', revoked_at = now(), revoked_reason = 'refund', outdated = true
       where protocol = $1`,
      [revoked.protocol],
    );
    await app.query(
      `update receipts set issued_at = '2026-11-11T12:00:00Z', shortened_at = now(), pdf = null, sha256 = null,
         template_version = null, rendered_at = null where protocol = $1`,
      [shortened.protocol],
    );
    const { bytes } = await download('month=2026-11', mine);
    expect([...readZip(bytes).keys()]).toEqual([`teste/${revoked.protocol}.pdf`, 'recibos.csv']);
    expect(listOf(bytes)).toMatchObject([
      { Recibo: revoked.protocol, Situação: 'Revogado' },
      { Recibo: shortened.protocol, Arquivo: '' },
    ]);
    const rows = await app.query('select 1 from receipts where protocol = $1 and not outdated', [revoked.protocol]);
    expect(rows).toHaveLength(1);
  });

  it('is noted in the audit log, and takes no API key', async () => {
    await download('month=2026-11');
    const [entry] = (await client.call('GET', '/api/audit?limit=1')).body.items;
    expect(entry).toMatchObject({ action: 'receipts_exported', details: { month: '2026-11', receipts: 2 } });
    const { body } = await client.call('POST', '/api/onboarding/me/api-key');
    const refused = await fetch(`${app.url}/api/receipts/zip?month=2026-11`, {
      headers: { authorization: `Bearer ${body.apiKey}` },
    });
    expect(refused.status).toBe(401);
  });

  it.each(['', 'month=2026-13', 'month=2026-1', 'month=0026-11', 'month=2026-11-01'])('refuses ?%s', async (query) => {
    const { response, bytes } = await download(query);
    expect(response.status).toBe(400);
    expect(JSON.parse(bytes.toString()).errors[0].parameter).toBe('month');
  });

  describe('of many receipts', () => {
    let many: TestClient;
    beforeAll(async () => {
      many = await app.newClient();
      const { debtId } = await paidDebt(app.query, many.id);
      await many.call('POST', `/api/receipts/${debtId}`);
      await app.query(
        `with charge as (insert into charges (client_id, debt_id, attempt, provider, status, amount_centavos,
             paid_centavos, expires_at, approved_at, paid_at, duplicate)
           select $1, $2, n, 'sandbox', 'APPROVED', 100, 100, now(), now(), now(), true
           from generate_series(2, 5000) as n returning id)
         insert into receipts (client_id, debt_id, charge_id, protocol, issued_at, template_version, facts, pdf, sha256,
             rendered_at)
         select r.client_id, r.debt_id, charge.id,
           'QT-2026-' || lpad((row_number() over ())::text, 11, '0'), '2026-11-10', r.template_version, r.facts,
           r.pdf, r.sha256, r.rendered_at
         from charge, receipts r where r.client_id = $1`,
        [many.id, debtId],
      );
      await app.query(`update receipts set issued_at = '2026-11-10' where client_id = $1`, [many.id]);
    });

    it('is written whole', async () => {
      const files = readZip((await download('month=2026-11', many)).bytes);
      expect(files.size).toBe(5_001);
    });

    it('a download that is broken off reads no more of them', async () => {
      const running = async () =>
        (
          await app.query<{ n: number }>(
            `select count(*)::int as n from pg_stat_activity where datname = current_database()
             and usename like '%api_login' and state <> 'idle'`,
          )
        )[0]?.n;
      await new Promise<void>((resolve, reject) => {
        const url = new URL('/api/receipts/zip?month=2026-11', app.url);
        const request = send(url, { headers: { authorization: `Bearer ${many.token}` } }, (response) => {
          response.once('data', () => {
            response.destroy();
            resolve();
          });
        });
        request.on('error', reject);
        request.end();
      });
      await until('no statement runs', async () => (await running()) === 0);
      expect(app.logText()).not.toContain('an answer could not be sent');
    });

    it('more than 5,000 are refused', async () => {
      const { debtId } = await paidDebt(app.query, many.id);
      const { protocol } = (await many.call('POST', `/api/receipts/${debtId}`)).body;
      await issuedAt(protocol, '2026-11-11T12:00:00Z');
      const { response, bytes } = await download('month=2026-11', many);
      expect(response.status).toBe(400);
      expect(JSON.parse(bytes.toString()).errors).toMatchObject([{ parameter: 'month', code: 'too_big' }]);
    });
  });
});
