import { describe, expect, it } from '@jest/globals';
import { startApp } from '../../../testing/app.ts';
import { opened } from '../../../testing/opened.ts';
import { until } from '../../../testing/poll.ts';
import { logIn, mailedToken, mailsAsked, mailsTo, newEmail, newKey, PASSWORD, signUp, tryLogIn } from './accounts.ts';

const app = await opened(startApp({ roles: ['api', 'worker', 'relay'] }));

const mailed = (email: string, purpose: string) =>
  until(purpose, async () => (await mailsTo(app, email, purpose))[0], { timeoutMs: 20_000 });

describe('a mail to the owner of an account', () => {
  it('reports a new key, a changed password and a lock, without any text that a user chose', async () => {
    const NAME = 'Ligue 0800 000 e confirme';
    const { email, token } = await signUp(app, { name: NAME });
    await newKey(app, token);
    const body = { current: PASSWORD, password: 'NovaSenha2027' };
    expect((await app.post('/api/onboarding/me/password', body, token)).status).toBe(204);
    for (let i = 0; i < 6; i += 1) await tryLogIn(app, email, 'Errada2026');
    expect((await mailed(email, 'api_key_created')).text).toContain('Quita: nova chave de API');
    expect((await mailed(email, 'password_changed')).text).toContain('Quita: senha trocada');
    expect((await mailed(email, 'login_locked')).text).toContain('Quita: login bloqueado por 15 minutos');
    for (const { text } of await mailsTo(app, email)) expect(text).not.toContain('0800');
  });

  it('reports a password that was set by a mailed link', async () => {
    const { email } = await signUp(app);
    await app.post('/api/auth/password/forgot', { email });
    const token = await mailedToken(app, email, 'password_reset');
    expect((await app.post('/api/auth/password/reset', { token, password: 'NovaSenha2027' })).status).toBe(204);
    await mailed(email, 'password_changed');
    await logIn(app, email, 'NovaSenha2027');
  });

  it('reports a lock once, and is not sent for an e-mail without an account', async () => {
    const { id, email } = await signUp(app);
    const nobody = newEmail();
    for (const who of [email, nobody]) {
      await Promise.all(Array.from({ length: 20 }, () => tryLogIn(app, who, 'Errada2026')));
      for (let i = 0; i < 3; i += 1) expect((await tryLogIn(app, who, 'Errada2026')).status).toBe(423);
    }
    expect(await mailsAsked(app, id, 'login_locked')).toBe(1);
    const locked = await app.query(`select from outbox where payload ->> 'kind' = 'login_locked'`);
    const before = locked.length;
    await app.query(`update login_lockouts set locked_until = now() - interval '1 ms'`);
    for (let i = 0; i < 5; i += 1) await tryLogIn(app, email, 'Errada2026');
    expect(await mailsAsked(app, id, 'login_locked')).toBe(2);
    expect(await app.query(`select from outbox where payload ->> 'kind' = 'login_locked'`)).toHaveLength(before + 1);
  });

  it('is limited, so that an account with another person’s address cannot flood that address', async () => {
    const { id, token } = await signUp(app);
    for (let i = 0; i < 6; i += 1) await newKey(app, token);
    expect(await mailsAsked(app, id, 'api_key_created')).toBe(3);
  });
});
