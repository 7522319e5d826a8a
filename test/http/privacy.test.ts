import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { eraseAsAsked } from '../../src/modules/privacy/use-cases/erase-debtor.ts';
import { addOutbox } from '../../src/platform/database/add-outbox.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { createPersonKeys } from '../../src/platform/shared/person-keys.ts';
import { privacyWorkflows } from '../../src/platform/temporal/privacy-workflows.ts';
import { startCampaignsApp, type TestClient } from '../../testing/campaigns-app.ts';
import { cpfOf, debtInput } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';
import { until } from '../../testing/poll.ts';
import { addMember } from './accounts/accounts.ts';

const app = await opened(startCampaignsApp({ roles: ['api', 'worker', 'relay'] }));

const PATH = '/api/privacy/erasures';
let people = 410_000_000;

/** A person with a debt of each of these statuses. */
async function person(client: TestClient, statuses: readonly string[], more: object = {}) {
  const cpf = cpfOf(people++);
  const campaignId = await client.createCampaign();
  const debts = statuses.map((_, n) =>
    debtInput(n + 1, { debtorCpf: cpf, invoiceId: `NF-${campaignId}-${n}`, ...more }),
  );
  expect((await client.importJson(campaignId, debts)).body.imported).toBe(statuses.length);
  const rows = await app.query<{ id: string }>(
    'select id from debts where client_id = $1 and debtor_tax_id = $2 order by position',
    [client.id, cpf],
  );
  for (const [n, { id }] of rows.entries()) {
    await app.query('update debts set status = $2 where id = $1', [id, statuses[n]]);
  }
  return { cpf, ids: rows.map(({ id }) => id) };
}

const namesOf = async (ids: readonly string[]): Promise<string[]> =>
  (
    await app.query<{ name: string }>('select debtor_name as name from debts where id = any($1) order by position', [
      ids,
    ])
  ).map(({ name }) => name);
const isErased = (id: string) => async () => (await namesOf([id]))[0] === '(dados apagados)';
const auditOf = async (client: TestClient, action: string) =>
  (await client.call('GET', `/api/audit?action=${action}`)).body.items;

describe('how long conversations are kept', () => {
  it('is read by everybody and changed by an owner, within its bounds, with an entry in the audit log', async () => {
    const client = await app.newClient();
    const bounds = { defaultDays: 1_826, minDays: 180, maxDays: 3_653 };
    const read = async () => (await client.call('GET', '/api/privacy/retention')).body;
    expect(await read()).toEqual({ days: 1_826, own: false, ...bounds });
    const put = (days: unknown) => client.call('PUT', '/api/privacy/retention', { days });
    for (const days of [179, 3_654, 200.5, '200', undefined]) {
      const { status, body } = await put(days);
      expect([days, status, body.errors[0].pointer]).toEqual([days, 400, '/days']);
    }
    expect((await put(400)).body).toEqual({ days: 400, own: true, ...bounds });
    expect((await put(400)).status).toBe(200);
    expect((await put(null)).body).toEqual({ days: 1_826, own: false, ...bounds });
    expect(await read()).toEqual({ days: 1_826, own: false, ...bounds });
    const entries = await auditOf(client, 'retention_changed');
    expect(entries.map(({ actor, details }: { actor: string; details: object }) => [actor, details])).toEqual([
      ['client', { by: 'session', from: 400, to: null }],
      ['client', { by: 'session', from: null, to: 400 }],
    ]);
    const manager = await addMember(app, client.id, 'manager', client.password);
    expect(
      (await app.call('PUT', '/api/privacy/retention', { bearer: manager.token, body: { days: 400 } })).status,
    ).toBe(403);
    expect((await app.call('GET', '/api/privacy/retention', { bearer: manager.token })).status).toBe(200);
  });
});

describe('the erasure of a person by an owner', () => {
  it('is shown before, then done by the worker, and may be asked for again', async () => {
    const [client, other] = [await app.newClient(), await app.newClient()];
    const { cpf, ids } = await person(client, ['PAID', 'STOPPED', 'IN_COLLECTION']);
    const [paid, stopped, open] = ids as [string, string, string];
    const campaignId = await other.createCampaign();
    await other.importJson(campaignId, [debtInput(1, { debtorCpf: cpf })]);
    await app.query(`update debts set status = 'STOPPED' where client_id = $1`, [other.id]);

    const shown = await client.call('POST', `${PATH}?checkOnly=true`, { cpf });
    expect([shown.status, shown.body.erasable, shown.body.kept]).toEqual([200, 2, 1]);
    expect(new Map(shown.body.debts.map((debt: { id: string; because: string }) => [debt.id, debt.because]))).toEqual(
      new Map([
        [paid, null],
        [stopped, null],
        [open, 'open'],
      ]),
    );
    expect(await namesOf(ids)).not.toContain('(dados apagados)');
    expect(await auditOf(client, 'privacy')).toEqual([]);

    const done = await client.call('POST', PATH, { cpf: cpf.replace(/^(...)(...)(...)/, '$1.$2.$3-') });
    expect([done.status, done.body]).toEqual([202, shown.body]);
    await until('the data to be erased', isErased(stopped));
    expect((await namesOf(ids)).filter((name) => name === '(dados apagados)')).toHaveLength(2);
    const [ofOther] = await app.query<{ tax: string }>('select debtor_tax_id as tax from debts where client_id = $1', [
      other.id,
    ]);
    expect(ofOther!.tax).toBe(cpf);
    await until('the entry', async () => (await auditOf(client, 'privacy')).length === 2);
    const entries = await auditOf(client, 'privacy');
    expect(entries.map(({ actor, action, details }: Record<string, unknown>) => [actor, action, details])).toEqual([
      ['system', 'privacy_erased', { erased: 2 }],
      ['client', 'erasure_asked', { by: 'session', debts: 2, kept: 1 }],
    ]);
    expect(JSON.stringify(await app.query(`select * from audit_log`))).not.toContain(cpf);
    expect(JSON.stringify(await app.query(`select * from outbox where workflow = 'erase-debtor'`))).not.toContain(cpf);

    // What is left is an open debt, so that there is nothing to erase yet.
    expect((await client.call('POST', PATH, { cpf })).body.code).toBe('debt_state');
    await app.query(`update debts set status = 'STOPPED' where id = $1`, [open]);
    expect((await client.call('POST', PATH, { cpf })).body).toMatchObject({ erasable: 1, kept: 0 });
    await until('the data to be erased', isErased(open));
    const again = await client.call('POST', PATH, { cpf });
    expect([again.status, again.body]).toEqual([202, { erasable: 0, kept: 0, debts: [], receipts: [] }]);
  });

  it('waits for a message that is not understood, as the operator’s command does', async () => {
    const client = await app.newClient();
    const { cpf, ids } = await person(client, ['STOPPED']);
    await app.query(
      `insert into messages (client_id, debt_id, direction, channel, phone, text, at)
        values ($1, $2, 'in', 'sandbox', '+5521980000001', 'oi', now())`,
      [client.id, ids[0]],
    );
    const { body } = await client.call('POST', `${PATH}?checkOnly=true`, { cpf });
    expect([body.erasable, body.kept, body.debts[0].because]).toEqual([0, 1, 'busy']);
    const refused = await client.call('POST', PATH, { cpf });
    expect([refused.status, refused.body.code]).toEqual([409, 'debt_state']);
  });

  it('takes exactly one valid CPF or CNPJ, and is an owner’s alone', async () => {
    const client = await app.newClient();
    const cpf = cpfOf(people++);
    for (const [body, code] of [
      [{}, 'required'],
      [{ cpf, cnpj: '11222333000181' }, 'required'],
      [{ cpf: '11144477736' }, 'cpf_invalid'],
      [{ cnpj: '11222333000182' }, 'cnpj_invalid'],
      [{ cpf: 'x'.repeat(40) }, 'too_long'],
    ] as const) {
      const answer = await client.call('POST', PATH, body);
      expect([answer.status, answer.body.errors[0].code]).toEqual([400, code]);
    }
    for (const role of ['manager', 'agent', 'viewer', 'auditor']) {
      const { token } = await addMember(app, client.id, role, client.password);
      for (const flag of ['', '?checkOnly=true']) {
        const { status } = await app.call('POST', `${PATH}${flag}`, { bearer: token, body: { cpf } });
        expect([role, status]).toEqual([role, 403]);
      }
    }
    const { apiKey } = (await client.call('POST', '/api/onboarding/me/api-key')).body;
    expect((await app.call('POST', PATH, { bearer: apiKey, body: { cpf } })).status).toBe(401);
  });

  it('that is asked for many times at once is done once', async () => {
    const client = await app.newClient();
    const { cpf, ids } = await person(client, ['STOPPED', 'PAID']);
    const answers = await Promise.all(Array.from({ length: 6 }, () => client.call('POST', PATH, { cpf })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    await until('the data to be erased', isErased(ids[0]!));
    await until('the data to be erased', isErased(ids[1]!));
  });
});

/** Words of the person, each of which stands in what a table keeps of the person. */
const MARKS = ['Quitéria', 'quiteria', 'Zebulon', '80009999'];

/** The tables of which a row has a mark of the person. */
async function tablesThatName(marks: readonly string[]): Promise<string[]> {
  const tables = await app.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const [row] = await app.query<{ hit: boolean }>(
      `select exists (select from "${name}" as t where row_to_json(t)::text like any($1)) as hit`,
      [marks.map((mark) => `%${mark}%`)],
    );
    if (row!.hit) found.push(name);
  }
  return found.sort();
}

describe('what names a person', () => {
  it('is erased in every table, also in payments that a file told of', async () => {
    const client = await app.newClient();
    const named = {
      debtorName: 'Quitéria Zebulon',
      debtorPhones: ['+5521980009999'],
      debtorEmails: ['quiteria@exemplo.com.br'],
      consentAt: '2025-03-10',
      consentSource: 'Quitéria assinou',
      description: 'Curso de Zebulon',
    };
    const { cpf, ids } = await person(client, ['STOPPED'], named);
    const debtId = ids[0]!;
    const of = [client.id, debtId];
    const chargeId = randomUUID();
    await app.query(
      `insert into messages (client_id, debt_id, direction, channel, phone, purpose, text, delivery, at)
        values ($1, $2, 'out', 'sandbox', '+5521980009999', 'collection', 'Olá, Quitéria', 'sent', now())`,
      of,
    );
    await app.query(
      `insert into charges (id, client_id, debt_id, attempt, provider, method, note, status, amount_centavos,
         paid_centavos, expires_at, approved_at, duplicate)
        values ($3, $1, $2, 1, 'outside', 'cash', 'Quitéria pagou', 'APPROVED', 100, 100, now(), now(), true)`,
      [...of, chargeId],
    );
    for (const [key, taxId, debt] of [
      ['told', cpf, null],
      ['settled', null, debtId],
    ]) {
      await app.query(
        `insert into received_payments (client_id, source, key, amount_centavos, paid_at, method, state, tax_id, memo, debt_id, charge_id)
          values ($1, 'file', $2, 100, now(), 'pix', $3, $4, 'PIX DE QUITERIA Zebulon', $5, $6)`,
        [
          client.id,
          `${key}-${debtId}`,
          debt === null ? 'unmatched' : 'settled',
          taxId,
          debt,
          debt === null ? null : chargeId,
        ],
      );
    }
    await app.query(
      `insert into sandbox_outbox (client_id, debt_id, channel, recipient, purpose, text, at)
        values ($1, $2, 'sandbox', '+5521980009999', 'collection', 'Quitéria', now())`,
      of,
    );
    const note = await client.call('POST', `/api/debts/${debtId}/notes`, { text: 'Quitéria ligou' });
    expect(note.status).toBe(201);
    await app.query(
      `insert into person_requests (client_id, debtor_tax_id, sandbox) select client_id, debtor_tax_id, sandbox from debts where id = $1`,
      [debtId],
    );
    const marks = [...MARKS, cpf];
    expect(await tablesThatName(marks)).toEqual([
      'charges',
      'debt_notes',
      'debt_phones',
      'debts',
      'evidence_lines',
      'messages',
      'person_requests',
      'received_payments',
      'sandbox_outbox',
    ]);
    expect((await client.call('POST', PATH, { cpf })).status).toBe(202);
    await until('the data to be erased', isErased(debtId));
    expect(await tablesThatName(marks)).toEqual([]);
    const kept = await app.query<Record<string, string>>(
      'select amount_centavos, state from received_payments where client_id = $1 order by state',
      [client.id],
    );
    expect(kept.map(({ state }) => state)).toEqual(['settled', 'unmatched']);
  });

  it('is erased with the rights of the worker, and not with those of the API', async () => {
    const client = await app.newClient();
    const { ids } = await person(client, ['STOPPED']);
    const task = { clientId: client.id, debtId: ids[0]! };
    const personKeys = createPersonKeys('person_secret-of-the-tests');
    for (const [role, isDone] of [
      ['quita_app', false],
      ['quita_worker', true],
    ] as const) {
      const db = await openDatabase({ url: app.database.url, role });
      try {
        const work = eraseAsAsked({ db, personKeys, now: () => new Date() })(task);
        if (isDone) await work;
        else await expect(work).rejects.toThrow(/permission denied/);
      } finally {
        await db.close();
      }
      expect([role, await isErased(ids[0]!)()]).toEqual([role, isDone]);
    }
  });

  it('cannot be asked for by a statement in the transaction of anybody but an owner', async () => {
    const client = await app.newClient();
    const { ids } = await person(client, ['STOPPED']);
    let role = 'manager';
    const db = await openDatabase({
      url: app.database.url,
      role: 'quita_app',
      ownerOf: () => client.id,
      roleOf: () => role,
    });
    const ask = () => {
      const work = { clientId: client.id, debtId: ids[0]!, requestId: randomUUID() };
      return db.tenant(client.id).transactional((tx) => addOutbox(tx, privacyWorkflows.eraseDebtor(work)));
    };
    try {
      await expect(ask()).rejects.toThrow(/not work of the client/);
      expect(await isErased(ids[0]!)()).toBe(false);
      role = 'owner';
      await ask();
    } finally {
      await db.close();
    }
    await until('the data to be erased', isErased(ids[0]!));
  });
});
