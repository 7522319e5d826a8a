import { randomUUID, sign } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import forge from 'node-forge';
import { hashToken } from '../../../src/modules/accounts/use-cases/opaque-token.ts';
import { startApp } from '../../../testing/app.ts';
import { type Authenticator, type Deviation, newAuthenticator } from '../../../testing/authenticator.ts';
import { opened } from '../../../testing/opened.ts';
import {
  addMember,
  confirmAddress,
  type LoggedIn,
  logIn,
  mailsAsked,
  me,
  PASSWORD,
  type Problem,
  refusal,
  setStatus,
  signUp,
  tryLogIn,
} from './accounts.ts';
import { codeOf, minutesUntil } from './factors.ts';

const SITE = { origin: 'https://quita.example.com.br', rpId: 'quita.example.com.br' };
const app = await opened(startApp({ env: { PUBLIC_URL: SITE.origin } }));

const PATH = '/api/onboarding/me/passkeys';
const WRONG = '401 invalid_credentials';
const ENDED = '401 token_invalid';
const STEP_UP = '401 step_up_required';

/** Vouches for the device by a certificate of its maker, as the standard wants it. */
const byMaker: Deviation['attest'] = (data) => {
  const { privateKey, publicKey } = forge.pki.rsa.generateKeyPair(2_048);
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = publicKey;
  certificate.serialNumber = '01';
  certificate.validity.notAfter = new Date(Date.now() + 3_600_000);
  const names = { countryName: 'BR', organizationName: 'Chaves', commonName: 'Chave' };
  const attributes = Object.entries(names).map(([name, value]) => ({ name, value }));
  certificate.setSubject([...attributes, { shortName: 'OU', value: 'Authenticator Attestation' }]);
  certificate.setIssuer(certificate.subject.attributes);
  certificate.setExtensions([{ name: 'basicConstraints', cA: false }]);
  certificate.sign(privateKey, forge.md.sha256.create());
  const der = forge.asn1.toDer(forge.pki.certificateToAsn1(certificate)).getBytes();
  const signature = sign('sha256', data, forge.pki.privateKeyToPem(privateKey));
  const attStmt = new Map<string, unknown>([
    ['alg', -257],
    ['sig', Uint8Array.from(signature)],
    ['x5c', [Uint8Array.from(Buffer.from(der, 'binary'))]],
  ]);
  return { fmt: 'packed', attStmt };
};

interface Question {
  readonly challenge: string;
  readonly options: Readonly<Record<string, unknown>>;
}
type Made = Problem & { readonly id: string; readonly name: string; readonly recoveryCodes?: readonly string[] };

const askForKey = async (token: string): Promise<Question> =>
  (await app.post<Question>(`${PATH}/options`, undefined, token)).body;
const sendKey = (token: string, challenge: string, response: object, name = 'Notebook') =>
  app.post<Made>(`${PATH}/register`, { challenge, name, response }, token);

async function register(token: string, device: Authenticator, odd?: Deviation, name?: string) {
  const asked = await askForKey(token);
  return sendKey(token, asked.challenge, device.create(asked, odd), name);
}

const ask = async (login?: string): Promise<Question> => {
  const { status, body } = await app.post<Question>('/api/auth/passkey/options', login === undefined ? {} : { login });
  expect(status).toBe(200);
  return body;
};
const verify = (challenge: string, response: object) =>
  app.post<LoggedIn & Problem>('/api/auth/passkey/verify', { challenge, response });

async function enter(device: Authenticator, odd?: Deviation, login?: string) {
  const asked = await ask(login);
  return verify(asked.challenge, device.get(asked, odd));
}

async function stepUp(token: string, device: Authenticator, odd?: Deviation) {
  const asked = (await app.post<Question>('/api/auth/step-up/options', undefined, token)).body;
  const body = { challenge: asked.challenge, response: device.get(asked, odd) };
  return app.post<Problem>('/api/auth/step-up', body, token);
}

interface Owner extends LoggedIn {
  readonly clientId: string;
  readonly email: string;
  readonly device: Authenticator;
  readonly passkeyId: string;
  readonly recoveryCodes: readonly string[];
}

async function newOwner(): Promise<Owner> {
  const { id: clientId, email } = await signUp(app);
  await confirmAddress(app, clientId);
  const session = await logIn(app, email);
  const device = newAuthenticator(SITE);
  const { status, body } = await register(session.token, device);
  expect(status).toBe(201);
  return { ...session, clientId, email, device, passkeyId: body.id, recoveryCodes: body.recoveryCodes ?? [] };
}

async function challengeOf(email: string): Promise<string> {
  const { status, body } = await tryLogIn(app, email);
  expect([status, body.code]).toEqual([401, 'second_factor_required']);
  return (body as unknown as { challenge: string }).challenge;
}

const actionsOf = async (clientId: string) =>
  (
    await app.query<{ action: string }>('select action from audit_log where client_id = $1 order by seq', [clientId])
  ).map(({ action }) => action);
const invite = (token: string) =>
  app.post<Problem>('/api/members', { email: `a@${randomUUID()}.com.br`, name: 'Bia', role: 'agent' }, token);

describe('registering a passkey', () => {
  it('asks for a key of this service by a person whom the device recognises, and answers with recovery codes', async () => {
    const { id: clientId, email } = await signUp(app);
    const session = await logIn(app, email);
    const asked = await askForKey(session.token);
    expect(asked.options).toMatchObject({
      challenge: asked.challenge,
      rp: { id: SITE.rpId },
      user: { name: email },
      excludeCredentials: [],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    const device = newAuthenticator(SITE);
    const { status, body } = await sendKey(session.token, asked.challenge, device.create(asked), ' Notebook ');
    expect([status, Object.keys(body).sort(), body.name]).toEqual([
      201,
      ['createdAt', 'id', 'lastUsedAt', 'name', 'recoveryCodes', 'synced'],
      'Notebook',
    ]);
    expect(new Set(body.recoveryCodes).size).toBe(10);
    expect(await actionsOf(clientId)).toContain('passkey_added');
    expect(await mailsAsked(app, clientId, 'passkey_added')).toBe(1);
    const kept = JSON.stringify(
      await app.query(
        'select (select json_agg(k)::text from passkeys k), (select json_agg(c)::text from passkey_challenges c)',
      ),
    );
    expect(kept).not.toContain(asked.challenge);
    // It asks to step up for the next one, which brings no codes, and which the same device refuses to make.
    expect(refusal(await app.post(`${PATH}/options`, undefined, session.token))).toBe(STEP_UP);
    expect((await stepUp(session.token, device)).status).toBe(204);
    const again = await askForKey(session.token);
    expect(again.options['excludeCredentials']).toEqual([
      { id: device.id, transports: ['internal'], type: 'public-key' },
    ]);
    const second = await sendKey(session.token, again.challenge, newAuthenticator(SITE).create(again), 'Celular');
    expect([second.status, second.body.recoveryCodes]).toEqual([201, undefined]);
    const { body: list } = await app.get<{ items: Made[]; nextCursor: null }>(PATH, session.token);
    expect(list.items.map(({ name }) => name)).toEqual(['Notebook', 'Celular']);
    expect(Object.keys(list.items[0]!).sort()).toEqual(['createdAt', 'id', 'lastUsedAt', 'name', 'synced']);
  });

  it('refuses another site, another host, a frame, nobody recognised, other purposes and certificates', async () => {
    const { id: clientId, email } = await signUp(app);
    const { token } = await logIn(app, email);
    const odd: readonly Deviation[] = [
      { origin: 'https://quita.example.net' },
      { origin: 'http://quita.example.com.br' },
      { rpId: 'example.com.br' },
      { crossOrigin: true },
      { recognised: false },
      { type: 'webauthn.get' },
      { challenge: (await ask()).challenge },
      { attest: byMaker },
    ];
    for (const deviation of odd) {
      expect([deviation, refusal(await register(token, newAuthenticator(SITE), deviation))]).toEqual([
        deviation,
        WRONG,
      ]);
    }
    const asked = await askForKey(token);
    const made = newAuthenticator(SITE).create(asked);
    const response = { ...made.response, attestationObject: 'oWNmbXRkbm9uZQ' };
    expect(refusal(await sendKey(token, asked.challenge, { ...made, response }))).toBe(WRONG);
    // The challenge has been used up by that.
    expect(refusal(await sendKey(token, asked.challenge, made))).toBe(ENDED);
    expect(await app.query('select from passkeys where client_id = $1', [clientId])).toEqual([]);
    expect(refusal(await sendKey(token, 'x', made, ' '))).toBe('400 validation_failed /name:too_short');
  });

  it('takes a key that its device has signed for by the key itself', async () => {
    const { email } = await signUp(app);
    const { token } = await logIn(app, email);
    const attest: Deviation['attest'] = (data, signByKey) => ({
      fmt: 'packed',
      attStmt: new Map<string, unknown>([
        ['alg', -7],
        ['sig', Uint8Array.from(signByKey(data))],
      ]),
    });
    expect((await register(token, newAuthenticator(SITE), { attest })).status).toBe(201);
  });

  it('takes a challenge once, in time, of the same member and purpose', async () => {
    const [one, other] = [await newOwner(), await newOwner()];
    await stepUp(one.token, one.device);
    await stepUp(other.token, other.device);
    const asked = await askForKey(one.token);
    const made = newAuthenticator(SITE).create(asked);
    expect(refusal(await sendKey(other.token, asked.challenge, made))).toBe(ENDED);
    const late = await askForKey(one.token);
    await app.query('update passkey_challenges set expires_at = now()');
    expect(refusal(await sendKey(one.token, late.challenge, newAuthenticator(SITE).create(late)))).toBe(ENDED);
    const login = await ask();
    const forLogin = newAuthenticator(SITE).create({ ...login, options: late.options });
    expect(refusal(await sendKey(one.token, login.challenge, forLogin))).toBe(ENDED);
    const twice = await askForKey(one.token);
    const sent = [newAuthenticator(SITE), newAuthenticator(SITE)].map((device) => device.create(twice));
    const answers = await Promise.all(sent.map((response) => sendKey(one.token, twice.challenge, response)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 401]);
  });

  it('refuses a key that somebody else has', async () => {
    const [one, other] = [await newOwner(), await newOwner()];
    await stepUp(other.token, other.device);
    expect(refusal(await register(other.token, one.device))).toBe(WRONG);
    expect((await enter(one.device)).status).toBe(401);
  });

  it('two registrations at once give recovery codes once, and a member has at most twenty', async () => {
    const { id: clientId, email } = await signUp(app);
    const session = await logIn(app, email);
    const devices = [newAuthenticator(SITE), newAuthenticator(SITE)];
    const asked = await Promise.all(devices.map(() => askForKey(session.token)));
    const answers = await Promise.all(
      devices.map((device, i) => sendKey(session.token, asked[i]!.challenge, device.create(asked[i]!))),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(answers.filter(({ body }) => body.recoveryCodes !== undefined)).toHaveLength(1);
    await app.query(
      `insert into passkeys (client_id, member_id, credential_id, public_key, counter, transports, device_type, backed_up, name)
       select client_id, member_id, gen_random_uuid(), public_key, 0, '{}', 'singleDevice', false, 'n'
       from passkeys, generate_series(1, 9) where client_id = $1`,
      [clientId],
    );
    await stepUp(session.token, devices[0]!);
    expect(refusal(await register(session.token, newAuthenticator(SITE)))).toBe(
      '400 validation_failed :too_many_passkeys',
    );
  });
});

describe('a login by a passkey', () => {
  it('needs no e-mail and no password, and answers what login answers', async () => {
    const { device, client, member, clientId } = await newOwner();
    const asked = await ask();
    expect(asked.options).toMatchObject({ rpId: SITE.rpId, allowCredentials: [], userVerification: 'required' });
    const entered = await verify(asked.challenge, device.get(asked));
    expect([entered.status, entered.body.client, entered.body.member]).toEqual([200, client, member]);
    expect(Object.keys(entered.body).sort()).toEqual(['client', 'member', 'refreshToken', 'token']);
    expect((await me(app, entered.body.token)).status).toBe(200);
    // A login is no step-up.
    expect(refusal(await invite(entered.body.token))).toBe(STEP_UP);
    expect(refusal(await verify(asked.challenge, device.get(asked)))).toBe(ENDED);
    expect((await actionsOf(clientId)).at(-1)).toBe('login');
    const [stored] = await app.query<{ used: boolean }>(
      'select last_used_at is not null as used from passkeys where client_id = $1',
      [clientId],
    );
    expect(stored?.used).toBe(true);
  });

  it('refuses what was signed for something else, by something else or by nobody', async () => {
    const { device, clientId, member } = await newOwner();
    const other = await newOwner();
    const odd: readonly Deviation[] = [
      { origin: 'https://quita.example.net' },
      { rpId: 'example.com.br' },
      { crossOrigin: true },
      { recognised: false },
      { type: 'webauthn.create' },
      { challenge: (await ask()).challenge },
      { signature: Buffer.alloc(70) },
      { userHandle: null },
      { userHandle: Buffer.from(other.member.id.replaceAll('-', ''), 'hex').toString('base64url') },
    ];
    for (const deviation of odd) {
      expect([deviation, refusal(await enter(device, deviation))]).toEqual([deviation, WRONG]);
    }
    expect(await actionsOf(clientId)).toContain('second_factor_failed');
    // One device signs, and the answer names another one.
    const asked = await ask();
    const response = { ...other.device.get(asked), id: device.id };
    expect(refusal(await verify(asked.challenge, response))).toBe(WRONG);
    expect(refusal(await enter(newAuthenticator(SITE), { userHandle: member.id }))).toBe(WRONG);
    expect((await enter(device)).status).toBe(200);
  });

  it('refuses a challenge of another purpose, a late one, and the second of two at once', async () => {
    const { device, token } = await newOwner();
    const forStepUp = (await app.post<Question>('/api/auth/step-up/options', undefined, token)).body;
    const [forKey, late] = [await askForKey((await logIn(app, (await signUp(app)).email)).token), await ask()];
    for (const { challenge } of [forStepUp, forKey, late]) {
      const asked = { challenge_hash: hashToken(challenge) };
      expect(await minutesUntil(app, 'expires_at', 'passkey_challenges', asked)).toEqual([5]);
    }
    expect(refusal(await verify(forStepUp.challenge, device.get(forStepUp)))).toBe(ENDED);
    await app.query('update passkey_challenges set expires_at = now()');
    expect(refusal(await verify(late.challenge, device.get(late)))).toBe(ENDED);
    expect(refusal(await verify('x'.repeat(43), device.get(late)))).toBe(ENDED);
    const asked = await ask();
    const signed = device.get(asked);
    const answers = await Promise.all([verify(asked.challenge, signed), verify(asked.challenge, signed)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  it('refuses a counter that does not go on, and tells the member; nobody can feign that', async () => {
    const { device, clientId, email } = await newOwner();
    expect((await enter(device, { counter: 7 })).status).toBe(200);
    expect(refusal(await enter(device, { counter: 3, signature: Buffer.alloc(70) }))).toBe(WRONG);
    expect(await mailsAsked(app, clientId, 'passkey_copy_refused')).toBe(0);
    for (const counter of [7, 3, 0]) expect(refusal(await enter(device, { counter }))).toBe(WRONG);
    expect((await actionsOf(clientId)).filter((action) => action === 'passkey_copy_refused')).toHaveLength(3);
    expect(await mailsAsked(app, clientId, 'passkey_copy_refused')).toBe(3);
    const login = await challengeOf(email);
    expect(refusal(await enter(device, { counter: 7 }, login))).toBe(WRONG);
    expect((await enter(device, { counter: 8 }, login)).status).toBe(200);
  });

  it('a device that does not count says 0 for ever', async () => {
    const { device } = await newOwner();
    for (let i = 0; i < 2; i += 1) expect((await enter(device, { counter: 0 })).status).toBe(200);
  });

  it('is refused to a paused client and to a member who left; a lock of the password does not stop it', async () => {
    const { device, clientId, email, token } = await newOwner();
    for (let i = 0; i < 6; i += 1) await tryLogIn(app, email, 'Errada2026');
    expect((await tryLogIn(app, email)).status).toBe(423);
    expect((await enter(device)).status).toBe(200);
    const agent = await addMember(app, clientId, 'agent');
    const theirs = newAuthenticator(SITE);
    expect((await register(agent.token, theirs)).status).toBe(201);
    await setStatus(app, clientId, 'PAUSED');
    expect(refusal(await enter(theirs))).toBe('403 account_inactive');
    await setStatus(app, clientId, 'ACTIVE');
    await stepUp(token, device);
    const asked = await ask();
    expect((await app.call('DELETE', `/api/members/${agent.member.id}`, { bearer: token })).status).toBe(204);
    expect(refusal(await verify(asked.challenge, theirs.get(asked)))).toBe(WRONG);
    const left = 'select from passkeys where member_id = $1 union all select from recovery_codes where member_id = $1';
    expect(await app.query(left, [agent.member.id])).toEqual([]);
  });

  it('opens a session of the console by the address of its login', async () => {
    const { device, email } = await newOwner();
    const open = async (odd: object = {}, login?: string) => {
      const asked = await ask(login);
      return app.post<LoggedIn>('/api/session', { challenge: asked.challenge, response: device.get(asked), ...odd });
    };
    const entered = await open({ remember: true });
    expect([entered.status, Object.keys(entered.body).sort()]).toEqual([
      200,
      ['client', 'expiresAt', 'member', 'token'],
    ]);
    expect(entered.headers.getSetCookie().join()).toMatch(/Max-Age=2592000/);
    expect((await open()).headers.getSetCookie().join()).not.toMatch(/Max-Age=2592000/);
    // After a password, what was said with it counts, and the other kind of login does not take its challenge.
    const first = await app.post<{ challenge: string }>('/api/session', { email, password: PASSWORD, remember: true });
    expect(refusal(await enter(device, {}, first.body.challenge))).toBe(ENDED);
    expect((await open({}, first.body.challenge)).headers.getSetCookie().join()).toMatch(/Max-Age=2592000/);
    const asked = await ask();
    const sent = { challenge: asked.challenge, response: device.get(asked) };
    const foreign = { body: sent, headers: { origin: 'https://other.example', 'sec-fetch-site': 'cross-site' } };
    expect(refusal(await app.call('POST', '/api/session', foreign))).toBe('403 origin_refused');
  });
});

describe('a member with a passkey', () => {
  it('has a second factor: a password alone opens nothing, and the passkey or a recovery code finishes the login', async () => {
    const { device, email, recoveryCodes, member, client } = await newOwner();
    const login = await challengeOf(email);
    const asked = await ask(login);
    expect(asked.options['allowCredentials']).toEqual([
      { id: device.id, transports: ['internal'], type: 'public-key' },
    ]);
    const entered = await verify(asked.challenge, device.get(asked, { userHandle: null }));
    expect([entered.status, entered.body.client, entered.body.member]).toEqual([200, client, member]);
    const again = await app.post<Problem>('/api/auth/passkey/options', { login });
    expect(refusal(again)).toBe(ENDED);
    const code = { challenge: await challengeOf(email), code: recoveryCodes[0] };
    expect((await app.post('/api/auth/second-factor', code)).status).toBe(200);
  });

  it('the passkey of another member finishes no login and no step-up', async () => {
    const { device, email, token, clientId } = await newOwner();
    const agent = await addMember(app, clientId, 'agent');
    const theirs = newAuthenticator(SITE);
    await register(agent.token, theirs);
    const login = await challengeOf(email);
    expect(refusal(await enter(theirs, {}, login))).toBe(WRONG);
    expect(refusal(await enter((await newOwner()).device, {}, login))).toBe(WRONG);
    expect(refusal(await stepUp(token, theirs))).toBe(WRONG);
    expect(refusal(await invite(token))).toBe(STEP_UP);
    // A challenge belongs to its session.
    const other = (await enter(device)).body.token;
    const asked = (await app.post<Question>('/api/auth/step-up/options', undefined, other)).body;
    const sent = { challenge: asked.challenge, response: device.get(asked) };
    expect(refusal(await app.post('/api/auth/step-up', sent, token))).toBe(ENDED);
    expect((await stepUp(token, device)).status).toBe(204);
    expect((await invite(token)).status).toBe(201);
    expect(refusal(await invite(other))).toBe(STEP_UP);
    expect((await enter(device, {}, login)).status).toBe(200);
  });

  it('may have an app too; the recovery codes go with the last of both', async () => {
    const { device, email, token, clientId, passkeyId } = await newOwner();
    await stepUp(token, device);
    const { body } = await app.post<{ secret: string }>('/api/onboarding/me/totp', undefined, token);
    const code = (steps: number) => codeOf(body.secret, steps);
    expect((await app.post('/api/onboarding/me/totp/confirm', { code: code(0) }, token)).status).toBe(200);
    const factors = async () => (await app.get('/api/onboarding/me/factors', token)).body;
    expect(await factors()).toEqual({ totp: true, passkeys: 1, recoveryCodesLeft: 10 });
    const login = await challengeOf(email);
    expect((await enter(device, {}, login)).status).toBe(200);
    const removeApp = { bearer: token, body: { password: PASSWORD, code: code(1) } };
    expect((await app.call('DELETE', '/api/onboarding/me/totp', removeApp)).status).toBe(204);
    const codes = () => app.query('select from recovery_codes where client_id = $1', [clientId]);
    expect(await codes()).toHaveLength(10);
    expect(await factors()).toEqual({ totp: false, passkeys: 1, recoveryCodesLeft: 10 });
    const { body: members } = await app.get<{ items: { secondFactor: boolean }[] }>('/api/members', token);
    expect(members.items.map(({ secondFactor }) => secondFactor)).toEqual([true]);
    await challengeOf(email);
    const remove = (id: string, bearer = token) => app.call<Problem>('DELETE', `${PATH}/${id}`, { bearer });
    expect(refusal(await remove(randomUUID()))).toBe('404 not_found');
    await app.query('update sessions set stepped_up_until = null where client_id = $1', [clientId]);
    expect(refusal(await remove(passkeyId))).toBe(STEP_UP);
    await stepUp(token, device);
    expect((await remove(passkeyId)).status).toBe(204);
    expect(await codes()).toEqual([]);
    expect((await tryLogIn(app, email)).status).toBe(200);
    expect(refusal(await enter(device))).toBe(WRONG);
    expect((await actionsOf(clientId)).filter((action) => action === 'passkey_removed')).toHaveLength(1);
  });

  it('removes its own passkeys alone, and without one has nothing to be asked for', async () => {
    const [one, other] = [await newOwner(), await newOwner()];
    await stepUp(other.token, other.device);
    const taken = { bearer: other.token };
    expect(refusal(await app.call('DELETE', `${PATH}/${one.passkeyId}`, taken))).toBe('404 not_found');
    const { email } = await signUp(app);
    const { token } = await logIn(app, email);
    expect(refusal(await app.post('/api/auth/step-up/options', undefined, token))).toBe('404 not_found');
  });

  it('loses it when the owner of the address takes the account over, and keeps it at a later reset', async () => {
    const { id: clientId, email } = await signUp(app);
    const device = newAuthenticator(SITE);
    await register((await logIn(app, email)).token, device);
    const reset = async (token: string) => {
      await app.query(
        `insert into password_resets (client_id, member_id, token_hash, expires_at)
         select client_id, id, $2, now() + interval '1 minute' from members where client_id = $1`,
        [clientId, hashToken(token)],
      );
      const { status } = await app.post('/api/auth/password/reset', { token, password: `${PASSWORD}x` });
      expect(status).toBe(204);
    };
    await reset('first');
    expect(refusal(await enter(device))).toBe(WRONG);
    const session = await logIn(app, email, `${PASSWORD}x`);
    const theirs = newAuthenticator(SITE);
    expect((await register(session.token, theirs)).status).toBe(201);
    await reset('second');
    expect((await enter(theirs)).status).toBe(200);
  });

  it('satisfies a company that asks all members for a second factor', async () => {
    const { device, token, clientId } = await newOwner();
    const agent = await addMember(app, clientId, 'agent');
    await stepUp(token, device);
    await app.call('PATCH', '/api/onboarding/me', { bearer: token, body: { requireSecondFactor: true } });
    expect(refusal(await app.get('/api/campaigns', agent.token))).toBe('403 second_factor_missing');
    expect((await register(agent.token, newAuthenticator(SITE))).status).toBe(201);
    expect((await app.get('/api/campaigns', agent.token)).status).toBe(200);
  });
});

describe('the rate of logins', () => {
  const limited = opened(startApp({ env: { PUBLIC_URL: SITE.origin, LOGIN_RATE_PER_MINUTE: '3' } }));

  it('bounds the questions and the guesses at challenges of an address', async () => {
    const { post } = await limited;
    const options = () => post<Problem>('/api/auth/passkey/options', {});
    expect((await options()).status).toBe(200);
    const guess = newAuthenticator(SITE).get({ challenge: 'x', options: {} }, { userHandle: null });
    expect(refusal(await post('/api/auth/passkey/verify', { challenge: 'x', response: guess }))).toBe(ENDED);
    expect(refusal(await post('/api/auth/passkey/options', { login: 'x' }))).toBe(ENDED);
    expect(refusal(await options())).toBe('429 rate_limited');
  });
});
