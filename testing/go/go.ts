import { execFile } from 'node:child_process';
import { homedir } from 'node:os';
import { promisify } from 'node:util';
import { findGo } from '../../src/platform/runtime/go-programs.ts';

const run = promisify(execFile);

function goProgram(): string {
  const found = findGo();
  if (found === undefined) throw new Error('npm run test:long needs Go 1.26 or later: https://go.dev/dl');
  return found;
}

/** Builds the program of a folder with a `go.mod`. The checksums in its `go.sum` bind every module. */
export async function buildProgram(folder: string, program: string): Promise<void> {
  await run(goProgram(), ['build', '-trimpath', '-buildvcs=false', '-ldflags=-s -w', '-o', program, '.'], {
    cwd: folder,
    env: { ...process.env, GOFLAGS: '-mod=readonly' },
    maxBuffer: 1 << 24,
  });
}

export interface GoModule {
  readonly path: string;
  readonly version: string;
  /** What Go calls the hash `h1:` of the module's files. */
  readonly sum: string;
}

/** Returns the folder of a module's files in Go's cache. */
export async function fetchModule({ path, version, sum }: GoModule): Promise<string> {
  // Outside any folder with a go.mod, because the module is read as data and belongs to no program.
  const { stdout } = await run(goProgram(), ['mod', 'download', '-json', `${path}@${version}`], { cwd: homedir() });
  const fetched = JSON.parse(stdout) as { Dir: string; Sum: string };
  if (fetched.Sum !== sum) throw new Error(`${path}@${version} has another checksum than this repository knows`);
  return fetched.Dir;
}
