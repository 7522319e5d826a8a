import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildWithGo, cacheFolder } from '../../src/platform/runtime/go-programs.ts';

/** Version 0.316.0 of the module is Prometheus 3.16.0. */
const VERSION = '0.316.0';
const MODULE = `github.com/prometheus/prometheus/cmd/promtool@v${VERSION}`;
/** Leaves out the clients of twenty clouds, by which Prometheus finds targets. They are a third of the build. */
const TAGS = 'remove_all_sd';

const run = promisify(execFile);

export type Promtool = (args: readonly string[]) => Promise<{ readonly ok: boolean; readonly output: string }>;

/** Returns Prometheus's own checker, which is built the first time into a cache outside the checkout. */
export async function findPromtool(): Promise<Promtool> {
  const program = join(cacheFolder(), `promtool-${VERSION}`, 'promtool');
  if (!existsSync(program)) {
    process.stderr.write('promtool: building with Go (once, 2 to 10 minutes)\n');
    await buildWithGo({ source: MODULE, program, flags: ['-p', '2', '-ldflags', '-s -w', '-tags', TAGS] });
  }
  return (args) =>
    run(program, [...args]).then(
      ({ stdout, stderr }) => ({ ok: true, output: `${stdout}${stderr}` }),
      ({ stdout, stderr }: { stdout: string; stderr: string }) => ({ ok: false, output: `${stdout}${stderr}` }),
    );
}
