import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { buildWithGo, findGo, installAtomically } from './go-programs.ts';
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

export const buildTemporal = async (plan: InstallPlan & { path?: string | undefined }): Promise<void> => {
  const { version, program, log, path } = plan;
  if (findGo(path) === undefined) throw new Error('Go is not installed');
  log(`Temporal: building version ${version} with Go (once, about 2 minutes)`);
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
