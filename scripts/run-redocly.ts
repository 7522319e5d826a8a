import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const CLI = join(dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json')), 'bin/cli.js');

/** Redocly would otherwise contact its vendor; what uses it must work without a network. */
const QUIET = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

/** Runs Redocly's command line under this Node. It rejects when the command fails; the error has its output. */
export const runRedocly = (args: readonly string[]): Promise<{ readonly stdout: string }> =>
  promisify(execFile)(process.execPath, [CLI, ...args], {
    env: { ...process.env, ...QUIET },
    maxBuffer: 64 * 1024 * 1024,
  });
