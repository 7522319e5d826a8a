import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from './go-programs.ts';
import { buildTemporal, downloadTemporal } from './install-temporal.ts';
import { ARCHIVE_BASE, ARCHIVE_SHA256, TEMPORAL_VERSION } from './temporal-archives.ts';

const run = promisify(execFile);

/** The oldest server that has batch operations on SQLite and takes keyword search attributes at its start. */
const OLDEST_SERVER = [1, 27] as const;
const PROGRAM = process.platform === 'win32' ? 'temporal.exe' : 'temporal';

export interface FindTemporalOptions {
  log: (line: string) => void;
  path?: string;
  /** Lies outside the checkout, so that a new clone does not have to download or build the program again. */
  cacheDir?: string;
  downloadBase?: string;
  checksums?: Readonly<Record<string, string>>;
}

export const temporalCacheDir = (): string => join(cacheFolder(), `temporal-${TEMPORAL_VERSION}`);

const serverVersion = async (program: string): Promise<string | undefined> => {
  try {
    const { stdout } = await run(program, ['--version'], { timeout: 20_000 });
    return /\(Server (\d+\.\d+\.\d+)/.exec(stdout)?.[1];
  } catch {
    return undefined;
  }
};

const isRecent = (version: string): boolean => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > OLDEST_SERVER[0] || (major === OLDEST_SERVER[0] && minor >= OLDEST_SERVER[1]);
};

const onPath = async ({ path = process.env['PATH'] ?? '', log }: FindTemporalOptions): Promise<string | undefined> => {
  const program = path
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, PROGRAM))
    .find((file) => existsSync(file));
  if (program === undefined) return undefined;
  const version = await serverVersion(program);
  if (version !== undefined && isRecent(version)) {
    log(`Temporal: ${program} (server ${version})`);
    return program;
  }
  log(`Temporal: ${program} is too old or does not run (server ${version ?? 'unknown'}); another one is searched for`);
  return undefined;
};

const inCache = async (program: string): Promise<string | undefined> =>
  existsSync(program) && (await serverVersion(program)) !== undefined ? program : undefined;

const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * Returns the first program that works from these sources: the PATH, our cache, the vendor's download, a build with Go.
 * The download must have the checksum in the source code, and Go checks each module against the public checksum
 * database.
 */
export const findTemporal = async (options: FindTemporalOptions): Promise<string> => {
  const { log, cacheDir = temporalCacheDir(), downloadBase: base = ARCHIVE_BASE, checksums = ARCHIVE_SHA256 } = options;
  const program = join(cacheDir, PROGRAM);
  const found = (await onPath(options)) ?? (await inCache(program));
  if (found !== undefined) return found;

  const failures: string[] = [];
  const installers = [
    { name: 'download', install: () => downloadTemporal({ version: TEMPORAL_VERSION, base, checksums, program, log }) },
    {
      name: 'go install',
      install: () => buildTemporal({ version: TEMPORAL_VERSION, program, log, path: options.path }),
    },
  ];
  for (const installer of installers) {
    try {
      await installer.install();
      if ((await inCache(program)) !== undefined) return program;
      failures.push(`${installer.name}: what came does not run here`);
    } catch (error) {
      failures.push(`${installer.name}: ${reason(error)}`);
    }
    log(`Temporal: ${failures.at(-1)}`);
  }
  throw new Error(
    'No Temporal server: install the Temporal CLI (https://docs.temporal.io/cli) or Go (https://go.dev/dl), or set TEMPORAL_ADDRESS to a server of your own',
  );
};
