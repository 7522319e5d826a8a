import { describe, expect, it } from '@jest/globals';
import { startApp } from '../../testing/app.ts';
import { opened } from '../../testing/opened.ts';
import { PASSWORD } from '../http/accounts/accounts.ts';
import { codeOf } from '../http/accounts/factors.ts';
import { createScratch, ROOT } from '../startup/support.ts';

const app = await opened(startApp());
const scratch = await opened(createScratch());

async function operators(...args: readonly string[]) {
  const started = scratch.run(process.execPath, [`${ROOT}/src/cli.ts`, 'operators', ...args], {
    DATABASE_URL: app.database.url,
    DATA_DIR: scratch.folder,
    PUBLIC_URL: 'https://quita.example',
  });
  const code = await started.ended;
  return { code, output: started.output() };
}
const open = (token: string) => app.post<{ secret: string }>('/api/operator/invitation', { token });

describe('quita operators', () => {
  it('invites by a link that works, lists who has joined and who not, and removes both at once', async () => {
    const invited = await operators('invite', 'Ana@Example.com');
    expect(invited.code).toBe(0);
    const [, token] = /https:\/\/quita\.example\/operador\/convite#([\w-]{43})$/m.exec(invited.output)!;
    const { secret } = (await open(token!)).body;
    expect((await operators('list')).output).toMatch(/^ana@example\.com\tinvited\tuntil \d{4}-\S+Z\n$/);
    const body = { token, password: PASSWORD, code: codeOf(secret) };
    expect((await app.post('/api/operator/invitation/accept', body)).status).toBe(204);
    const other = await operators('invite', 'bia@example.com');
    const [, otherToken] = /#([\w-]{43})$/m.exec(other.output)!;
    expect((await operators('list')).output.split('\n').map((line) => line.split('\t').slice(0, 2).join(' '))).toEqual([
      'ana@example.com operator',
      'bia@example.com invited',
      '',
    ]);
    const again = await operators('invite', 'ana@example.com');
    expect([again.code, again.output]).toEqual([1, expect.stringContaining('is an operator already')]);

    await app.query('update operators set last_step = 0');
    const login = { email: 'ana@example.com', password: PASSWORD, code: codeOf(secret) };
    const entered = await app.post('/api/operator/session', login);
    const headers = { cookie: entered.headers.getSetCookie()[0]!.split(';')[0]! };
    expect((await app.call('GET', '/api/operator/session', { headers })).status).toBe(200);
    for (const email of ['ana@example.com', 'bia@example.com']) {
      expect(await operators('remove', email)).toEqual({ code: 0, output: `${email} is no operator any more\n` });
    }
    expect((await app.call('GET', '/api/operator/session', { headers })).status).toBe(401);
    expect((await open(otherToken!)).status).toBe(401);
    expect(await operators('list')).toEqual({ code: 0, output: '' });
    const acts = await app.query<{ action: string }>(
      `select action from operator_acts where ip = 'command' order by seq`,
    );
    expect(acts.map(({ action }) => action)).toEqual([
      'operator_invited',
      'operator_invited',
      'operator_removed',
      'operator_removed',
    ]);
  });

  it('refuses what it does not know, and changes nothing', async () => {
    const refused = [
      [['remove', 'nobody@example.com'], 'There is no operator nobody@example.com'],
      [['invite', 'no-address'], 'is not an e-mail address'],
      [['invite'], 'Usage:'],
      [['list', 'ana@example.com'], 'Usage:'],
      [['other', 'ana@example.com'], 'Usage:'],
    ] as const;
    for (const [args, text] of refused) {
      const { code, output } = await operators(...args);
      expect([args, code, output]).toEqual([args, 1, expect.stringContaining(text)]);
    }
    expect(await app.query('select from operator_invitations')).toEqual([]);
  });
});
