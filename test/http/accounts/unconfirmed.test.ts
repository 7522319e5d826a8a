import { describe, expect, it } from '@jest/globals';
import { hashToken } from '../../../src/modules/accounts/use-cases/opaque-token.ts';
import { startApp } from '../../../testing/app.ts';
import { opened } from '../../../testing/opened.ts';
import { until } from '../../../testing/poll.ts';
import { waitingSessions } from '../../../testing/waiting-sessions.ts';
import { confirmAddress, logIn, mailsAsked, me, newKey, refusal, signUp, tryLogIn } from './accounts.ts';

const app = await opened(startApp());

const NEW_PASSWORD = 'NovaSenha2027';
let links = 0;

/** Returns the token that the mail would contain. */
async function resetLink(id: string): Promise<string> {
  links += 1;
  await app.query(
    `insert into password_resets (client_id, member_id, token_hash, expires_at)
       select client_id, id, $2, now() + interval '5 minutes' from members where client_id = $1`,
    [id, hashToken(`link-${links}`)],
  );
  return `link-${links}`;
}
const reset = (token: string) => app.post('/api/auth/password/reset', { token, password: NEW_PASSWORD });
const account = async (bearer: string) =>
  (await app.get<{ emailConfirmed: boolean; apiKey: object | null }>('/api/onboarding/me', bearer)).body;

describe('the first password reset of an unconfirmed address', () => {
  it('confirms the address, and revokes all access of the person who opened the account', async () => {
    const { id, email, token: opened } = await signUp(app);
    const { token: session, refreshToken } = await logIn(app, email);
    const key = await newKey(app, session);
    expect((await reset(await resetLink(id))).status).toBe(204);

    for (const bearer of [opened, session, key]) expect(refusal(await me(app, bearer))).toBe('401 token_invalid');
    expect(refusal(await app.post('/api/auth/refresh', { refreshToken }))).toBe('401 refresh_token_invalid');
    expect((await tryLogIn(app, email)).status).toBe(401);
    const { token } = await logIn(app, email, NEW_PASSWORD);
    expect(await account(token)).toMatchObject({ emailConfirmed: true, apiKey: null });
    const actions = await app.query<{ action: string }>(
      'select action from audit_log where client_id = $1 order by seq',
      [id],
    );
    expect(actions.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['email_confirmed', 'access_revoked', 'password_reset']),
    );
  });

  it('invalidates the confirmation links, and the next reset keeps the key', async () => {
    const { id, email } = await signUp(app);
    await app.query(
      `insert into email_confirmations (client_id, token_hash, expires_at) values ($1, $2, now() + interval '5 minutes')`,
      [id, hashToken('a-confirmation')],
    );
    await reset(await resetLink(id));
    const late = await app.post('/api/onboarding/confirm-email', { token: 'a-confirmation' });
    expect(refusal(late)).toBe('400 validation_failed /token:token_invalid');
    const key = await newKey(app, (await logIn(app, email, NEW_PASSWORD)).token);
    expect((await reset(await resetLink(id))).status).toBe(204);
    expect((await me(app, key)).status).toBe(200);
  });

  it('disconnects the accounts, the senders and the webhooks of that person', async () => {
    const { id, email } = await signUp(app);
    const { token } = await logIn(app, email);
    const hook = await app.post<{ id: string }>('/api/webhooks', { url: 'https://example.com/hook' }, token);
    expect(hook.status).toBe(201);
    await app.query(
      `insert into client_credentials (client_id, purpose, sealed, account_id)
         values ($1, 'mercadopago', 's', 'theirs'), ($1, 'zenvia', 's', 'theirs')`,
      [id],
    );
    await app.query(
      `insert into client_credentials (client_id, purpose, sealed, account_id, replaced_at)
         values ($1, 'zenvia', 's', 'replaced', now())`,
      [id],
    );
    await app.query(
      `insert into channel_senders (client_id, channel, sender_id, shown_as) values ($1, 'zenvia', 'theirs', 'theirs')`,
      [id],
    );
    const connected = async () => {
      const [row] = await app.query(
        `select (select count(*)::int from client_credentials where client_id = $1 and replaced_at is null) as accounts,
           (select count(*)::int from channel_senders where client_id = $1 and replaced_at is null) as senders,
           (select count(*)::int from webhooks where client_id = $1 and state = 'active') as webhooks`,
        [id],
      );
      return row;
    };
    expect(await connected()).toEqual({ accounts: 2, senders: 1, webhooks: 1 });
    expect((await reset(await resetLink(id))).status).toBe(204);
    expect(await connected()).toEqual({ accounts: 0, senders: 0, webhooks: 0 });
    // Requests that are signed with what that person knows are believed no more.
    expect(await app.query('select from client_credentials where client_id = $1', [id])).toEqual([]);

    const { token: owner } = await logIn(app, email, NEW_PASSWORD);
    const again = await app.call('PATCH', `/api/webhooks/${hook.body.id}`, {
      body: { state: 'active' },
      bearer: owner,
    });
    expect(again.status).toBe(200);
    expect((await reset(await resetLink(id))).status).toBe(204);
    expect(await connected()).toEqual({ accounts: 0, senders: 0, webhooks: 1 });
  });

  it('leaves no key to a concurrent request', async () => {
    const { id, email } = await signUp(app);
    const { token } = await logIn(app, email);
    // The row is locked, so that the key is created after its bearer was checked and after the reset.
    await app.query('begin');
    await app.query('select from clients where id = $1 for update', [id]);
    const making = app.post<{ apiKey: string }>('/api/onboarding/me/api-key', undefined, token);
    await until('the key waits', async () => (await waitingSessions(app)) >= 1);
    // These are the steps of the reset, in the transaction that holds the lock.
    await app.query('update sessions set ended_at = now() where client_id = $1', [id]);
    await app.query('commit');
    expect(refusal(await making)).toBe('401 token_invalid');
    expect(await app.query('select from api_keys where client_id = $1', [id])).toEqual([]);
  });
});

describe('a reset of a confirmed address', () => {
  it('keeps the API key, and reports the changed password by mail', async () => {
    const { id, email } = await signUp(app);
    await confirmAddress(app, id);
    const { token } = await logIn(app, email);
    const key = await newKey(app, token);
    expect((await reset(await resetLink(id))).status).toBe(204);
    expect((await me(app, key)).status).toBe(200);
    expect(refusal(await me(app, token))).toBe('401 token_invalid');
    expect(await mailsAsked(app, id, 'password_changed')).toBe(1);
  });
});

describe('a sandbox launch', () => {
  it('needs no confirmed address', async () => {
    const { id, token } = await signUp(app);
    const campaign = await app.post<{ id: string }>('/api/campaigns', { name: 'Teste' }, token);
    const debt = {
      debtorName: 'Ana Souza',
      debtorPhone: '11987654321',
      debtorCpf: '52998224725',
      originalAmount: 10,
      dueDate: '2026-10-01',
    };
    await app.post(`/api/import/json/${campaign.body.id}`, { clientId: id, debts: [debt] }, token);
    const launched = await app.post(`/api/campaigns/${campaign.body.id}/launch?sandbox=true`, undefined, token);
    expect(launched).toMatchObject({ status: 200, body: { queued: 1, sandbox: true } });
  });
});
