import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildWithGo, cacheFolder, findGo } from '../../src/platform/runtime/go-programs.ts';
import { type App, startApp } from '../../testing/app.ts';

const run = promisify(execFile);
const PATIENCE = 900_000;
const FOREIGN = fileURLToPath(new URL('./foreign', import.meta.url));
const PYTHON_GENERATOR = 'openapi-python-client==0.29.1';
const GO_GENERATOR = 'v2.8.2';
const GO_RUNTIME = 'v1.8.0';

let app: App;
let folder: string;
let document: string;

beforeAll(async () => {
  app = await startApp({ roles: ['api', 'relay', 'worker'], env: { SANDBOX_MAX_WAIT: '200ms' } });
  folder = await mkdtemp(join(tmpdir(), 'quita-foreign-'));
  document = join(folder, 'openapi.json');
  await writeFile(document, await (await fetch(`${app.url}/openapi.json`)).text());
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await app.close();
});

/** Installs a package of Python with what it needs, once for a machine, and returns the folder of its programs. */
async function pythonPrograms(requirement: string): Promise<string> {
  const installed = join(cacheFolder(), requirement.replace('==', '-'));
  if (existsSync(installed)) return join(installed, 'bin');
  const draft = `${installed}.${process.pid}`;
  await mkdir(cacheFolder(), { recursive: true });
  await run('python3', ['-m', 'venv', draft]);
  await run(join(draft, 'bin', 'python'), ['-m', 'pip', 'install', '--quiet', requirement]);
  await rename(draft, installed);
  return join(installed, 'bin');
}

describe('clients that foreign programs generate from /openapi.json', () => {
  it(
    'in Python: no part is left out, and it goes from the sign-up to the receipt without losing a centavo',
    async () => {
      const programs = await pythonPrograms(PYTHON_GENERATOR);
      const python = join(programs, 'python');
      const generated = join(folder, 'quita_client');
      const config = join(FOREIGN, 'python-client.yml');
      const how = ['--meta', 'none', '--config', config, '--path', document, '--output-path', generated];
      const { stdout, stderr } = await run(python, ['-m', 'openapi_python_client', 'generate', ...how]);
      expect(`${stdout}${stderr}`).not.toMatch(/parsing|omitted|duplicate/);
      const env = { ...process.env, PYTHONPATH: folder, QUITA_URL: app.url, AMOUNT: '262144.01' };
      const walked = await run(python, [join(FOREIGN, 'walk.py')], { env });
      expect(JSON.parse(walked.stdout)).toMatchObject({
        imported: 1,
        status: 'PAID',
        amount: 262_144.01,
        document: '%PDF-',
        events: expect.arrayContaining(['debt.imported', 'debt.contacted', 'payment.approved', 'receipt.issued']),
        approved: [[262_144.01, 'NF-1']],
      });
    },
    PATIENCE,
  );

  it(
    'in Go: it compiles, and reads amounts in double precision',
    async () => {
      const generator = join(cacheFolder(), `oapi-codegen-${GO_GENERATOR}`, 'oapi-codegen');
      if (!existsSync(generator)) {
        const source = `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@${GO_GENERATOR}`;
        await buildWithGo({ source, program: generator });
      }
      const client = join(folder, 'go');
      await mkdir(client);
      const file = join(client, 'quita.go');
      await run(generator, ['-generate', 'types,client', '-package', 'quita', '-o', file, document]);
      expect(await readFile(file, 'utf8')).not.toContain('float32');
      const required = `require github.com/oapi-codegen/runtime ${GO_RUNTIME}`;
      await writeFile(join(client, 'go.mod'), `module quita\n\ngo 1.26\n\n${required}\n`);
      const go = findGo();
      if (go === undefined) throw new Error('npm run test:long needs Go 1.26 or later: https://go.dev/dl');
      const options = { cwd: client, env: { ...process.env, GOFLAGS: '-mod=mod' } };
      await run(go, ['mod', 'tidy'], options);
      await run(go, ['build', './...'], options);
    },
    PATIENCE,
  );
});
