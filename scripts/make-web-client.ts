/** Writes the console's client of the API; with `--check` it fails when the committed one is of another version. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateClient } from './client/generate-client.ts';

const CLIENT = fileURLToPath(new URL('../web/src/api/client.ts', import.meta.url));

if (process.argv.includes('--check')) {
  const folder = await mkdtemp(join(tmpdir(), 'quita-web-client-'));
  try {
    const fresh = join(folder, 'client.ts');
    await generateClient(fresh, '/');
    if ((await readFile(fresh, 'utf8')) !== (await readFile(CLIENT, 'utf8'))) {
      process.stderr.write('The API has changed: run "node scripts/make-web-client.ts" and commit its file\n');
      process.exitCode = 1;
    }
  } finally {
    await rm(folder, { recursive: true });
  }
} else {
  await generateClient(CLIENT, '/');
}
