import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import {
  inviteOperator,
  listOperators,
  removeOperator,
} from '../../../src/modules/operators/use-cases/operators-of-deployment.ts';
import { purgeExpired } from '../../../src/modules/privacy/use-cases/purge-expired.ts';
import { openDatabase } from '../../../src/platform/database/database.ts';
import { type App, SECRETS, startApp } from '../../../testing/app.ts';
import { startCampaignsApp } from '../../../testing/campaigns-app.ts';
import { askAs } from '../../../testing/database.ts';
import { debtInputs } from '../../../testing/debts.ts';
import { opened } from '../../../testing/opened.ts';
import { runInTransaction } from '../../../testing/raw-sql.ts';
import { logIn, newKey, PASSWORD, type Problem, refusal, signUp, tryLogIn } from '../accounts/accounts.ts';
import { codeOf, wrongCodeOf } from '../accounts/factors.ts';
import { cookieOf, newAddress, openOperators } from './operators.ts';

const app = await opened(startCampaignsApp({ env: { DATA_DIR: tmpdir() } }));
const { db, invite, open, accept, enter, newOperator, nextCodes, as } = await openOperators(app);

const CNPJ = '11222333000181';
const WRONG = '401 invalid_credentials';
const NO_SESSION = '401 unauthenticated';

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
}
const { body: document } = await app.get<{ paths: Record<string, Record<string, Operation>> }>('/openapi.json');
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId, tags }]) => ({
    operationId,
    tags,
    method: method.toUpperCase(),
    path: path.replaceAll(/\{\w+\}/g, () => randomUUID()),
  })),
);
const OPEN = ['openOperatorInvitation', 'acceptOperatorInvitation', 'logInOperator', 'logOutOperator'];
const guarded = operations.filter(({ tags, operationId }) => tags.includes('Operators') && !OPEN.includes(operationId));
const bodyOf = ({ operationId }: { readonly operationId: string }) =>
  operationId === 'verifyClientAsOperator' ? { checked: ['name', 'cnpj'] } : undefined;

const actsOf = async (email: string) =>
  (
    await app.query<{ action: string }>(
      `select action from operator_acts join operators o on o.id = operator_id where o.email = $1 order by seq`,
      [email],
    )
  ).map(({ action }) => action);

describe('an operator', () => {
  it('is invited by a token that works once, and joins with a password and a proven app', async () => {
    const { email, token } = await invite();
    expect(refusal(await accept(token, '123456'))).toBe(WRONG);
    const earlier = (await open(token)).body.secret;
    const { body } = await open(token);
    expect([body.email, body.secret === earlier]).toEqual([email, false]);
    expect(refusal(await accept(token, codeOf(earlier)))).toBe(WRONG);
    const accepted = await Promise.all([1, 2].map(() => accept(token, codeOf(body.secret))));
    expect(accepted.map(({ status }) => status).sort()).toEqual([204, 401]);
    expect(refusal(await open(token))).toBe('401 token_invalid');
    // The code of the acceptance was used; nobody enters without another one.
    expect(refusal(await enter(email, codeOf(body.secret)))).toBe(WRONG);
    const [row] = await app.query<{ row: string }>(
      `select row_to_json(o)::text || (select coalesce(json_agg(a)::text, '') from operator_acts a) as row
       from operators o where email = $1`,
      [email],
    );
    for (const secret of [body.secret, token, PASSWORD]) expect(row!.row).not.toContain(secret);
    await expect(inviteOperator({ db })(email)).rejects.toThrow('operator already');
  });

  it('an invitation ends by time, by another one, by removal, and by ten wrong codes', async () => {
    const first = await invite();
    const second = await invite(first.email);
    expect(refusal(await open(first.token))).toBe('401 token_invalid');
    expect((await listOperators({ db })).invited.map(({ email }) => email)).toContain(first.email);
    const { secret } = (await open(second.token)).body;
    for (let tries = 0; tries < 10; tries++) await accept(second.token, wrongCodeOf(secret));
    expect(refusal(await accept(second.token, codeOf(secret)))).toBe('401 token_invalid');
    const late = await invite();
    await app.query(`update operator_invitations set expires_at = now() - interval '1 second' where email = $1`, [
      late.email,
    ]);
    expect(refusal(await open(late.token))).toBe('401 token_invalid');
    const worker = await openDatabase({ url: app.database.url, role: 'quita_worker' });
    await purgeExpired({ db: worker })().finally(worker.close);
    expect(await app.query('select from operator_invitations where email = $1', [late.email])).toEqual([]);
    const removed = await invite();
    expect(await removeOperator({ db })(removed.email)).toBe(true);
    expect(refusal(await open(removed.token))).toBe('401 token_invalid');
  });

  it('enters by password and code together, once by each code, and no answer tells which was wrong', async () => {
    const { email, secret } = await newOperator();
    await nextCodes(email);
    const code = codeOf(secret);
    const wrong = [
      await enter(email, wrongCodeOf(secret)),
      await enter(email, code, { password: 'Errada123' }),
      await enter(newAddress(), code),
    ].map(({ body }) => ({ ...body, requestId: null, instance: null }));
    expect(wrong[1]).toEqual(wrong[0]);
    expect(wrong[2]).toEqual(wrong[0]);
    const both = await Promise.all([enter(email, code), enter(email, code)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect(await actsOf(email)).toEqual(expect.arrayContaining(['operator_joined', 'login', 'login_failed']));
  });

  it('has the secret of the app sealed with the newest key, from the next login or the acceptance', async () => {
    const old = await newOperator();
    const opening = await invite();
    const { secret } = (await open(opening.token)).body;
    const newKey = 'a-new-encryption-key-of-operators';
    const rotate = (value: string) => startApp({ database: app.database, env: { ENCRYPTION_KEY: value } });
    const rotated = await rotate(`${newKey},${SECRETS['ENCRYPTION_KEY']}`);
    const session = (at: App, email: string, code: string) =>
      at.call('POST', '/api/operator/session', { body: { email, password: PASSWORD, code } });
    try {
      await nextCodes(old.email);
      expect((await session(rotated, old.email, codeOf(old.secret))).status).toBe(200);
      const body = { token: opening.token, password: PASSWORD, code: codeOf(secret) };
      expect((await rotated.call('POST', '/api/operator/invitation/accept', { body })).status).toBe(204);
    } finally {
      await rotated.close();
    }
    // The old key is gone, and both still enter.
    const later = await rotate(newKey);
    try {
      for (const one of [old, { email: opening.email, secret }]) {
        await nextCodes(one.email);
        expect((await session(later, one.email, codeOf(one.secret))).status).toBe(200);
      }
    } finally {
      await later.close();
    }
  });

  it('five wrong logins lock the e-mail for one address, and not for a member of the same e-mail', async () => {
    const { email, secret } = await newOperator();
    const { email: company } = await signUp(app, { email });
    for (let tries = 0; tries < 5; tries++) await enter(email, wrongCodeOf(secret));
    await nextCodes(email);
    expect(refusal(await enter(email, codeOf(secret)))).toBe('423 account_locked');
    expect((await tryLogIn(app, company)).status).toBe(200);
    expect(await actsOf(email)).toContain('login_locked');
  });

  it('has a cookie for the routes of operators alone, which ends by idleness, logout and removal', async () => {
    const { email, secret, cookie } = await newOperator();
    await nextCodes(email);
    const entered = await enter(email, codeOf(secret));
    const [set] = entered.headers.getSetCookie();
    for (const part of ['Path=/api/operator;', 'HttpOnly', 'SameSite=Strict']) expect(set).toContain(part);
    const mine = cookieOf(entered);
    expect((await as(mine, 'GET', '/session')).body).toMatchObject({ email });
    expect(refusal(await as(`${mine}; ${mine}`, 'GET', '/session'))).toBe(NO_SESSION);
    await as(mine, 'DELETE', '/session');
    expect(refusal(await as(mine, 'GET', '/session'))).toBe(NO_SESSION);
    expect((await as(cookie, 'GET', '/session')).status).toBe(200);
    await app.query(
      `update operator_sessions set expires_at = now() - interval '1 second'
       where operator_id = (select id from operators where email = $1)`,
      [email],
    );
    expect(refusal(await as(cookie, 'GET', '/session'))).toBe(NO_SESSION);
    const other = await newOperator();
    expect(await removeOperator({ db })(other.email)).toBe(true);
    expect(refusal(await as(other.cookie, 'GET', '/session'))).toBe(NO_SESSION);
    await nextCodes(other.email);
    expect(refusal(await enter(other.email, codeOf(other.secret)))).toBe(WRONG);
  });

  it('what a page of another site sends is refused on every route, also with the right cookie', async () => {
    const { cookie } = await newOperator();
    const foreign: Record<string, string>[] = [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }];
    for (const headers of foreign) {
      for (const one of operations.filter(({ tags }) => tags.includes('Operators'))) {
        const bodies: Readonly<Record<string, object>> = {
          logInOperator: { email: newAddress(), password: PASSWORD, code: '123456' },
          openOperatorInvitation: { token: 'a'.repeat(43) },
          acceptOperatorInvitation: { token: 'a'.repeat(43), password: PASSWORD, code: '123456' },
        };
        const body = bodies[one.operationId] ?? bodyOf(one);
        const answer = await app.call<Problem>(one.method, one.path, { body, headers: { cookie, ...headers } });
        expect([one.operationId, refusal(answer)]).toEqual([one.operationId, '403 origin_refused']);
      }
    }
  });
});

describe('clients and operators', () => {
  it('no session and no key of a client opens a route of operators, and no cookie of operators one of clients', async () => {
    const { email } = await signUp(app);
    const { token } = await logIn(app, email);
    const key = await newKey(app, token);
    const { cookie } = await newOperator();
    expect(guarded.length).toBeGreaterThan(7);
    for (const one of guarded) {
      for (const bearer of [token, key, undefined]) {
        const answer = await app.call<Problem>(one.method, one.path, { bearer, body: bodyOf(one) });
        expect([one.operationId, refusal(answer)]).toEqual([one.operationId, NO_SESSION]);
      }
    }
    const value = cookie.split('=')[1]!;
    const named = `quita_session=${value}`;
    for (const headers of [{ cookie }, { cookie: named }]) {
      expect(refusal(await app.call('POST', '/api/session/token', { headers }))).toBe(NO_SESSION);
    }
    expect(refusal(await app.get('/api/onboarding/me', value))).toBe('401 token_invalid');
  });

  it('a statement of the API without the signature of an operator sees neither operators nor counts', async () => {
    const signed = await openDatabase({ url: app.database.url, role: 'quita_app' });
    try {
      const { id } = await signUp(app);
      for (const scope of [signed.tenant(id), signed.auth(), signed.account(id)]) {
        for (const table of ['operators', 'operator_sessions', 'operator_invitations', 'operator_acts']) {
          const rows = await scope.transactional((tx) => runInTransaction(tx, `select * from ${table}`));
          expect([table, rows]).toEqual([table, []]);
        }
      }
    } finally {
      await signed.close();
    }
    for (const call of ['operator_waiting(null)', 'operator_parked()', 'operator_problems(null)']) {
      await expect(askAs(app.database.url, 'quita_app', `select * from ${call}`)).rejects.toThrow('Only operators');
    }
  });

  it('nothing of a client’s debtors, messages or members is in any answer', async () => {
    const client = await app.newClient();
    const campaign = await client.createCampaign('Campanha Reservada');
    const [input] = debtInputs(1);
    await client.importJson(campaign, [{ ...input, debtorName: 'Zulmira Reservada' }]);
    const [debt] = await app.query<{ id: string; name: string; phone: string; cpf: string }>(
      `select id, debtor_name as name, debtor_phone as phone, debtor_tax_id as cpf from debts where client_id = $1`,
      [client.id],
    );
    await app.query(
      `insert into messages (client_id, debt_id, direction, channel, phone, text, at)
       values ($1, $2, 'in', 'whatsapp', $3, 'Texto reservado', now())`,
      [client.id, debt!.id, debt!.phone],
    );
    await app.query(`update members set name = 'Membro Reservado' where client_id = $1`, [client.id]);
    const { cookie } = await newOperator();
    const answers = await Promise.all(
      ['/clients', `/clients?search=${client.id}`, `/clients/${client.id}`, '/health', '/session'].map((path) =>
        as(cookie, 'GET', path),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(answers[1]!.body).toMatchObject({ total: 1, items: [{ id: client.id, email: client.email }] });
    const all = JSON.stringify(answers.map(({ body }) => body));
    for (const text of ['Reservad', 'reservado', ...Object.values(debt!)]) expect(all).not.toContain(text);
    // The message is counted, so it was there to be shown.
    const [, , , health] = answers;
    const counted = expect.objectContaining({ kind: 'messages', waiting: 1 });
    expect(health!.body['backlog']).toContainEqual(counted);
    expect(answers[2]!.body['backlog']).toContainEqual(counted);
    // It is counted for its own client alone.
    const other = (await as(cookie, 'GET', `/clients/${(await app.newClient()).id}`)).body;
    expect((other['backlog'] as { waiting: number }[]).map(({ waiting }) => waiting)).toEqual([0, 0, 0]);
  });

  it('an operator verifies, pauses, resumes and cancels, and each act is recorded with its author', async () => {
    const { email } = await signUp(app);
    const { token, client } = await logIn(app, email);
    const { cookie, email: operator } = await newOperator();
    const path = `/clients/${client.id}`;
    const act = async (what: string, body?: object) => {
      const answer = await as(cookie, 'POST', `${path}/${what}`, body);
      return answer.status === 200 ? answer.body : refusal(answer);
    };
    const checked = ['name', 'cnpj', 'address'];
    expect(await act('verify', { checked })).toBe('409 creditor_incomplete');
    await app.call('PATCH', '/api/onboarding/me', { bearer: token, body: { cnpj: CNPJ } });
    expect((await as(cookie, 'POST', `${path}/verify`, { checked: ['name'] })).status).toBe(400);
    expect(await act('verify', { checked })).toEqual({ verified: true });
    expect(await act('verify', { checked })).toBe('409 already_verified');
    expect((await app.get<object>('/api/onboarding/me', token)).body).toMatchObject({ verified: true });

    expect(await act('resume')).toEqual({ status: 'ACTIVE' });
    expect(await act('pause')).toEqual({ status: 'PAUSED' });
    expect(refusal(await app.get('/api/onboarding/me', token))).toBe('403 account_inactive');
    expect(await act('resume')).toEqual({ status: 'ACTIVE' });
    expect((await app.get('/api/onboarding/me', token)).status).toBe(200);
    expect(await act('cancel')).toEqual({ status: 'CANCELLED' });
    expect(await act('resume')).toBe('409 client_state');
    for (const what of ['verify', 'pause', 'resume', 'cancel']) {
      const unknown = await as(cookie, 'POST', `/clients/${randomUUID()}/${what}`, { checked });
      expect(refusal(unknown)).toBe('404 not_found');
    }

    const { body } = await as(cookie, 'GET', path);
    const acts = (body['acts'] as { action: string; operator: string; details: object }[]).toReversed();
    expect(acts.map(({ action, operator: by }) => [action, by])).toEqual(
      ['client_verified', 'client_paused', 'client_resumed', 'client_cancelled'].map((action) => [action, operator]),
    );
    expect(acts[0]!.details).toEqual({ checked });
    expect(body['verification']).toEqual({ at: expect.any(String), operator, checked });
    await app.query('update clients set verified_at = quita_now() where id = $1', [client.id]);
    const byNobody = (await as(cookie, 'GET', path)).body['verification'];
    expect(byNobody).toEqual({ at: expect.any(String), operator: null, checked: [] });
    const log = await app.query<{ action: string; ip: string }>(
      `select action, ip from audit_log where client_id = $1 and actor = 'operator' order by seq`,
      [client.id],
    );
    expect(log.map(({ action }) => action)).toEqual([
      'client_verified',
      'email_confirmed',
      ...Array(3).fill('status_changed'),
    ]);
    // The client reads its log, and learns not from where the operator works.
    expect(JSON.stringify(log)).not.toContain('127.0.0.1');
  });

  it('an operator verifies no company that has changed since it was read', async () => {
    const client = await app.newClient();
    const campaign = await client.createCampaign('Campanha de Outro Nome');
    const change = async (path: string, body: object) =>
      expect((await client.call('PATCH', path, body)).status).toBe(200);
    const changeCompany = (body: object) => change('/api/onboarding/me', body);
    await changeCompany({ cnpj: CNPJ });
    const { cookie, email: operator } = await newOperator();
    const path = `/clients/${client.id}`;
    const read = async () => (await as(cookie, 'GET', path)).body;
    const verify = (seen: unknown) => as(cookie, 'POST', `${path}/verify`, { checked: ['name', 'cnpj'], seen });
    const address = {
      street: 'Rua A',
      number: '1',
      district: 'Centro',
      city: 'Campinas',
      state: 'SP',
      postalCode: '13010001',
    };
    const changes = [
      () => changeCompany({ name: 'Outra Escola Conhecida' }),
      () => changeCompany({ cnpj: '11444777000161' }),
      () => changeCompany({ address }),
      () => changeCompany({ collectsFor: 'others' }),
      () => change(`/api/campaigns/${campaign}`, { sender: 'Outra Conhecida' }),
    ];
    for (const happens of changes) {
      const { version } = await read();
      await happens();
      expect(refusal(await verify(version))).toBe('409 client_state');
    }
    const stored = `select verified_name as name, verified_senders as senders from clients where id = $1`;
    expect(await app.query(stored, [client.id])).toEqual([{ name: null, senders: null }]);
    expect(await actsOf(operator)).not.toContain('client_verified');

    // What is not compared may change meanwhile.
    const { version } = await read();
    await changeCompany({ contactEmail: 'contato@escola.com.br' });
    expect((await verify(version)).body).toEqual({ verified: true });
    const verified = { name: 'Outra Escola Conhecida', senders: ['Outra Conhecida'] };
    expect(await app.query(stored, [client.id])).toEqual([verified]);
  });

  it('clients are found by their status and by whether somebody has to check them', async () => {
    const client = await app.newClient();
    const { cookie } = await newOperator();
    const found = async () => {
      const filters = ['all', 'unverified', 'onboarding', 'active', 'paused', 'cancelled'];
      const answers = await Promise.all(
        filters.map((filter) => as(cookie, 'GET', `/clients?search=${client.id}&filter=${filter}`)),
      );
      return filters.filter((_, index) => answers[index]!.body['total'] === 1);
    };
    await app.query(`update clients set status = 'ACTIVE', cnpj = $2 where id = $1`, [client.id, CNPJ]);
    expect(await found()).toEqual(['all', 'unverified', 'active']);
    await as(cookie, 'POST', `/clients/${client.id}/verify`, { checked: ['name', 'cnpj'] });
    expect(await found()).toEqual(['all', 'active']);
    await as(cookie, 'POST', `/clients/${client.id}/pause`);
    expect(await found()).toEqual(['all', 'paused']);
    await app.query('update clients set verified_at = null where id = $1', [client.id]);
    expect(await found()).toEqual(['all', 'unverified', 'paused']);
    await as(cookie, 'POST', `/clients/${client.id}/cancel`);
    expect(await found()).toEqual(['all', 'cancelled']);
    expect((await as(cookie, 'GET', '/clients?filter=other')).status).toBe(400);
  });

  it('what fails, ends and waits is counted over all clients, and once more for one', async () => {
    const { id } = await signUp(app);
    await app.query(
      `insert into channel_senders (client_id, channel, sender_id, shown_as, state) values ($1, 'whatsapp', '9', '9', 'failing')`,
      [id],
    );
    await app.query(
      `insert into client_credentials (client_id, purpose, sealed, account_id, certificate_expires_at, problem)
       values ($1, 'pix', 's', 'a', now() + interval '5 days', 'Texto')`,
      [id],
    );
    await app.query(
      `insert into outbox (kind, workflow, workflow_id, payload, last_error, available_at)
       values ('start', 'heartbeat', 'parked-one', '{}', 'parked: X', now())`,
    );
    const { cookie } = await newOperator();
    const { body } = await as(cookie, 'GET', '/health');
    const problems = body['problems'] as { kind: string; clientId: string; about: string }[];
    const kinds = problems.filter(({ clientId }) => clientId === id).map(({ kind, about }) => `${kind} ${about}`);
    expect(kinds.sort()).toEqual(['account_failing pix', 'certificate_ending pix', 'channel_failing whatsapp']);
    expect((body['parked'] as { workflowId: string }[]).map(({ workflowId }) => workflowId)).toEqual(['parked-one']);
    expect(body['backlog']).toContainEqual(expect.objectContaining({ kind: 'outbox_parked', waiting: 1 }));
    expect(body['workflows']).toEqual({ count: expect.any(Number), items: expect.any(Array) });
    expect(body['disk']).toEqual({ freeBytes: expect.any(Number), totalBytes: expect.any(Number) });
    const one = (await as(cookie, 'GET', `/clients/${id}`)).body;
    expect((one['problems'] as object[]).length).toBe(3);
    const { items } = (await as(cookie, 'GET', `/clients?search=${id}`)).body as { items?: { problems: number }[] };
    expect(items!.map((item) => item.problems)).toEqual([3]);
  });
});
