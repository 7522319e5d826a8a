import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { startApp } from '../../../testing/app.ts';
import { opened } from '../../../testing/opened.ts';
import { until } from '../../../testing/poll.ts';
import {
  addMember,
  confirmAddress,
  type LoggedIn,
  logIn,
  mailedToken,
  mailsAsked,
  mailsTo,
  me,
  newEmail,
  newKey,
  PASSWORD,
  refusal,
  signUp,
  tryLogIn,
} from './accounts.ts';

const app = await opened(startApp({ roles: ['api', 'worker', 'relay'] }));

interface Member {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: string;
  readonly state: string;
  readonly expiresAt: string | null;
}

const INVITED = 'member_invited';
const GONE = '400 validation_failed /token:token_invalid';

async function newOwner() {
  const { id, email } = await signUp(app);
  return { clientId: id, ...(await logIn(app, email)), email };
}

const invite = (token: string, given: Readonly<Record<string, unknown>> = {}) =>
  app.post<Member>('/api/members', { email: newEmail(), name: 'Bia Souza', role: 'agent', ...given }, token);
const accept = (token: string, given: Readonly<Record<string, unknown>> = {}) =>
  app.post('/api/members/accept', { token, name: 'Bia Souza', password: PASSWORD, ...given });
const list = async (token: string) =>
  (await app.get<{ items: Member[] }>('/api/members', token)).body.items.map(({ email, role, state }) => [
    email,
    role,
    state,
  ]);
const remove = (token: string, id: string) => app.call('DELETE', `/api/members/${id}`, { bearer: token });
const change = (token: string, id: string, role: unknown) =>
  app.call<Member>('PATCH', `/api/members/${id}`, { bearer: token, body: { role } });
const createCampaign = ({ token }: LoggedIn) => app.post('/api/campaigns', { name: 'Mensalidades' }, token);

describe('an invitation', () => {
  it('mails a link; who opens it becomes a member of that role, once', async () => {
    const owner = await newOwner();
    const made = await invite(owner.token, { email: ` ${newEmail().toUpperCase()}` });
    expect(made.status).toBe(201);
    const { email, id } = made.body;
    expect(made.body).toMatchObject({ name: 'Bia Souza', role: 'agent', state: 'invited' });
    const token = await mailedToken(app, email, INVITED);
    const [mail] = await mailsTo(app, email, INVITED);
    // Anybody may be invited, so that a mail repeats nothing that the person who invites has entered.
    for (const entered of ['Bia', 'Escola Aurora', owner.email]) expect(mail?.text).not.toContain(entered);
    const kept = await app.query('select row_to_json(invitations)::text as row from invitations');
    expect(JSON.stringify(kept)).not.toContain(token);
    expect(refusal(await tryLogIn(app, email))).toBe('401 invalid_credentials');
    const answers = await Promise.all(Array.from({ length: 4 }, () => accept(token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 400, 400, 400]);
    expect(refusal(await accept(token))).toBe(GONE);
    const session = await logIn(app, email);
    expect(session.member).toEqual({ id, name: 'Bia Souza', email, role: 'agent' });
    expect(session.client).toEqual(owner.client);
    expect(await list(owner.token)).toEqual([
      [owner.email, 'owner', 'active'],
      [email, 'agent', 'active'],
    ]);
  });

  it('lasts seven days, and can be sent again after its end', async () => {
    const owner = await newOwner();
    const { email, id, expiresAt } = (await invite(owner.token)).body;
    expect((Date.parse(expiresAt ?? '') - Date.now()) / 86_400_000).toBeCloseTo(7, 1);
    const token = await mailedToken(app, email, INVITED);
    await app.query(`update invitations set expires_at = now() where id = $1`, [id]);
    expect(refusal(await accept(token))).toBe(GONE);
    expect((await app.post(`/api/members/${id}/invitation`, undefined, owner.token)).status).toBe(202);
    expect(refusal(await accept(token))).toBe(GONE);
    expect((await accept(await mailedToken(app, email, INVITED, 2))).status).toBe(204);
  });

  it('is sent again once by calls with one Idempotency-Key, so that the link of that mail works', async () => {
    const owner = await newOwner();
    const { email, id } = (await invite(owner.token)).body;
    const call = { bearer: owner.token, headers: { 'idempotency-key': randomUUID() } };
    for (let time = 0; time < 2; time += 1) {
      expect((await app.call('POST', `/api/members/${id}/invitation`, call)).status).toBe(202);
    }
    expect((await accept(await mailedToken(app, email, INVITED, 2))).status).toBe(204);
    expect(await mailsAsked(app, owner.clientId, INVITED)).toBe(2);
  });

  it('is worth nothing when it was taken back or sent again', async () => {
    const owner = await newOwner();
    const { email, id } = (await invite(owner.token)).body;
    const first = await mailedToken(app, email, INVITED);
    await app.post(`/api/members/${id}/invitation`, undefined, owner.token);
    expect(refusal(await accept(first))).toBe(GONE);
    const second = await mailedToken(app, email, INVITED, 2);
    expect((await remove(owner.token, id)).status).toBe(204);
    expect(refusal(await accept(second))).toBe(GONE);
    expect(refusal(await app.post(`/api/members/${id}/invitation`, undefined, owner.token))).toBe('404 not_found');
    expect((await invite(owner.token, { email })).status).toBe(201);
  });

  it('is bound to its address, and gives the role that it has when it is accepted', async () => {
    const owner = await newOwner();
    const { email, id } = (await invite(owner.token)).body;
    const token = await mailedToken(app, email, INVITED);
    expect((await change(owner.token, id, 'viewer')).body).toMatchObject({ role: 'viewer', state: 'invited' });
    expect((await accept(token, { email: newEmail(), role: 'owner' })).status).toBe(204);
    expect((await logIn(app, email)).member.role).toBe('viewer');
  });

  it('is refused for the address of any member, a private one, and a weak password', async () => {
    const [owner, other] = [await newOwner(), await newOwner()];
    expect(refusal(await invite(owner.token, { email: other.email }))).toBe('409 email_taken');
    const { email } = (await invite(owner.token)).body;
    expect(refusal(await invite(owner.token, { email }))).toBe('409 email_taken');
    expect(refusal(await invite(owner.token, { email: 'bia@gmail.com', role: 'boss' }))).toBe(
      '400 validation_failed /email:email_not_corporate /role:invalid_value',
    );
    const token = await mailedToken(app, email, INVITED);
    expect(refusal(await accept(token, { password: 'fraca', name: ' ' }))).toContain('/password:password_weak');
    await signUp(app, { email });
    expect(refusal(await accept(token))).toBe('409 email_taken');
    expect(refusal(await accept('never'))).toBe(GONE);
  });

  it('sends at most ten mails an hour to an address', async () => {
    const owner = await newOwner();
    const { id } = (await invite(owner.token)).body;
    const answers = [];
    for (let i = 0; i < 10; i += 1)
      answers.push(await app.post(`/api/members/${id}/invitation`, undefined, owner.token));
    expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 9 }, () => 202), 429]);
  });

  it('is accepted by the form of the page without a script', async () => {
    const owner = await newOwner();
    const { email } = (await invite(owner.token)).body;
    const token = await mailedToken(app, email, INVITED);
    const page = await app.get<string>('/accept-invitation');
    expect(page.status).toBe(200);
    expect(page.body).toContain('name="token"');
    const send = (fields: Record<string, string>) =>
      app.call<string>('POST', '/accept-invitation', {
        body: new URLSearchParams(fields).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
    expect((await send({ token, name: 'Bia', password: 'fraca' })).body).toContain('8 caracteres');
    expect((await send({ token: ` ${token} `, name: 'Bia', password: PASSWORD })).body).toContain('faz parte');
    expect((await send({ token, name: 'Bia', password: PASSWORD })).body).toContain('não vale mais');
    expect((await logIn(app, email)).member.name).toBe('Bia');
  });
});

describe('a member', () => {
  it('has its own password, reset, lockout and sessions', async () => {
    const owner = await newOwner();
    const agent = await addMember(app, owner.clientId, 'agent');
    const { email } = agent.member;
    const sessions = await app.get<{ items: { id: string }[] }>('/api/onboarding/me/sessions', agent.token);
    expect(sessions.body.items).toHaveLength(1);
    const foreign = `/api/onboarding/me/sessions/${sessions.body.items[0]?.id}`;
    expect((await app.call('DELETE', foreign, { bearer: owner.token })).status).toBe(404);
    const changed = { current: PASSWORD, password: 'OutraSenha2027' };
    expect((await app.post('/api/onboarding/me/password', changed, agent.token)).status).toBe(204);
    expect((await app.post('/api/auth/password/forgot', { email })).status).toBe(202);
    const token = await mailedToken(app, email, 'password_reset');
    const reset = { token, password: 'MaisUma2028' };
    expect((await app.post('/api/auth/password/reset', reset)).status).toBe(204);
    expect(refusal(await me(app, agent.token))).toBe('401 token_invalid');
    expect((await me(app, owner.token)).status).toBe(200);
    await logIn(app, email, 'MaisUma2028');
    for (let i = 0; i < 5; i += 1) await tryLogIn(app, email, 'Errada2026');
    expect(refusal(await tryLogIn(app, email))).toContain('423');
    expect((await me(app, (await logIn(app, owner.email)).token)).status).toBe(200);
    // What a member proves is its own address, and not that of the account.
    const [client] = await app.query('select from clients where id = $1 and email_confirmed_at is null', [
      owner.clientId,
    ]);
    expect(client).toBeDefined();
  });

  it('ends every session of the company when its refresh token is used twice', async () => {
    const owner = await newOwner();
    const viewer = await addMember(app, owner.clientId, 'viewer');
    const again = () => app.post('/api/auth/refresh', { refreshToken: viewer.refreshToken });
    expect((await again()).status).toBe(200);
    expect(refusal(await again())).toBe('401 refresh_token_reused');
    expect(refusal(await me(app, owner.token))).toBe('401 token_invalid');
  });

  it('is bound by a lowered role with the next call', async () => {
    const owner = await newOwner();
    const manager = await addMember(app, owner.clientId, 'manager');
    expect((await createCampaign(manager)).status).toBe(201);
    expect((await change(owner.token, manager.member.id, 'viewer')).status).toBe(200);
    expect(refusal(await createCampaign(manager))).toBe('403 role_insufficient');
    expect((await app.get('/api/campaigns', manager.token)).status).toBe(200);
  });

  it('has no access from the moment of its removal, and its address is free', async () => {
    const owner = await newOwner();
    const agent = await addMember(app, owner.clientId, 'agent');
    const { id, email } = agent.member;
    expect((await remove(owner.token, id)).status).toBe(204);
    expect(refusal(await me(app, agent.token))).toBe('401 token_invalid');
    const refreshed = await app.post('/api/auth/refresh', { refreshToken: agent.refreshToken });
    expect(refusal(refreshed)).toBe('401 refresh_token_invalid');
    expect(refusal(await tryLogIn(app, email))).toBe('401 invalid_credentials');
    expect(refusal(await remove(owner.token, id))).toBe('404 not_found');
    await signUp(app, { email });
  });

  it('may leave in any role, and may remove nobody else', async () => {
    const owner = await newOwner();
    const [viewer, auditor] = [
      await addMember(app, owner.clientId, 'viewer'),
      await addMember(app, owner.clientId, 'auditor'),
    ];
    expect(refusal(await remove(viewer.token, auditor.member.id))).toBe('403 role_insufficient');
    expect(refusal(await remove(viewer.token, randomUUID()))).toBe('403 role_insufficient');
    for (const { token, member } of [viewer, auditor]) expect((await remove(token, member.id)).status).toBe(204);
    expect(refusal(await me(app, viewer.token))).toBe('401 token_invalid');
  });

  it('of another company does not exist', async () => {
    const [owner, other] = [await newOwner(), await newOwner()];
    const agent = await addMember(app, other.clientId, 'agent');
    const { id: invited } = (await invite(other.token)).body;
    for (const id of [agent.member.id, invited, randomUUID()]) {
      expect(refusal(await change(owner.token, id, 'viewer'))).toBe('404 not_found');
      expect(refusal(await remove(owner.token, id))).toBe('404 not_found');
      expect(refusal(await app.post(`/api/members/${id}/invitation`, undefined, owner.token))).toBe('404 not_found');
    }
    expect((await list(other.token)).length).toBe(3);
    expect((await me(app, agent.token)).status).toBe(200);
  });
});

describe('the last owner', () => {
  it('can neither leave nor be lowered, until another member is an owner', async () => {
    const owner = await newOwner();
    const { id } = owner.member;
    expect(refusal(await remove(owner.token, id))).toBe('409 last_owner');
    expect(refusal(await change(owner.token, id, 'manager'))).toBe('409 last_owner');
    const agent = await addMember(app, owner.clientId, 'agent');
    expect((await change(owner.token, agent.member.id, 'owner')).status).toBe(200);
    expect((await remove(owner.token, id)).status).toBe(204);
    expect(await list(agent.token)).toEqual([[agent.member.email, 'owner', 'active']]);
  });

  it('stays when two owners leave, are lowered or remove each other at the same moment', async () => {
    const owner = await newOwner();
    const second = await addMember(app, owner.clientId, 'owner');
    const both = [owner, second] as const;
    const left = await Promise.all(both.map(({ token, member }) => remove(token, member.id)));
    expect(left.map(({ status }) => status).sort()).toEqual([204, 409]);
    const stays = both[left.findIndex(({ status }) => status === 409)]!;
    const third = await addMember(app, owner.clientId, 'owner');
    const pair = [stays, third] as const;
    const removed = await Promise.all([remove(stays.token, third.member.id), remove(third.token, stays.member.id)]);
    expect(removed.filter(({ status }) => status === 204)).toHaveLength(1);
    const last = pair[removed.findIndex(({ status }) => status === 204)]!;
    expect(await list(last.token)).toEqual([[last.member.email, 'owner', 'active']]);
  });
});

describe('an address that is confirmed by a password reset', () => {
  it('takes the account over from everybody whom its opener had invited', async () => {
    const owner = await newOwner();
    const invited = await addMember(app, owner.clientId, 'owner');
    await invite(invited.token);
    const key = await newKey(app, invited.token);
    await app.post('/api/auth/password/forgot', { email: owner.email });
    const token = await mailedToken(app, owner.email, 'password_reset');
    expect((await app.post('/api/auth/password/reset', { token, password: 'MinhaSenha2027' })).status).toBe(204);
    for (const bearer of [owner.token, invited.token, key]) {
      expect(refusal(await me(app, bearer))).toBe('401 token_invalid');
    }
    expect(refusal(await tryLogIn(app, invited.member.email))).toBe('401 invalid_credentials');
    const session = await logIn(app, owner.email, 'MinhaSenha2027');
    expect(await list(session.token)).toEqual([[owner.email, 'owner', 'active']]);
  });

  it('leaves a confirmed account to all its members', async () => {
    const owner = await newOwner();
    await confirmAddress(app, owner.clientId);
    const agent = await addMember(app, owner.clientId, 'agent');
    await app.post('/api/auth/password/forgot', { email: owner.email });
    const token = await mailedToken(app, owner.email, 'password_reset');
    expect((await app.post('/api/auth/password/reset', { token, password: 'MinhaSenha2027' })).status).toBe(204);
    expect((await me(app, agent.token)).status).toBe(200);
  });
});

it('what changes members stands in the audit log, without an address', async () => {
  const owner = await newOwner();
  const { email, id } = (await invite(owner.token)).body;
  await accept(await mailedToken(app, email, INVITED));
  await change(owner.token, id, 'viewer');
  await remove(owner.token, id);
  const { items } = (await app.get<{ items: { action: string; target: string }[] }>('/api/audit', owner.token)).body;
  const about = items.filter(({ target }) => target === id).map(({ action }) => action);
  expect(about).toEqual(['member_removed', 'member_changed', 'member_joined', 'member_invited']);
  expect(JSON.stringify(items)).not.toContain(email);
  await until(
    'nothing of the invitation is kept',
    async () => (await app.query('select from invitations where id = $1', [id])).length === 0,
  );
});
