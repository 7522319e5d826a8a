import { spawn } from 'node:child_process';
import { z } from 'zod';
import { type Finding, type LockedPackage, NotAnswered, severityOf } from './finding.ts';

const TIMEOUT_MS = 60_000;
const MAX_LENGTH = 64 * 1024 * 1024;

const advisory = z.object({
  source: z.union([z.number(), z.string()]),
  title: z.string(),
  url: z.string(),
  severity: z.string(),
});

const report = z.object({
  auditReportVersion: z.literal(2),
  vulnerabilities: z.record(z.string(), z.object({ nodes: z.array(z.string()), via: z.array(z.unknown()) })),
});

const refusal = z.object({ statusCode: z.number().optional(), message: z.string().optional() });

/**
 * Runs npm, because npm knows the configured registry, its credentials, the proxy and the versions that a range means.
 */
const runNpm = (folder: string, outer: string | undefined): Promise<string> => {
  const args = ['audit', '--json', '--package-lock-only', '--audit', '--fetch-retries=1', '--fetch-timeout=20000'];
  const [command, ...more] = outer?.endsWith('.js') === true ? [process.execPath, outer] : ['npm'];
  const child = spawn(command ?? 'npm', [...more, ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: TIMEOUT_MS,
    shell: process.platform === 'win32' && outer === undefined,
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    if (output.length < MAX_LENGTH) output += chunk.toString();
  });
  return new Promise((resolve, reject) => {
    child.once('error', () => reject(new NotAnswered('npm could not be started')));
    child.once('close', () => resolve(output));
  });
};

const parsed = (output: string): unknown => {
  try {
    return JSON.parse(output);
  } catch {
    return undefined;
  }
};

/** Reads the output of `npm audit --json`. */
export const readNpmReport = (
  output: string,
  packages: readonly LockedPackage[],
  versionAt: (path: string) => string,
) => {
  const answer = parsed(output);
  const { success, data } = report.safeParse(answer);
  if (!success) {
    const status = refusal.safeParse(answer).data?.statusCode;
    throw new NotAnswered(
      `the registry’s audit endpoint ${status === undefined ? 'did not answer' : `answered ${status}`}`,
    );
  }
  const dev = new Map(packages.map((one) => [`${one.name}@${one.version}`, one.dev]));
  const findings = new Map<string, Finding>();
  for (const [name, { nodes, via }] of Object.entries(data.vulnerabilities)) {
    for (const one of via) {
      // A plain text names another package that has the advisory; that package has an entry of its own.
      const known = advisory.safeParse(one);
      if (!known.success) continue;
      const { source, title, url, severity } = known.data;
      const id = /GHSA(-[a-z0-9]{4}){3}/.exec(url)?.[0] ?? `npm-${source}`;
      for (const version of new Set(nodes.map(versionAt))) {
        findings.set(`${id} ${name}@${version}`, {
          ...{ id, aliases: [], package: name, version, severity: severityOf(severity), title, url },
          dev: dev.get(`${name}@${version}`) ?? false,
        });
      }
    }
  }
  return [...findings.values()];
};

export const askRegistry = async ({
  folder,
  npm,
  packages,
  versionAt,
}: {
  readonly folder: string;
  /** The path of npm's script, which npm passes to the scripts that it runs. */
  readonly npm: string | undefined;
  readonly packages: readonly LockedPackage[];
  readonly versionAt: (path: string) => string;
}): Promise<Finding[]> => readNpmReport(await runNpm(folder, npm), packages, versionAt);
