import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from '@jest/globals';
import { startApp } from '../../testing/app.ts';
import { opened } from '../../testing/opened.ts';

const run = promisify(execFile);

/** Returns the code of a page by its language. */
function codeOf(page: string): ReadonlyMap<string, string> {
  const parts = page.split('\n```');
  return new Map(
    parts.flatMap((part) => {
      const [language = '', ...lines] = part.split('\n');
      return language === '' ? [] : [[language, lines.join('\n')] as const];
    }),
  );
}

const app = await opened(startApp({ roles: ['api', 'relay', 'worker'], env: { SANDBOX_MAX_WAIT: '200ms' } }));
const folder: string = await mkdtemp(join(tmpdir(), 'quita-examples-'));
const blocks = codeOf(await readFile('docs/api.md', 'utf8'));
afterAll(() => rm(folder, { recursive: true }));

const env = (domain: string) => ({
  ...process.env,
  QUITA_URL: app.url,
  DOMAIN: domain,
  RECEIPT_FILE: join(folder, 'receipt.pdf'),
});

describe('the examples of docs/api.md', () => {
  it('go from the sign-up to the receipt with curl', async () => {
    const { stdout } = await run('bash', ['-c', blocks.get('bash')!], { env: env('curl-aurora.com.br') });
    expect(stdout).toContain('"imported":1');
    expect(stdout).toContain('The debt is PAID');
    expect(stdout).toMatch(/"protocol":"QT-2026-/);
    expect((await readFile(join(folder, 'receipt.pdf'))).subarray(0, 5).toString()).toBe('%PDF-');
  });

  it('go the same way with the generated client, which type-checks', async () => {
    const program = join(folder, 'client');
    await mkdir(program);
    await run(process.execPath, ['scripts/make-client.ts', join(program, 'quita.ts')]);
    await writeFile(join(program, 'example.ts'), blocks.get('ts')!);
    await writeFile(join(program, 'package.json'), '{"type":"module"}');
    await copyFile('tsconfig.json', join(program, 'base.json'));
    const types = join(process.cwd(), 'node_modules/@types');
    await writeFile(
      join(program, 'tsconfig.json'),
      JSON.stringify({
        extends: './base.json',
        compilerOptions: { typeRoots: [types], lib: ['es2024', 'dom'] },
        include: ['*.ts'],
      }),
    );
    await run(process.execPath, ['node_modules/typescript/bin/tsc', '--noEmit', '-p', program]);
    const { stdout } = await run(process.execPath, [join(program, 'example.ts')], { env: env('typed-aurora.com.br') });
    expect(stdout).toContain('1 imported, 0 skipped\nAn API key gets 401\nThe receipt QT-2026-');
  });
});
