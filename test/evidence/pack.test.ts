import { describe, expect, it } from '@jest/globals';
import { createEvidenceKeys } from '../../src/modules/evidence/use-cases/evidence-keys.ts';
import { verifyPack } from '../../src/modules/evidence/use-cases/verify-pack.ts';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { leastOf, longestTurn } from '../../testing/cpu-cost.ts';
import { debtInput } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';
import { readZip } from '../../testing/read-zip.ts';
import { paidDebt } from '../../testing/receipts-harness.ts';
import { addMember } from '../http/accounts/accounts.ts';

const app = await opened(startCampaignsApp());
const [client, stranger] = [await app.newClient(), await app.newClient()];

const keysOf = async () => {
  const { body } = await app.get<{ keys: { kid: string; x: string; from: string; until?: string }[] }>(
    '/.well-known/quita-evidence.json',
  );
  return body.keys;
};

async function packOf(
  debtId: string,
  token = client.token,
): Promise<{ status: number; bytes: Uint8Array<ArrayBuffer>; headers: Headers }> {
  const answer = await fetch(`${app.url}/api/debts/${debtId}/evidence`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
  });
  return { status: answer.status, bytes: new Uint8Array(await answer.arrayBuffer()), headers: answer.headers };
}

const paid = await paidDebt(app.query, client.id);
await client.call('POST', `/api/receipts/${paid.debtId}`);
await client.call('POST', `/api/debts/${paid.debtId}/notes`, { text: 'Pagou na loja, disse a filha.' });
const campaignId = await client.createCampaign();
await client.importJson(campaignId, [debtInput(7)]);
const [fresh] = await app.query<{ id: string }>('select id from debts where campaign_id = $1', [campaignId]);

describe('POST /api/debts/:id/evidence', () => {
  it('answers a pack of which every file is listed, signed and whole', async () => {
    const { status, bytes, headers } = await packOf(paid.debtId);
    expect([status, headers.get('content-type')]).toEqual([200, 'application/zip']);
    const files = readZip(Buffer.from(bytes));
    const names = [...files.keys()];
    expect(names).toEqual(
      expect.arrayContaining(['resumo.pdf', 'timeline.jsonl', 'messages.jsonl', 'manifest.json', 'manifest.sig']),
    );
    expect(names.filter((name) => name.startsWith('receipts/'))).toHaveLength(1);
    const verification = await verifyPack(bytes, await keysOf());
    expect(verification.problems).toEqual([]);
    expect(verification.manifest).toMatchObject({ debtId: paid.debtId, head: { seq: expect.any(Number) } });
    const kinds = String(files.get('timeline.jsonl'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).kind);
    expect(kinds).toEqual(expect.arrayContaining(['imported', 'receipt_issued', 'note']));
  });

  it('packs a debt of which nothing was written yet', async () => {
    const { bytes } = await packOf(fresh!.id);
    const files = readZip(Buffer.from(bytes));
    expect(String(files.get('timeline.jsonl'))).toMatch(/^\{"seq":1,.*"kind":"imported".*\}\n$/);
    expect((await verifyPack(bytes, await keysOf())).problems).toEqual([]);
  });

  it('is of the own company alone, and says in the audit log who packed it', async () => {
    expect((await packOf(paid.debtId, stranger.token)).status).toBe(404);
    const { items } = (await client.call('GET', '/api/audit?limit=5')).body;
    expect(items).toContainEqual(expect.objectContaining({ action: 'evidence_packed', target: paid.debtId }));
  });
});

describe('the keys', () => {
  it('are published with their time; the newest signs, and older packs still verify', async () => {
    const [first, second] = await keysOf();
    expect([first?.from, first?.until, second?.from, second?.until]).toEqual([
      '1970-01-01T00:00:00.000Z',
      '2026-01-01T00:00:00.000Z',
      '2026-01-01T00:00:00.000Z',
      undefined,
    ]);
    const { manifest } = await verifyPack((await packOf(fresh!.id)).bytes, await keysOf());
    expect(manifest?.keyId).toBe(second?.kid);
    const later = createEvidenceKeys([
      { from: '1970-01-01', secret: 'first-key-of-evidence-of-the-tests' },
      { from: '2026-01-01', secret: 'second-key-of-evidence-of-the-tests' },
      { from: '2999-01-01', secret: 'third-key-of-evidence-of-the-tests' },
    ]);
    expect((await verifyPack((await packOf(fresh!.id)).bytes, later.published)).problems).toEqual([]);
  });
});

describe('a long timeline', () => {
  it('of 10,000 entries is packed while it is sent, in short turns of the event loop', async () => {
    await app.query(
      `insert into messages (id, client_id, debt_id, direction, channel, purpose, text, delivery, at)
       select gen_random_uuid(), $1, $2, 'out', 'whatsapp', 'collection', repeat('Olá, Maria! ', 30) || n, 'sent', now()
       from generate_series(1, 5000) as n`,
      [client.id, fresh!.id],
    );
    await app.query(
      `insert into debt_events (client_id, debt_id, at, kind, data)
       select $1, $2, now(), kind, data from messages, lateral (values
         ('verdict', '{"allowed": true, "pack": {"id": "br", "version": "none"}, "rules": ["hours", "caps"]}'::jsonb),
         ('message_sent', jsonb_build_object('messageId', id, 'channel', channel, 'purpose', purpose))
       ) as entry (kind, data) where debt_id = $2`,
      [client.id, fresh!.id],
    );
    let bytes = new Uint8Array(0);
    const before = process.cpuUsage();
    const pack = async (): Promise<void> => {
      ({ bytes } = await packOf(fresh!.id));
    };
    await pack();
    const { user, system } = process.cpuUsage(before);
    const longest = await leastOf(50, () => longestTurn(pack));
    const { manifest, problems } = await verifyPack(bytes, await keysOf());
    expect([problems, (manifest?.head.seq ?? 0) > 10_000]).toEqual([[], true]);
    // CPU time, because the clock also counts what else the machine does.
    expect((user + system) / 1e6).toBeLessThan(5);
    expect(longest).toBeLessThan(50);
    process.stdout.write(`packed in ${(user + system) / 1e3} ms of CPU, ${longest.toFixed(0)} ms in one turn\n`);
  }, 180_000);
});

it('asks for a code again where the member has a second factor, and gives auditors the whole', async () => {
  const operation = (await app.get<{ paths: Record<string, Record<string, { description: string }>> }>('/openapi.json'))
    .body.paths['/api/debts/{id}/evidence']?.['post'];
  expect(JSON.stringify(operation)).toContain('step_up_required');
  const auditor = await addMember(app, client.id, 'auditor', client.password);
  const { status, bytes } = await packOf(paid.debtId, auditor.token);
  expect(status).toBe(200);
  expect((await verifyPack(bytes, await keysOf())).problems).toEqual([]);
  const agent = await addMember(app, client.id, 'agent', client.password);
  expect((await packOf(paid.debtId, agent.token)).status).toBe(403);
});
