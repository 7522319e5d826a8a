import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { JsonObject } from '../src/http/openapi-json.ts';
import { openApiDocument } from './openapi-document.ts';
import { runRedocly } from './run-redocly.ts';

const DEFAULT = 'build/client/quita.ts';

/** Pages and what channels and providers post are no business of a client's program. */
const isOfPrograms = (path: string): boolean =>
  path.startsWith('/api/') && !path.startsWith('/api/messaging/') && path !== '/api/payments/webhook';

/** Writes a TypeScript client of the API to one file without dependencies, from the document of this version. */
const [output = DEFAULT] = process.argv.slice(2);
if (!output.endsWith('.ts')) {
  process.stderr.write('Usage: npm run client -- [FILE.ts]\n');
  process.exit(1);
}
const folder = await mkdtemp(join(tmpdir(), 'quita-client-'));
try {
  const document = join(folder, 'openapi.json');
  const whole = openApiDocument();
  const paths = Object.entries(whole['paths'] as JsonObject).filter(([path]) => isOfPrograms(path));
  await writeFile(document, JSON.stringify({ ...whole, paths: Object.fromEntries(paths) }));
  await mkdir(dirname(resolve(output)), { recursive: true });
  await runRedocly([
    'generate-client',
    document,
    `--output=${resolve(output)}`,
    '--server-url=http://localhost:3000',
    '--import-ext=ts',
    '--args-style=grouped',
  ]);
  process.stdout.write(`The client is in ${output}; docs/api.md shows how it is used\n`);
} finally {
  await rm(folder, { recursive: true });
}
