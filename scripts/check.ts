/** `npm run check` runs all checks before a commit and prints one line for each; a failure does not stop the others. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const node = process.execPath;

const steps: ReadonlyArray<readonly [name: string, command: string, args: readonly string[]]> = [
  ['format and lint', `${root}node_modules/.bin/biome`, ['ci', '--error-on-warnings', '--colors=off', '.']],
  ['import laws', node, ['scripts/check-imports.ts']],
  ['names in documents and comments', node, ['scripts/check-names.ts']],
  ['types', `${root}node_modules/.bin/tsc`, ['-p', 'tsconfig.json']],
  ['types of the workflows', `${root}node_modules/.bin/tsc`, ['-p', 'workflows/tsconfig.json']],
  ['types of the console', `${root}node_modules/.bin/tsc`, ['-p', 'web/tsconfig.json']],
  ['client and names of the console', node, ['scripts/make-web-client.ts', '--check']],
  ['workflow bundle', node, ['scripts/bundle-workflows.ts', '--check']],
  ['unused code', node, ['node_modules/knip/bin/knip.js', '--no-progress', '--no-config-hints']],
  ['regular expressions', node, ['scripts/check-expressions.ts']],
  ['OpenAPI document', node, ['scripts/check-openapi.ts']],
  ['migrations match the entities', node, ['scripts/check-migrations.ts']],
];

const failures: string[] = [];
for (const [name, command, args] of steps) {
  const started = performance.now();
  const result = spawnSync(command, args, { cwd: root, encoding: 'utf8', env: { ...process.env, FORCE_COLOR: '0' } });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const ok = result.status === 0;
  process.stdout.write(`${ok ? 'ok  ' : 'FAIL'}  ${name} (${seconds} s)\n`);
  if (!ok) {
    failures.push(name);
    process.stdout.write(`${result.stdout ?? ''}${result.stderr ?? ''}${result.error?.message ?? ''}\n`);
  }
}
if (failures.length > 0) {
  process.stdout.write(`${failures.length} of ${steps.length} checks failed: ${failures.join(', ')}\n`);
  process.exit(1);
}
