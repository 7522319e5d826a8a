/** Builds the console into `build/web`, with a brotli and a gzip file beside each file that gets smaller by it. */
import { mkdir, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));
const built = join(root, 'build', 'web');
const COMPRESSIBLE = /\.(?:html|js|css|svg|json|txt|webmanifest)$/;
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Each build has a folder of its own, which takes the place of the built one when it is complete. */
const temporary = (kind: string) => `${built}-${kind}-${process.pid}`;

async function buildInto(folder: string): Promise<void> {
  // Vite takes the mode of React from this variable, and tests and developers may have set another one.
  process.env['NODE_ENV'] = 'production';
  await build({ configFile: join(root, 'web', 'vite.config.ts'), logLevel: 'warn', build: { outDir: folder } });
}

async function compress(file: string): Promise<void> {
  const bytes = await readFile(file);
  const encoded = { br: await brotli(bytes, BROTLI), gz: await zip(bytes, { level: constants.Z_BEST_COMPRESSION }) };
  for (const [ending, smaller] of Object.entries(encoded)) {
    if (smaller.length < bytes.length) await writeFile(`${file}.${ending}`, smaller);
  }
}

/** Removes what killed builds left. */
async function removeLeftovers(): Promise<void> {
  await mkdir(join(root, 'build'), { recursive: true });
  for (const name of await readdir(join(root, 'build'))) {
    const pid = /^web-(?:new|old)-(\d+)$/.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) await rm(join(root, 'build', name), { recursive: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function replaceBuilt(folder: string): Promise<void> {
  const old = temporary('old');
  const absent = (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  };
  await rename(built, old).catch(absent);
  await rename(folder, built);
  await rm(old, { recursive: true, force: true });
}

const startedAt = new Date();
await removeLeftovers();
const folder = temporary('new');
try {
  await buildInto(folder);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && COMPRESSIBLE.test(entry.name));
  await Promise.all(files.map((file) => compress(join(file.parentPath, file.name))));
  // The set-up compares this time with the sources, and a source that was changed during the build is not in it.
  await utimes(join(folder, 'index.html'), startedAt, startedAt);
  await replaceBuilt(folder);
} finally {
  await rm(folder, { recursive: true, force: true });
}
