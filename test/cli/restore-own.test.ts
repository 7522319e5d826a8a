import { expect, it } from '@jest/globals';
import { migrate } from '../../src/platform/database/migrate.ts';
import { startEmbeddedPostgres } from '../../src/platform/runtime/embedded-postgres.ts';
import { ask } from '../../testing/database.ts';
import { opened } from '../../testing/opened.ts';
import { createScratch, ROOT } from '../startup/support.ts';

const ROLES = ['quita_app', 'quita_worker', 'quita_operator', 'quita_functions'];
const scratch = await opened(createScratch());
// Roles belong to the whole server, and the suites share theirs.
const server = await opened(startEmbeddedPostgres({ dataDir: scratch.folder, durable: false, log: () => {} }));
await migrate(server.url);

async function quita(...args: string[]) {
  const env = { DATA_DIR: scratch.folder, NODE_ENV: 'production', DATABASE_URL: server.url };
  const started = scratch.run(process.execPath, [`${ROOT}/src/cli.ts`, ...args], env);
  return { code: await started.ended, output: started.output().trim() };
}

it('prepares a database that was restored from a dump, which holds no memberships of roles', async () => {
  await ask(server.url, 'revoke quita_worker from quita_operator');
  for (const role of ROLES) await ask(server.url, `revoke ${role} from current_user`);
  expect(await quita('migrate')).toEqual({ code: 0, output: 'The schema is up to date' });
  const takenAt = new Date(Date.now() - 60_000).toISOString();
  const { code, output } = await quita('restore', '--own', '--taken-at', takenAt);
  expect(output).toContain('one contact of everybody on 1 day');
  expect(code).toBe(0);
});
