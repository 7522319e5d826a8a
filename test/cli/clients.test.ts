import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { prepareDataDir } from '../../src/platform/runtime/data-dir.ts';
import { lockDataDir } from '../../src/platform/runtime/data-dir-lock.ts';
import { startApp } from '../../testing/app.ts';
import { opened } from '../../testing/opened.ts';
import { logIn, me, refusal, signUp, tryLogIn } from '../http/accounts/accounts.ts';
import { createScratch, ROOT } from '../startup/support.ts';

const app = await opened(startApp());
const other = await opened(startApp({ database: app.database }));
const scratch = await opened(createScratch());

async function clients(args: readonly string[], env: Record<string, string> = {}) {
  const started = scratch.run(process.execPath, [`${ROOT}/src/cli.ts`, 'clients', ...args], {
    DATABASE_URL: app.database.url,
    DATA_DIR: scratch.folder,
    ...env,
  });
  const code = await started.ended;
  return { code, output: started.output() };
}

describe('quita clients', () => {
  it('lists id, status, e-mail and name, one line for each client', async () => {
    const { id, email } = await signUp(app, { name: 'Padaria Sol' });
    await signUp(app);
    const { code, output } = await clients(['list']);
    expect(code).toBe(0);
    const lines = output.trim().split('\n');
    expect(lines).toHaveLength((await app.query('select from clients')).length);
    expect(lines).toContain(`${id}\tONBOARDING\t${email}\tPadaria Sol`);
  });

  it('pause, resume and cancel take effect from the next request on every instance', async () => {
    const { id, email } = await signUp(app);
    const { token } = await logIn(app, email);
    const statuses = () => Promise.all([app, other].map(async (one) => refusal(await me(one, token))));

    expect(await clients(['pause', id])).toEqual({ code: 0, output: `${id} is PAUSED now (it was ACTIVE)\n` });
    expect(await statuses()).toEqual(Array(2).fill('403 account_inactive'));
    expect(refusal(await tryLogIn(app, email))).toBe('403 account_inactive');
    expect(await clients(['pause', id])).toEqual({ code: 0, output: `${id} is PAUSED already\n` });

    expect((await clients(['resume', id])).code).toBe(0);
    expect((await me(other, token)).status).toBe(200);
    const asked = await app.query<{ workflow: string; signal: string }>(
      `select workflow, signal from outbox
       where kind = 'batch_signal' and payload = jsonb_build_object('clientId', $1::text) order by workflow`,
      [id],
    );
    // Its debts and its agreements, at once and after the lag of the index, each time.
    expect(asked).toEqual([
      ...Array(4).fill({ workflow: 'collect-debt', signal: 'stateChanged' }),
      ...Array(4).fill({ workflow: 'follow-agreement', signal: 'stateChanged' }),
    ]);

    expect((await clients(['cancel', id.toUpperCase()])).code).toBe(0);
    expect(await statuses()).toEqual(Array(2).fill('403 account_inactive'));
    const refused = await clients(['resume', id]);
    expect(refused.code).toBe(1);
    expect(refused.output).toBe(`The client ${id} is CANCELLED: it cannot become ACTIVE\n`);
    const audit = await app.query<{ details: object }>(
      `select details from audit_log where client_id = $1 and action = 'status_changed' and actor = 'operator' order by seq`,
      [id],
    );
    expect(audit.map(({ details }) => details)).toEqual([
      { from: 'ACTIVE', to: 'PAUSED' },
      { from: 'PAUSED', to: 'ACTIVE' },
      { from: 'ACTIVE', to: 'CANCELLED' },
    ]);
  });

  it('leave an audit entry for each use of a command, whether it succeeded or was refused', async () => {
    const { id } = await signUp(app);
    const since = (await app.query<{ seq: string }>('select coalesce(max(seq), 0) as seq from audit_log'))[0]!.seq;
    await clients(['list']);
    await clients(['resume', id]);
    await clients(['pause', "x' or true"]);
    await clients(['cancel', id]);
    const entries = await app.query(
      'select client_id, actor, action, target, ip, details from audit_log where seq > $1 order by seq',
      [since],
    );
    const used = (target: string, done: boolean, client: string | null) => ({
      client_id: null,
      actor: 'operator',
      action: 'command_used',
      target,
      ip: 'command',
      details: { done, client },
    });
    expect(entries).toEqual([
      used('clients list', true, null),
      used('clients resume', false, id),
      used('clients pause', false, null),
      expect.objectContaining({ client_id: id, actor: 'operator', action: 'status_changed', ip: 'command' }),
      used('clients cancel', true, id),
    ]);
  });

  it('verify stores and prints the checked data and confirms the e-mail; a change of name ends it', async () => {
    const { id, token } = await signUp(app, { name: 'Padaria Sol', cnpj: '11222333000181' });
    const printed = `${id} is verified: Padaria Sol, CNPJ 11.222.333/0001-81\n  it says that it collects its own debts\n`;
    expect(await clients(['verify', id])).toEqual({ code: 0, output: printed });
    const kept = () =>
      app.query(
        `select verified_at is not null as verified, verified_name as name, verified_cnpj as cnpj,
           email_confirmed_at is not null as confirmed, confirm_email_by as "by" from clients where id = $1`,
        [id],
      );
    const checked = { verified: true, name: 'Padaria Sol', cnpj: '11222333000181', confirmed: true, by: null };
    expect(await kept()).toEqual([checked]);
    await app.call('PATCH', '/api/onboarding/me', { body: { name: 'Receita Federal do Brasil' }, bearer: token });
    // Debtors read what was verified until the next check.
    expect(await kept()).toEqual([{ ...checked, verified: false }]);
    const actions = await app.query(
      `select action from audit_log where client_id = $1 and actor = 'operator' order by seq`,
      [id],
    );
    expect(actions).toEqual([{ action: 'client_verified' }, { action: 'email_confirmed' }]);
  });

  it('reset-password prints a link that sets a password once, and leaves an audit entry', async () => {
    const { id } = await signUp(app);
    const { code, output } = await clients(['reset-password', id]);
    expect(code).toBe(0);
    const token = /\/reset-password#([\w-]+)\n$/.exec(output)?.[1];
    const reset = () =>
      app
        .call('POST', '/api/auth/password/reset', { body: { token, password: 'Outra-senha-9' } })
        .then(({ status }) => status);
    expect([await reset(), await reset()]).toEqual([204, 400]);
    const actions = await app.query(`select action from audit_log where client_id = $1 and actor = 'operator'`, [id]);
    expect(actions).toContainEqual({ action: 'password_reset_asked' });
  });

  it('verify refuses a company without a CNPJ', async () => {
    const { id } = await signUp(app);
    const { code, output } = await clients(['verify', id]);
    expect(code).toBe(1);
    expect(output).toBe(
      `The client ${id} has no CNPJ: the client has to enter one (PATCH /api/onboarding/me) before it can be verified\n`,
    );
    const rows = await app.query(
      'select from clients where id = $1 and verified_at is null and email_confirmed_at is null',
      [id],
    );
    expect(rows).toHaveLength(1);
  });

  it.each([
    ['verify', randomUUID()],
    ['pause', randomUUID()],
    ['cancel', "x' or true"],
  ])('%s %s: one line and 1 for an id that nobody has', async (action, id) => {
    expect(await clients([action, id])).toEqual({ code: 1, output: `There is no client ${id}\n` });
  });

  it.each([[[]], [['list', 'x']], [['pause']], [['erase', randomUUID()]], [['toString', randomUUID()]]])(
    '%j: usage and 1',
    async (args) => {
      const { code, output } = await clients(args);
      expect(code).toBe(1);
      expect(output).toMatch(/^Usage:\n/);
    },
  );

  it('uses the database of an instance that runs on the same folder', async () => {
    const { id } = await signUp(app);
    const folder = prepareDataDir(join(scratch.folder, 'beside'));
    const lock = lockDataDir(folder);
    lock?.publish({ pid: process.pid, databaseUrl: app.database.url });
    try {
      const answer = await clients(['pause', id], { DATABASE_URL: '', DATA_DIR: folder });
      expect(answer).toEqual({ code: 0, output: `${id} is PAUSED now (it was ONBOARDING)\n` });
    } finally {
      lock?.release();
    }
  });

  it('starts the database where no instance runs, and leaves no process behind', async () => {
    const empty = { DATABASE_URL: '', DATA_DIR: `${scratch.folder}/alone` };
    expect(await clients(['list'], empty)).toEqual({ code: 0, output: '' });
    const id = randomUUID();
    expect(await clients(['verify', id], empty)).toEqual({ code: 1, output: `There is no client ${id}\n` });
  });
});
