import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';

/** The folder of what is built or fetched once on a machine, outside the checkout. */
export const cacheFolder = (): string => join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'quita');

/** Returns the first file with this name in the folders of the PATH. */
export const findProgram = (name: string, path: string = process.env['PATH'] ?? ''): string | undefined => {
  const file = process.platform === 'win32' ? `${name}.exe` : name;
  return path
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, file))
    .find((program) => existsSync(program));
};

/** Go's own installer does not change the PATH, so its default folder is searched too. */
export const findGo = (path: string = process.env['PATH'] ?? ''): string | undefined =>
  findProgram('go', [path, '/usr/local/go/bin'].join(delimiter));

/** `make` writes the program into a folder of its own, so that the file appears at its place completely or not at all. */
export async function installAtomically(program: string, make: (folder: string) => Promise<void>): Promise<void> {
  mkdirSync(dirname(program), { recursive: true });
  const folder = mkdtempSync(join(dirname(program), 'incoming-'));
  try {
    await make(folder);
    renameSync(join(folder, basename(program)), program);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export interface GoBuild {
  /** The package with its version. Go names the program after the last part of the package. */
  readonly source: string;
  /** The path of the finished program, with the name that Go gives it. */
  readonly program: string;
  readonly flags?: readonly string[];
  readonly path?: string | undefined;
}

/** Builds a program from its Go module. */
export async function buildWithGo({ source, program, flags = [], path }: GoBuild): Promise<void> {
  const go = findGo(path);
  if (go === undefined) throw new Error('Go is not installed');
  await installAtomically(program, async (folder) => {
    const child = spawn(go, ['install', ...flags, source], {
      env: { ...process.env, ...(path === undefined ? {} : { PATH: path }), GOBIN: folder },
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
}
