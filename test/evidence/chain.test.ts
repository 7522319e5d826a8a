import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Client } from 'pg';
import { recordEntries } from '../../src/modules/debts/use-cases/record-entries.ts';
import { canonicalJson, problemsOfChain } from '../../src/modules/evidence/use-cases/verify-pack.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { debtInputs } from '../../testing/debts.ts';
import { jsonLines, type Line, linesOf } from '../../testing/evidence.ts';
import { opened } from '../../testing/opened.ts';

const app = await opened(startCampaignsApp());
const worker = await opened(openDatabase({ url: app.database.url, role: 'quita_worker', connectTimeoutMs: 60_000 }));
const client = await app.newClient();
const campaignId = await client.createCampaign();
let people = 1;

async function newDebt(): Promise<string> {
  await client.importJson(campaignId, debtInputs(1, people));
  people += 1;
  const rows = await app.query<{ id: string }>('select id from debts where campaign_id = $1 order by position desc', [
    campaignId,
  ]);
  return rows[0]!.id;
}

const note = (debtId: string, text: string) => client.call('POST', `/api/debts/${debtId}/notes`, { text });
const chainOf = (debtId: string): Promise<Line[]> => linesOf(app.query, debtId);
const headOf = (lines: readonly Line[]) => ({ seq: lines.length, hash: lines.at(-1)?.hash ?? '' });
const problemsOf = (lines: readonly Line[]) => problemsOfChain(jsonLines(lines), { head: headOf(lines), erased: [] });
const kindsOf = (lines: readonly Line[]): string[] => lines.map(({ kind }) => kind);

/** A message as the worker stores it, with its entry. */
async function send(debtId: string, text: string, also: readonly string[] = []): Promise<string> {
  const [messageId] = [randomUUID()];
  await app.query(
    `insert into messages (id, client_id, debt_id, also_about, direction, channel, purpose, text, delivery, at)
     values ($1, $2, $3, $4, 'out', 'whatsapp', 'collection', $5, 'sent', now())`,
    [messageId, client.id, debtId, also, text],
  );
  await worker.tenant(client.id).transactional(async (tx) => {
    for (const id of [debtId, ...also])
      await recordEntries(tx, id, Date.now(), [
        { kind: 'message_sent', messageId, channel: 'whatsapp', purpose: 'collection' },
      ]);
  });
  return messageId;
}

describe('the chain of a debt', () => {
  it('has every entry in the order of writing, with its words, from the import on', async () => {
    const debtId = await newDebt();
    const messageId = await send(debtId, 'Olá, Maria! “R$ 150,75” \u2028 😀');
    await note(debtId, 'Ligou e pediu prazo.');
    await client.call('POST', `/api/debts/${debtId}/withdraw`, { reason: 'contrato errado' });
    const lines = await chainOf(debtId);
    expect(kindsOf(lines)).toEqual(['imported', 'message_sent', 'note', 'status_changed']);
    expect(lines[0]?.content).toEqual({ adopted: expect.any(String) });
    expect(lines[1]?.content).toMatchObject({ messageId, text: 'Olá, Maria! “R$ 150,75” \u2028 😀', delivery: 'sent' });
    expect(lines[2]?.content).toMatchObject({ text: 'Ligou e pediu prazo.', memberId: expect.any(String) });
    expect(lines[3]?.content).toMatchObject({ to: 'STOPPED', reason: 'contrato errado' });
    expect(lines.every(({ salt }) => /^[\da-f]{64}$/.test(salt ?? ''))).toBe(true);
    expect(new Set(lines.map(({ salt }) => salt)).size).toBe(lines.length);
    expect(await problemsOf(lines)).toEqual([]);
  });

  it('has what staff wrote about money that they received elsewhere', async () => {
    const debtId = await newDebt();
    const payment = {
      amount: 150.75,
      paidAt: new Date(Date.now() - 60_000).toISOString(),
      method: 'cash',
      note: 'recibo 12',
    };
    expect((await client.call('POST', `/api/debts/${debtId}/settle`, payment)).status).toBe(200);
    const paid = (await chainOf(debtId)).find(({ kind }) => kind === 'payment_approved');
    expect(paid?.content).toMatchObject({ amount: 150.75, method: 'cash', note: 'recibo 12' });
  });

  it('has each later change of a delivery, for every debt of the message', async () => {
    const [one, other] = [await newDebt(), await newDebt()];
    const messageId = await send(one, 'Olá', [other]);
    for (const delivery of ['delivered', 'delivered', 'read'])
      await app.query('update messages set delivery = $2 where id = $1', [messageId, delivery]);
    for (const debtId of [one, other]) {
      const lines = await chainOf(debtId);
      expect(kindsOf(lines)).toEqual(['imported', 'message_sent', 'delivery_changed', 'delivery_changed']);
      expect(lines.slice(2).map(({ content }) => content)).toEqual([
        { messageId, delivery: 'delivered' },
        { messageId, delivery: 'read' },
      ]);
      expect(await problemsOf(lines)).toEqual([]);
    }
  });

  it('says when an entry was booked for an earlier moment, and never goes back itself', async () => {
    const debtId = await newDebt();
    await note(debtId, 'primeiro');
    const booked = Date.now() - 3_600_000;
    await worker
      .tenant(client.id)
      .transactional((tx) =>
        recordEntries(tx, debtId, booked, [{ kind: 'charge_created', paymentId: randomUUID() }], { asBooked: true }),
      );
    const lines = await chainOf(debtId);
    expect(lines.at(-1)).toMatchObject({
      at: lines.at(-2)?.at,
      content: { happenedAt: new Date(booked).toISOString() },
    });
    expect(await problemsOf(lines)).toEqual([]);
  });

  it('adopts what was written before there were chains, under a mark, and goes on', async () => {
    const debtId = await newDebt();
    await app.query('alter table debt_events disable trigger debt_events_chained');
    await note(debtId, 'de antes');
    await send(debtId, 'mensagem de antes');
    await app.query('alter table debt_events enable trigger debt_events_chained');
    expect(await chainOf(debtId)).toEqual([]);
    await note(debtId, 'de agora');
    const lines = await chainOf(debtId);
    expect(kindsOf(lines)).toEqual(['imported', 'note', 'message_sent', 'note']);
    expect(lines.map(({ content }) => 'adopted' in content)).toEqual([true, true, true, false]);
    expect(lines[1]?.content.text).toBe('de antes');
    expect(await problemsOf(lines)).toEqual([]);
  });

  it('has no fork after 200 concurrent writers, in the API and in a worker, on debts in any order', async () => {
    const debts = [await newDebt(), await newDebt()];
    const [one, other] = debts as [string, string];
    const messageId = await send(one, 'Olá', [other]);
    await Promise.all(
      Array.from({ length: 200 }, (_, n) => {
        const debtId = debts[n % 2]!;
        if (n % 10 === 0)
          return app.query('update messages set delivery = $2 where id = $1', [
            messageId,
            n % 20 ? 'read' : 'delivered',
          ]);
        if (n % 25 === 3) return note(debtId, `anotação ${n}`);
        return worker
          .tenant(client.id)
          .transactional((tx) =>
            recordEntries(tx, debtId, Date.now(), [{ kind: 'charge_created', paymentId: randomUUID() }]),
          );
      }),
    );
    for (const debtId of debts) {
      const lines = await chainOf(debtId);
      const written = await app.query('select 1 from debt_events where debt_id = $1', [debtId]);
      expect(lines.filter(({ kind }) => kind !== 'imported' && kind !== 'delivery_changed')).toHaveLength(
        written.length,
      );
      expect(await problemsOf(lines)).toEqual([]);
    }
  }, 120_000);

  it('is written by triggers alone: no role of the service adds, changes or deletes a line', async () => {
    const debtId = await newDebt();
    await note(debtId, 'x');
    const row = `insert into evidence_lines (client_id, debt_id, seq, at, kind, content_hash, hash, salt, content)
      values ('${client.id}', '${debtId}', 99, now(), 'note', '', '', '', '{}')`;
    const statements = [row, `update evidence_lines set hash = ''`, `delete from evidence_lines`];
    for (const role of ['quita_app', 'quita_worker'] as const) {
      const db = await openDatabase({ url: app.database.url, role });
      try {
        for (const text of statements) await expect(db.pool.query(text)).rejects.toThrow('permission denied');
      } finally {
        await db.close();
      }
    }
  });
});

describe('canonical JSON', () => {
  const ofDatabase = async (texts: readonly string[]): Promise<string[]> => {
    const owner = new Client({ connectionString: app.database.url });
    await owner.connect();
    try {
      await owner.query('set role quita_functions');
      const { rows } = await owner.query<{ text: string }>(
        `select canonical_json(given::jsonb) as text
         from unnest($1::text[]) with ordinality as all_given (given, place) order by place`,
        [texts],
      );
      return rows.map(({ text }) => text);
    } finally {
      await owner.end();
    }
  };

  // From RFC 8785, section 3.2 and appendix B; jsonb holds no lone surrogate and no NaN.
  it('is that of the RFC in the database and in the verifier', async () => {
    const numbers = [
      '333333333.33333329',
      '1E30',
      '4.50',
      '2e-3',
      '0.000000000000000000000000001',
      '-0',
      '5e-324',
      '9007199254740994',
      '1e21',
      '999999999999999900000',
      '1e-7',
      '0.0000012',
    ];
    const source = `{"numbers":[${numbers.join(',')}],"string":"\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false],"":{},"b":[],"a":{"z":1,"y":"\\ud83d\\ude00\\u007f\\u2028"}}`;
    const [own] = await ofDatabase([source]);
    expect(own).toBe(canonicalJson(JSON.parse(source)));
    expect(own).toContain(
      '[333333333.3333333,1e+30,4.5,0.002,1e-27,0,5e-324,9007199254740994,1e+21,999999999999999900000,1e-7,0.0000012]',
    );
    expect(own).toContain('"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"');
  });

  it('is the same for any value', async () => {
    const texts = fc
      .sample(
        fc.jsonValue({ depthSize: 'medium' }).filter((value) => !JSON.stringify(value).includes('\\u0000')),
        500,
      )
      .map((value) =>
        // Of integers beyond 2^53 PostgreSQL may take other digits. No amount is so large.
        JSON.stringify({ value, n: 0 }, (_, member) =>
          typeof member === 'number' && Math.abs(member) > Number.MAX_SAFE_INTEGER ? 1 : member,
        ),
      )
      .filter(
        (text) => text.isWellFormed() && !/\\ud[89a-f]/i.test(text) && !/"[^"\x20-\x7f]*[^\x20-\x7f][^"]*":/.test(text),
      );
    expect(texts.length).toBeGreaterThan(100);
    expect(await ofDatabase(texts)).toEqual(texts.map((text) => canonicalJson(JSON.parse(text))));
  });
});
