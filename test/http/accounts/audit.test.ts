import { describe, expect, it } from '@jest/globals';
import { emailHash } from '../../../src/modules/accounts/use-cases/login-lockout.ts';
import { openDatabase } from '../../../src/platform/database/database.ts';
import { startApp } from '../../../testing/app.ts';
import { opened } from '../../../testing/opened.ts';
import { logIn, newEmail, PASSWORD, signUp, tryLogIn } from './accounts.ts';

const app = await opened(startApp());

interface Entry {
  readonly actor: string;
  readonly action: string;
  readonly ip: string | null;
}

const actionsOf = async (id: string) =>
  (await app.query<Entry>('select actor, action, ip from audit_log where client_id = $1 order by seq', [id])).map(
    ({ actor, action, ip }) => `${actor} ${action} ${ip}`,
  );

describe('the audit log', () => {
  it('records actor, action and address, and no secret', async () => {
    const { id, email } = await signUp(app);
    const { token, refreshToken } = await logIn(app, email);
    const { body } = await app.post<{ apiKey: string }>('/api/onboarding/me/api-key', undefined, token);
    await app.post('/api/auth/refresh', { refreshToken });
    await app.post('/api/auth/refresh', { refreshToken });
    for (let i = 0; i < 5; i += 1) await tryLogIn(app, email, 'Errada2026');
    await tryLogIn(app, email, 'Errada2026');
    await app.post('/api/auth/password/forgot', { email });
    const at = '127.0.0.1';
    expect(await actionsOf(id)).toEqual([
      `client sign_up ${at}`,
      `client login ${at}`,
      `client api_key_created ${at}`,
      `anonymous refresh_token_reused ${at}`,
      ...Array(5).fill(`anonymous login_failed ${at}`),
      `anonymous login_locked ${at}`,
      `anonymous password_reset_asked ${at}`,
    ]);
    const all = JSON.stringify(await app.query('select row_to_json(audit_log)::text as row from audit_log'));
    for (const secret of [PASSWORD, 'Errada2026', token, refreshToken, body.apiKey, email]) {
      expect(all).not.toContain(secret);
    }
  });

  it('records failed logins with an unknown e-mail by the hash of the e-mail', async () => {
    const email = newEmail();
    await tryLogIn(app, email);
    const entries = await app.query('select client_id, action from audit_log where target = $1', [emailHash(email)]);
    expect(entries).toEqual([{ client_id: null, action: 'login_failed' }]);
  });

  it.each(['quita_app', 'quita_worker'] as const)('cannot be changed or emptied by %s', async (role) => {
    const db = await openDatabase({ url: app.database.url, role });
    try {
      await signUp(app);
      // A client reads its own entries. Without a client there are none, and the worker can read none.
      const read = db.pool.query('select client_id from audit_log');
      if (role === 'quita_app') expect((await read).rows).toEqual([]);
      else await expect(read).rejects.toMatchObject({ code: '42501' });
      for (const statement of [
        'update audit_log set action = action',
        role === 'quita_app' ? 'delete from audit_log' : 'delete from audit_log where action is not null',
      ]) {
        await expect(db.pool.query(statement)).rejects.toMatchObject({ code: '42501' });
      }
      // The API's own pool sends no such statement at all, so the right itself is asked for.
      const truncate = `select has_table_privilege('${role}', 'audit_log', 'truncate') as granted`;
      expect(await app.query(truncate)).toEqual([{ granted: false }]);
      // Without a client no entry is visible, and the purge sees only entries that are old enough.
      expect((await db.pool.query('select from audit_log')).rows).toEqual([]);
      if (role === 'quita_worker') expect((await db.pool.query('delete from audit_log')).rowCount).toBe(0);
    } finally {
      await db.close();
    }
  });
});
