import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { AppError } from '../src/domain/errors.ts';
import type { HttpDeps } from '../src/http/deps.ts';
import { buildOpenApi } from '../src/http/openapi.ts';
import { everyRoute } from '../src/http/routes/index.ts';
import type { ApiServices } from '../src/services/api.ts';

/** The routes can be declared with this; no request is served, so no use case is called. */
const notServing = (): never => {
  throw new AppError('unavailable');
};
const silent = (): void => undefined;
const deps: HttpDeps = {
  config: {
    publicUrl: 'https://api.quita.example',
    production: true,
    version: '0.0.0',
    trustProxy: 0,
    corsOrigins: [],
    metricsToken: undefined,
    loginRatePerMinute: 1,
    signupRatePerMinute: 1,
    publicRatePerMinute: 1,
    clientRatePerMinute: 1,
  },
  logger: { debug: silent, info: silent, warn: silent, error: silent },
  withLogContext: (_context, run) => run(),
  metrics: { contentType: 'text/plain; version=0.0.4; charset=utf-8', text: notServing, observeRequest: silent },
  authenticate: notServing,
  services: {} as ApiServices,
  now: notServing,
  readiness: notServing,
};

interface Report {
  readonly totals: { readonly errors: number; readonly warnings: number };
  readonly problems: readonly {
    readonly ruleId: string;
    readonly severity: string;
    readonly message: string;
    readonly location: readonly { readonly pointer?: string }[];
  }[];
}

// The buttons of the debtor's page are forms: 303 back to the page is how a form without JavaScript succeeds.
const LEFT_OUT = ['--skip-rule=operation-2xx-response'];

async function lint(file: string): Promise<Report> {
  const cli = join(dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json')), 'bin/cli.js');
  // Redocly would otherwise contact its vendor; the check must work without a network.
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const args = [cli, 'lint', file, '--extends=recommended', ...LEFT_OUT, '--format=json', '--max-problems=1000'];
  const failed = (error: { stdout?: string }): { stdout: string } => ({ stdout: error.stdout ?? '' });
  const { stdout } = await promisify(execFile)(process.execPath, args, { env, maxBuffer: 64 * 1024 * 1024 }).catch(
    failed,
  );
  return JSON.parse(stdout) as Report;
}

const folder = await mkdtemp(join(tmpdir(), 'quita-openapi-'));
try {
  const file = join(folder, 'openapi.json');
  await writeFile(file, JSON.stringify(buildOpenApi(everyRoute(deps), deps.config), null, 2));
  const { totals, problems } = await lint(file);
  for (const { severity, ruleId, message, location } of problems) {
    process.stdout.write(`${severity} ${ruleId} ${location[0]?.pointer ?? ''}: ${message}\n`);
  }
  process.stdout.write(`OpenAPI: ${totals.errors} errors, ${totals.warnings} warnings\n`);
  if (totals.errors + totals.warnings > 0) process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true });
}
