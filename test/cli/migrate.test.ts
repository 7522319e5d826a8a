import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { loginName } from '../../src/platform/database/logins.ts';
import { ask, createEmptyDatabase } from '../../testing/database.ts';
import { opened } from '../../testing/opened.ts';
import { createScratch, ROOT } from '../startup/support.ts';

const database = await opened(createEmptyDatabase());
const scratch = await opened(createScratch());

async function quita(args: readonly string[], env: Record<string, string>) {
  const started = scratch.run(process.execPath, [`${ROOT}/src/cli.ts`, ...args], {
    DATA_DIR: scratch.folder,
    NODE_ENV: 'production',
    ...env,
  });
  return { code: await started.ended, output: started.output().trim() };
}

describe('quita migrate', () => {
  const password = randomBytes(24).toString('hex');

  it('creates schema and logins with only the owner’s URL, also in production, and reports when there is no change', async () => {
    const env = { DATABASE_URL: database.url, DATABASE_API_PASSWORD: password };
    const first = await quita(['migrate'], env);
    expect(first.code).toBe(0);
    expect(first.output).toMatch(/^applied Migration\d{14}_foundation(\napplied Migration\S+)*$/);
    expect(await quita(['migrate'], env)).toEqual({ code: 0, output: 'The schema is up to date' });
    const url = new URL(database.url);
    url.username = loginName(database.name, 'quita_app');
    url.password = password;
    expect(await ask(url.href, 'select 1 as one')).toEqual([{ one: 1 }]);
    const asLogin = await quita(['migrate'], { DATABASE_URL: url.href });
    expect(asLogin.code).toBe(1);
    expect(asLogin.output).toBe(
      "The DATABASE_URL names the serving login of quita_app: migrate with the URL of the database's owner",
    );
  });

  it('refuses a password that could be guessed', async () => {
    const { code, output } = await quita(['migrate'], { DATABASE_URL: database.url, DATABASE_API_PASSWORD: 'short' });
    expect(code).toBe(1);
    expect(output).toContain('DATABASE_API_PASSWORD: must be 32 to 200');
    expect(output).not.toContain('short');
  });
});
