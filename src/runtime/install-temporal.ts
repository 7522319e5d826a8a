import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { archivePath, PLATFORM } from './temporal-archives.ts';

const run = promisify(execFile);

const ANSWER_TIMEOUT_MS = 10_000;
const DOWNLOAD_TIMEOUT_MS = 10 * 60_000;
const PROGRESS_MS = 10_000;
/** Several times the size of an archive, so a longer answer cannot be the archive. */
const LARGEST_ARCHIVE = 256 * 1024 * 1024;

interface InstallPlan {
  version: string;
  /** The path of the finished program; the file appears there completely or not at all. */
  program: string;
  log: (line: string) => void;
}

const installAtomically = async (program: string, make: (folder: string) => Promise<void>): Promise<void> => {
  mkdirSync(dirname(program), { recursive: true });
  const folder = mkdtempSync(join(dirname(program), 'incoming-'));
  try {
    await make(folder);
    renameSync(join(folder, basename(program)), program);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

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
    if (size > LARGEST_ARCHIVE) throw new Error(`${host} sent more bytes than an archive can have`);
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
  if (createHash('sha256').update(archive).digest('hex') !== checksum) {
    throw new Error(`what ${host} sent has another SHA-256 than version ${version} of the vendor: it is not used`);
  }
  await installAtomically(program, async (folder) => {
    const file = join(folder, 'archive');
    await writeFile(file, archive);
    await run('tar', ['-xf', file, '-C', folder, basename(program)]);
  });
};

const findGo = (path: string): string | undefined => {
  const name = process.platform === 'win32' ? 'go.exe' : 'go';
  // Go's own installer does not change the PATH, so its default folder is searched too.
  return [...path.split(delimiter), '/usr/local/go/bin']
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file));
};

export const buildTemporal = async (plan: InstallPlan & { path?: string | undefined }): Promise<void> => {
  const { version, program, log, path = process.env['PATH'] ?? '' } = plan;
  const go = findGo(path);
  if (go === undefined) throw new Error('Go is not installed');
  log(`Temporal: building version ${version} with Go (once, about 2 minutes)`);
  const begin = Date.now();
  const seconds = () => Math.round((Date.now() - begin) / 1_000);
  const progress = setInterval(() => log(`Temporal: still building, ${seconds()} s so far`), PROGRESS_MS);
  try {
    await installAtomically(program, async (folder) => {
      const child = spawn(go, ['install', `github.com/temporalio/cli/cmd/temporal@v${version}`], {
        env: { ...process.env, PATH: path, GOBIN: folder },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      // Ctrl-C during the build must not leave the compiler running.
      const killChild = () => child.kill();
      process.once('exit', killChild);
      child.once('close', () => process.removeListener('exit', killChild));
      let errorOutput = '';
      child.stderr.on('data', (chunk: Buffer) => {
        errorOutput = `${errorOutput}${chunk.toString()}`.slice(-500);
      });
      await new Promise<void>((resolve, reject) => {
        child.once('error', reject);
        child.once('close', (code) =>
          code === 0 ? resolve() : reject(new Error(errorOutput.trim().split('\n').at(-1) || `exit code ${code}`)),
        );
      });
    });
    log(`Temporal: built in ${seconds()} s`);
  } finally {
    clearInterval(progress);
  }
};
