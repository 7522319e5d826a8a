import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { startApp } from '../../../testing/app.ts';
import { opened } from '../../../testing/opened.ts';
import {
  addMember,
  confirmAddress,
  type LoggedIn,
  logIn,
  me,
  newKey,
  PASSWORD,
  type Problem,
  refusal,
  signUp,
  tryLogIn,
} from './accounts.ts';
import { codeOf, minutesUntil, wrongCodeOf } from './factors.ts';

const app = await opened(
  startApp({
    env: {
      LOGIN_RATE_PER_MINUTE: '1000',
      SIGNUP_RATE_PER_MINUTE: '1000',
      PUBLIC_RATE_PER_MINUTE: '10000',
      // With real providers a launch is not one of the sandbox. Nothing listens there.
      PAYMENT_PROVIDER: 'mercadopago',
      MERCADOPAGO_BASE_URL: 'http://127.0.0.1:9',
      MESSAGING_CHANNEL: 'whatsapp',
      WHATSAPP_BASE_URL: 'http://127.0.0.1:9/v24.0',
      WHATSAPP_VERIFY_TOKEN: 'verify-token',
    },
  }),
);

type Challenged = Problem & { readonly challenge: string };

const WRONG = '401 invalid_credentials';
const ENDED = '401 token_invalid';
const STEP_UP = '401 step_up_required';
const TOTP_PATH = '/api/onboarding/me/totp';

/** Time passes for the member: codes of the present step can be used again. */
const nextCodes = (memberId: string) =>
  app.query('update second_factors set last_step = 0 where member_id = $1', [memberId]);

interface Protected extends LoggedIn {
  readonly clientId: string;
  readonly email: string;
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
}

async function setUp(session: LoggedIn): Promise<Pick<Protected, 'secret' | 'recoveryCodes'>> {
  const { body } = await app.post<{ secret: string; uri: string }>(TOTP_PATH, undefined, session.token);
  const sent = { code: codeOf(body.secret) };
  const confirmed = await app.post<{ recoveryCodes: string[] }>(`${TOTP_PATH}/confirm`, sent, session.token);
  expect(confirmed.status).toBe(200);
  return { secret: body.secret, recoveryCodes: confirmed.body.recoveryCodes };
}

async function newProtected(): Promise<Protected> {
  const { id, email } = await signUp(app);
  await confirmAddress(app, id);
  const session = await logIn(app, email);
  const made = { ...session, clientId: id, email, ...(await setUp(session)) };
  await nextCodes(session.member.id);
  return made;
}

async function challengeOf(email: string): Promise<string> {
  const { status, body } = await tryLogIn(app, email);
  expect([status, body.code]).toEqual([401, 'second_factor_required']);
  return (body as unknown as Challenged).challenge;
}

const answer = (challenge: string, code: string) =>
  app.post<LoggedIn & Problem>('/api/auth/second-factor', { challenge, code });
const stepUp = (token: string, code: string) => app.post<Problem>('/api/auth/step-up', { code }, token);
const invite = (token: string) =>
  app.post<Problem>('/api/members', { email: `a@${Math.random()}.com.br`, name: 'Bia', role: 'agent' }, token);
const NOWHERE = randomUUID();

/** What the contract has a member prove itself again for: also the ways by which an account is taken over. */
const STEPPED_UP = `launchCampaign changeAccount confirmCompany createApiKey revokeApiKey inviteMember
  sendInvitationAgain changeMember removeMember askForEmailChange setUpTotp confirmTotp askForNewPasskey registerPasskey removePasskey
  connectPaymentAccount connectChannel changeChannel disconnectChannel testChannel pushChannelTemplates refundPayment
  addTerms changeOffersPolicy changeOwnRules packEvidence changeRetention askForErasure`;

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
}

const { body: document } = await app.get<{ paths: Record<string, Record<string, Operation>> }>('/openapi.json');
const asking = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([, { responses }]) => responses['401']?.description.includes('`step_up_required`') === true)
    .map(([method, { operationId }]) => ({ operationId, method: method.toUpperCase(), path })),
);

const actionsOf = async (clientId: string) =>
  (
    await app.query<{ action: string }>('select action from audit_log where client_id = $1 order by seq', [clientId])
  ).map(({ action }) => action);

describe('a second factor', () => {
  it('is set up by a first code; the secret is sealed, the codes are hashes, and other sessions end', async () => {
    const { id, email } = await signUp(app);
    const session = await logIn(app, email);
    const other = await logIn(app, email);
    const { body } = await app.post<{ secret: string; uri: string }>(TOTP_PATH, undefined, session.token);
    expect(body.uri).toContain(`secret=${body.secret}`);
    // What is not confirmed asks nothing of a login.
    expect((await tryLogIn(app, email)).status).toBe(200);
    const confirm = (code: string) => app.post<Problem>(`${TOTP_PATH}/confirm`, { code }, session.token);
    expect(refusal(await confirm(wrongCodeOf(body.secret)))).toBe(WRONG);
    const confirmed = await confirm(codeOf(body.secret));
    const { recoveryCodes } = confirmed.body as unknown as { recoveryCodes: string[] };
    expect(new Set(recoveryCodes).size).toBe(10);
    expect([(await me(app, session.token)).status, (await me(app, other.token)).status]).toEqual([200, 401]);
    const kept = JSON.stringify(
      await app.query(
        `select row_to_json(f)::text, (select json_agg(r)::text from recovery_codes r), (select json_agg(a)::text from audit_log a)
         from second_factors f where client_id = $1`,
        [id],
      ),
    );
    for (const secret of [body.secret, ...recoveryCodes]) expect(kept).not.toContain(secret);
    expect(await actionsOf(id)).toEqual(expect.arrayContaining(['second_factor_started', 'second_factor_confirmed']));
  });

  it('a login goes on with a code, and answers what login answers; a code works once', async () => {
    const { email, secret, client, member } = await newProtected();
    const challenge = await challengeOf(email);
    const code = codeOf(secret);
    const entered = await answer(challenge, code);
    expect([entered.status, entered.body.client, entered.body.member]).toEqual([200, client, member]);
    expect(Object.keys(entered.body).sort()).toEqual(['client', 'member', 'refreshToken', 'token']);
    expect((await me(app, entered.body.token)).status).toBe(200);
    expect(refusal(await answer(challenge, codeOf(secret, 1)))).toBe(ENDED);
    expect(refusal(await answer(await challengeOf(email), code))).toBe(WRONG);
  });

  it('takes a code of the step beside, and none that is not newer than the last one used', async () => {
    const { email, secret, member } = await newProtected();
    expect((await answer(await challengeOf(email), codeOf(secret, 1))).status).toBe(200);
    const second = await challengeOf(email);
    expect(refusal(await answer(second, codeOf(secret)))).toBe(WRONG);
    expect(refusal(await answer(second, codeOf(secret, 1)))).toBe(WRONG);
    await nextCodes(member.id);
    expect(refusal(await answer(second, codeOf(secret, -3)))).toBe(WRONG);
    expect(refusal(await answer(second, codeOf(secret, 3)))).toBe(WRONG);
    expect((await answer(second, codeOf(secret))).status).toBe(200);
  });

  it('the same code for two logins at once opens one; a recovery code too, once', async () => {
    const { email, secret, recoveryCodes, clientId } = await newProtected();
    for (const code of [codeOf(secret), recoveryCodes[0]!.toLowerCase().replaceAll('-', ' ')]) {
      const challenges = [await challengeOf(email), await challengeOf(email)];
      const answers = await Promise.all(challenges.map((challenge) => answer(challenge, code)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    }
    expect(refusal(await answer(await challengeOf(email), recoveryCodes[0]!))).toBe(WRONG);
    expect(await actionsOf(clientId)).toContain('recovery_code_used');
  });

  it('a challenge takes five tries, five minutes, and codes of its own member and kind of login alone', async () => {
    const [one, other] = [await newProtected(), await newProtected()];
    const challenge = await challengeOf(one.email);
    expect(refusal(await answer(challenge, codeOf(other.secret)))).toBe(WRONG);
    expect(refusal(await app.post('/api/session', { challenge, code: codeOf(one.secret) }))).toBe(ENDED);
    const wrong = wrongCodeOf(one.secret);
    for (let tried = 1; tried < 5; tried++) expect(refusal(await answer(challenge, wrong))).toBe(WRONG);
    expect(refusal(await answer(challenge, codeOf(one.secret)))).toBe(ENDED);
    const late = await challengeOf(one.email);
    expect(await minutesUntil(app, 'expires_at', 'login_challenges', { member_id: one.member.id })).toEqual([5]);
    await app.query('update login_challenges set expires_at = now() where member_id = $1', [one.member.id]);
    expect(refusal(await answer(late, codeOf(one.secret)))).toBe(ENDED);
    expect(refusal(await answer('x'.repeat(43), codeOf(one.secret)))).toBe(ENDED);
    // What ends the sessions of a member ends its logins under way.
    const before = await challengeOf(one.email);
    await app.post('/api/onboarding/me/password', { current: PASSWORD, password: `${PASSWORD}x` }, one.token);
    expect(refusal(await answer(before, codeOf(one.secret)))).toBe(ENDED);
  });

  it('wrong codes of a stranger are bounded for the member, and do not lock it out where it is known', async () => {
    const { email, secret, member } = await newProtected();
    // The stranger has the password and comes from elsewhere.
    const stranger = async () => {
      const challenge = await challengeOf(email);
      await app.query('update login_challenges set known_source = null where member_id = $1', [member.id]);
      return challenge;
    };
    const seen = new Set<string>();
    for (let challenges = 0; challenges < 5; challenges++) {
      const challenge = await stranger();
      for (let tried = 0; tried < 5; tried++) seen.add(refusal(await answer(challenge, wrongCodeOf(secret))));
    }
    expect([...seen]).toEqual([WRONG, '429 rate_limited']);
    expect((await answer(await challengeOf(email), codeOf(secret))).status).toBe(200);
  });

  it('the console logs in by the same address with challenge and code', async () => {
    const { email, secret } = await newProtected();
    const first = await app.post<Challenged>('/api/session', { email, password: PASSWORD, remember: true });
    expect([refusal(first), first.headers.getSetCookie()]).toEqual(['401 second_factor_required', []]);
    const { challenge } = first.body;
    expect(refusal(await answer(challenge, codeOf(secret)))).toBe(ENDED);
    const entered = await app.post<LoggedIn>('/api/session', { challenge, code: codeOf(secret) });
    expect([entered.status, Object.keys(entered.body).sort()]).toEqual([
      200,
      ['client', 'expiresAt', 'member', 'token'],
    ]);
    expect(entered.headers.getSetCookie().join()).toMatch(/Max-Age=2592000/);
    expect(refusal(await app.post('/api/session', {}))).toBe(
      '400 validation_failed /email:required /password:required',
    );
    expect(refusal(await app.post('/api/session', { challenge }))).toBe('400 validation_failed /code:required');
  });

  it('is removed by both factors, and ends with the membership', async () => {
    const { email, secret, token, clientId, recoveryCodes, member } = await newProtected();
    const remove = (body: object) => app.call<Problem>('DELETE', TOTP_PATH, { bearer: token, body });
    expect(refusal(await remove({ password: 'Errada2026', code: codeOf(secret) }))).toBe(
      '400 validation_failed /password:password_wrong',
    );
    expect(refusal(await remove({ password: PASSWORD, code: wrongCodeOf(secret) }))).toBe(WRONG);
    await nextCodes(member.id);
    expect((await remove({ password: PASSWORD, code: recoveryCodes[1]! })).status).toBe(204);
    expect((await tryLogIn(app, email)).status).toBe(200);
    expect(refusal(await remove({ password: PASSWORD, code: codeOf(secret) }))).toBe('404 not_found');
    expect(await actionsOf(clientId)).toContain('second_factor_removed');
    const agent = await addMember(app, clientId, 'agent');
    await setUp(agent);
    expect((await app.call('DELETE', `/api/members/${agent.member.id}`, { bearer: token })).status).toBe(204);
    expect(await app.query('select from second_factors where client_id = $1', [clientId])).toEqual([]);
  });
});

describe('a step-up', () => {
  it('is asked of a member with a second factor, for five minutes of one session, and never of a key', async () => {
    const { email, secret, token, recoveryCodes, member, clientId } = await newProtected();
    const other = await answer(await challengeOf(email), codeOf(secret));
    expect(refusal(await invite(token))).toBe(STEP_UP);
    expect(refusal(await stepUp(token, codeOf(secret)))).toBe(WRONG);
    await nextCodes(member.id);
    expect((await stepUp(token, codeOf(secret))).status).toBe(204);
    expect(await minutesUntil(app, 'stepped_up_until', 'sessions', { client_id: clientId })).toEqual([5]);
    expect((await invite(token)).status).toBe(201);
    expect(refusal(await invite(other.body.token))).toBe(STEP_UP);
    const key = await newKey(app, token);
    await app.query('update sessions set stepped_up_until = now() where client_id = $1', [clientId]);
    expect(refusal(await invite(token))).toBe(STEP_UP);
    const campaign = await app.post<{ id: string }>('/api/campaigns', { name: 'Mensalidades' }, token);
    const path = `/api/campaigns/${campaign.body.id}/launch`;
    expect(refusal(await app.post(path, undefined, token))).toBe(STEP_UP);
    // Nobody is contacted in the sandbox, and the key belongs to no member.
    expect(refusal(await app.post(`${path}?sandbox=true`, undefined, token))).toBe('409 campaign_empty');
    expect(refusal(await app.post(path, undefined, key))).toBe('409 client_not_verified');
    expect((await stepUp(token, recoveryCodes[2]!)).status).toBe(204);
    expect((await invite(token)).status).toBe(201);
    expect(refusal(await app.post(path, undefined, token))).toBe('409 client_not_verified');
  });

  it('lets a launch go on with the same key once the member is proved', async () => {
    const { token, secret } = await newProtected();
    const campaign = await app.post<{ id: string }>('/api/campaigns', { name: 'Mensalidades' }, token);
    const path = `/api/campaigns/${campaign.body.id}/launch`;
    const headers = { 'idempotency-key': randomUUID() };
    const launch = () => app.call<Problem>('POST', path, { bearer: token, headers });
    expect(refusal(await launch())).toBe(STEP_UP);
    expect((await stepUp(token, codeOf(secret))).status).toBe(204);
    expect(refusal(await launch())).toBe('409 client_not_verified');
  });

  it('is asked for by exactly the operations of this list, before anything of the call is looked at', async () => {
    const { token } = await newProtected();
    const campaign = await app.post<{ id: string }>('/api/campaigns', { name: 'Mensalidades' }, token);
    expect(asking.map(({ operationId }) => operationId).sort()).toEqual(STEPPED_UP.split(/\s+/).sort());
    for (const { operationId, method, path } of asking) {
      // The ids exist nowhere, but for the launch, which asks where the campaign is no example.
      const address = path.replaceAll(/\{\w+\}/g, () =>
        operationId === 'launchCampaign' ? campaign.body.id : NOWHERE,
      );
      const body = operationId === 'changeAccount' ? { requireSecondFactor: true } : {};
      expect([operationId, refusal(await app.call(method, address, { bearer: token, body }))]).toEqual([
        operationId,
        STEP_UP,
      ]);
    }
  });

  it('is not asked of a member without a second factor', async () => {
    const { email } = await signUp(app);
    const { token } = await logIn(app, email);
    expect((await invite(token)).status).toBe(201);
    expect(refusal(await stepUp(token, '123456'))).toBe(WRONG);
  });
});

describe('a company that asks for a second factor', () => {
  it('lets a member without one set one up, log out, and nothing else', async () => {
    const { token, clientId, secret } = await newProtected();
    const [agent, other] = [await addMember(app, clientId, 'agent'), await addMember(app, clientId, 'agent')];
    await stepUp(token, codeOf(secret));
    const change = { bearer: token, body: { requireSecondFactor: true } };
    const changed = await app.call<{ requireSecondFactor: boolean }>('PATCH', '/api/onboarding/me', change);
    expect([changed.status, changed.body.requireSecondFactor]).toEqual([200, true]);
    expect((await me(app, token)).status).toBe(200);
    for (const path of ['/api/onboarding/me', '/api/campaigns', '/api/onboarding/me/sessions']) {
      expect([path, refusal(await app.get(path, agent.token))]).toEqual([path, '403 second_factor_missing']);
    }
    expect((await app.post('/api/auth/logout', undefined, other.token)).status).toBe(204);
    await setUp(agent);
    expect((await me(app, agent.token)).status).toBe(200);
  });
});
