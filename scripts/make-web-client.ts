/**
 * Writes what the console has from the server: the client of the API, the names that exports, mails and pages use too,
 * those of the audit log, the problems of an import, and what each role may do. With `--check` it fails when a committed
 * file is of another version.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { consoleAuditNames } from './client/console-audit-names.ts';
import { consoleImportProblems } from './client/console-import-problems.ts';
import { consoleNames } from './client/console-names.ts';
import { consoleRights } from './client/console-rights.ts';
import { generateClient } from './client/generate-client.ts';

const CLIENT = fileURLToPath(new URL('../web/src/api/client.ts', import.meta.url));

/** The files beside the client, with what writes their source. */
const TABLES = [
  [new URL('../web/src/texts/server-names.ts', import.meta.url), consoleNames],
  [new URL('../web/src/texts/audit-names.ts', import.meta.url), consoleAuditNames],
  [new URL('../web/src/texts/import-problem-names.ts', import.meta.url), consoleImportProblems],
  [new URL('../web/src/session/rights.ts', import.meta.url), consoleRights],
] as const;

async function isStale(): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'quita-web-client-'));
  try {
    const fresh = join(folder, 'client.ts');
    await generateClient(fresh, '/');
    const wanted = [
      [CLIENT, await readFile(fresh, 'utf8')],
      ...TABLES.map(([file, source]) => [file, source()] as const),
    ] as const;
    const kept = await Promise.all(wanted.map(([file]) => readFile(file, 'utf8')));
    return wanted.some(([, source], index) => source !== kept[index]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

if (process.argv.includes('--check')) {
  if (await isStale()) {
    process.stderr.write(
      'The API or its names have changed: run "node scripts/make-web-client.ts" and commit its files\n',
    );
    process.exitCode = 1;
  }
} else {
  await generateClient(CLIENT, '/');
  for (const [file, source] of TABLES) await writeFile(file, source());
}
