import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { openDatabase } from '../../src/platform/database/database.ts';
import { migrate } from '../../src/platform/database/migrate.ts';
import { startEmbeddedPostgres } from '../../src/platform/runtime/embedded-postgres.ts';

it('admits the serving logins to a data folder of a version with only the owner’s login', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quita-older-'));
  const start = () => startEmbeddedPostgres({ dataDir: folder, durable: false, log: () => {} });
  try {
    await (await start()).stop();
    writeFileSync(join(folder, 'postgres', 'pg_hba.conf'), 'host all quita 127.0.0.1/32 scram-sha-256\n');
    const server = await start();
    try {
      await migrate(server.url);
      const db = await openDatabase({ url: server.url, role: 'quita_app' });
      await db.ping();
      await db.close();
      const superuser = server.url.replace('//quita:', '//postgres:');
      await expect(migrate(superuser)).rejects.toThrow('pg_hba.conf rejects connection');
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
