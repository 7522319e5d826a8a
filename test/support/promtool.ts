import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Version 0.316.0 of the module is Prometheus 3.16.0. */
const VERSION = '0.316.0';
const MODULE = `github.com/prometheus/prometheus/cmd/promtool@v${VERSION}`;
/** Leaves out the clients of twenty clouds, by which Prometheus finds targets. They are a third of the build. */
const TAGS = 'remove_all_sd';

const run = promisify(execFile);

export type Promtool = (args: readonly string[]) => Promise<{ readonly ok: boolean; readonly output: string }>;

/** Go's own installer does not change the PATH. */
const goOf = (): string => ['/usr/local/go/bin/go', '/usr/bin/go'].find((file) => existsSync(file)) ?? 'go';

function build(program: string): Promise<void> {
  process.stderr.write('promtool: building with Go (once, about 2 minutes)\n');
  mkdirSync(join(program, '..'), { recursive: true });
  const folder = mkdtempSync(join(program, '..', 'incoming-'));
  const child = spawn(goOf(), ['install', '-p', '2', '-ldflags', '-s -w', '-tags', TAGS, MODULE], {
    env: { ...process.env, GOBIN: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors = `${errors}${chunk.toString()}`.slice(-500);
  });
  return new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(errors.trim()))));
  })
    .then(() => renameSync(join(folder, 'promtool'), program))
    .finally(() => rmSync(folder, { recursive: true, force: true }));
}

/** Returns Prometheus's own checker, built the first time into a cache outside the checkout, or why it is missing. */
export async function findPromtool(): Promise<Promtool | { readonly missing: string }> {
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  const program = join(cache, 'quita', `promtool-${VERSION}`, 'promtool');
  try {
    if (!existsSync(program)) await build(program);
  } catch (error) {
    return { missing: `Go cannot install ${MODULE}: ${error instanceof Error ? error.message : String(error)}` };
  }
  return (args) =>
    run(program, [...args]).then(
      ({ stdout, stderr }) => ({ ok: true, output: `${stdout}${stderr}` }),
      ({ stdout, stderr }: { stdout: string; stderr: string }) => ({ ok: false, output: `${stdout}${stderr}` }),
    );
}
