import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { JsonObject } from '../../src/platform/http/openapi-json.ts';
import { openApiDocument } from '../openapi-document.ts';
import { runRedocly } from '../run-redocly.ts';

/** Pages with what their scripts ask, and what channels, providers and banks post, are no business of a client's program. */
const NOT_OF_PROGRAMS = /^\/api\/(?:messaging\/|payments\/(?:webhook$|pix\/)|checkout\/\{debtId\}\/agreement\/)/;
const isOfPrograms = (path: string): boolean => path.startsWith('/api/') && !NOT_OF_PROGRAMS.test(path);

/** Writes a TypeScript client of the API to one file without dependencies, from the document of this version. */
export async function generateClient(output: string, serverUrl: string): Promise<void> {
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
      `--server-url=${serverUrl}`,
      '--import-ext=ts',
      '--args-style=grouped',
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
}
