import { describe, expect, it } from '@jest/globals';
import { purgeExpired } from '../../../src/modules/privacy/use-cases/purge-expired.ts';
import { openDatabase } from '../../../src/platform/database/database.ts';
import { createGateway } from '../../../src/platform/temporal/gateway.ts';
import { startApp } from '../../../testing/app.ts';
import { opened } from '../../../testing/opened.ts';
import { until } from '../../../testing/poll.ts';
import { createTemporalServer } from '../../workflows/support/temporal-server.ts';
import { logIn, me, newEmail, refusal, signUp, tryLogIn } from './accounts.ts';

const app = await opened(startApp());
const worker = await opened(openDatabase({ url: app.database.url, role: 'quita_worker' }));

const TABLES = ['sessions', 'refresh_tokens', 'password_resets', 'login_lockouts', 'rate_limits', 'bank_calls'];
const count = async (table: string) => (await app.query(`select from ${table}`)).length;

describe('the purge', () => {
  it('deletes expired rows of every client and no others', async () => {
    const old = await signUp(app);
    const oldSession = await logIn(app, old.email);
    await tryLogIn(app, newEmail());
    await app.query(
      `insert into password_resets (client_id, member_id, token_hash, expires_at)
       select client_id, id, 'h', now() + interval '1 minute' from members where client_id = $1`,
      [old.id],
    );
    for (const table of ['sessions', 'refresh_tokens', 'password_resets']) {
      await app.query(`update ${table} set expires_at = now() - interval '1 ms'`);
    }
    await app.query(`update login_lockouts set updated_at = now() - interval '31 days'`);
    await app.query(`update rate_limits set expire = 0`);
    await app.query(
      `insert into bank_calls (scope, made_at) values ('old', array[now() - interval '25 hours']),
         ('used', array[now() - interval '25 hours', now() - interval '23 hours'])`,
    );
    const live = await signUp(app);
    const session = await logIn(app, live.email);
    await tryLogIn(app, live.email, 'Errada2026');
    await app.post('/api/auth/refresh', { refreshToken: session.refreshToken });

    expect(await purgeExpired({ db: worker })()).toBeGreaterThan(0);

    expect(refusal(await me(app, oldSession.token))).toBe('401 token_invalid');
    expect((await me(app, session.token)).status).toBe(200);
    // The live client has two sessions, the used and the new refresh token, the counter of strangers, that of its own
    // address with one failed login, and the counter of its IP.
    const left = Object.fromEntries(await Promise.all(TABLES.map(async (table) => [table, await count(table)])));
    expect(left).toEqual({
      sessions: 2,
      refresh_tokens: 2,
      password_resets: 0,
      login_lockouts: 2,
      rate_limits: 1,
      bank_calls: 1,
    });
    expect(await purgeExpired({ db: worker })()).toBe(0);
  });

  it('cannot delete valid rows, whatever its statement says', async () => {
    const before = await count('sessions');
    expect((await worker.pool.query('delete from refresh_tokens')).rowCount).toBe(0);
    expect((await worker.pool.query('delete from sessions')).rowCount).toBe(0);
    expect(await count('sessions')).toBe(before);
    expect(await count('clients')).toBeGreaterThan(0);
  });

  it('is run by a schedule that the relay creates', async () => {
    const server = await createTemporalServer();
    await server.start();
    const running = await startApp({ roles: ['api', 'worker', 'relay'], temporalAddress: server.target.address });
    const gateway = createGateway({ ...server.target, taskQueue: 'none' });
    try {
      const { email } = await signUp(running);
      await logIn(running, email);
      await running.query(`update refresh_tokens set expires_at = now() - interval '1 ms'`);
      await until('the schedule', () =>
        gateway.triggerSchedule('purge-expired').then(
          () => true,
          () => false,
        ),
      );
      await until('the purge', async () => (await running.query('select from refresh_tokens')).length === 0, {
        timeoutMs: 20_000,
      });
    } finally {
      await gateway.close();
      await running.close();
      await server.remove();
    }
  });
});
