import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cacheFolder } from '../../src/platform/runtime/go-programs.ts';

const run = promisify(execFile);
const VERSION = '1.28.2';

/** A process of a few files takes half the time where Java compiles less and collects garbage in one thread. */
const FOR_ONE_RUN = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];

export interface VeraPdf {
  /** The command prints one line for each file: `PASS <file> <flavour>` or `FAIL …`. */
  validate(flavour: '2a' | 'ua1', files: readonly string[]): Promise<string[]>;
}

async function classPath(): Promise<string> {
  const folder = join(cacheFolder(), `verapdf-${VERSION}`);
  const file = join(folder, 'classpath');
  const known = existsSync(file) ? await readFile(file, 'utf8') : '';
  if (known !== '' && known.split(delimiter).every((jar) => existsSync(jar))) return known;
  await mkdir(folder, { recursive: true });
  const draft = `${file}.${process.pid}`;
  const pom = fileURLToPath(new URL('./pom.xml', import.meta.url));
  const options = ['-q', '-B', '-f', pom, `-Dmaven.repo.local=${join(folder, 'jars')}`, `-Dmdep.outputFile=${draft}`];
  await run('mvn', [...options, 'dependency:build-classpath'], { timeout: 240_000 });
  await rename(draft, file);
  return readFile(file, 'utf8');
}

/** Returns the independent validator, downloaded from Maven Central the first time, or the reason why it is missing. */
export async function findVeraPdf(): Promise<VeraPdf | { readonly missing: string }> {
  try {
    await run('java', ['-version']);
  } catch {
    return { missing: 'Java is not installed' };
  }
  let jars: string;
  try {
    jars = await classPath();
  } catch {
    return { missing: `Maven cannot fetch org.verapdf.apps:greenfield-apps:${VERSION}` };
  }
  return {
    async validate(flavour, files) {
      const command = [
        ...FOR_ONE_RUN,
        '-cp',
        jars,
        'org.verapdf.apps.GreenfieldCliWrapper',
        '-f',
        flavour,
        '--format',
        'text',
        ...files,
      ];
      // An invalid file makes the command fail too; its output is used in both cases.
      const { stdout } = await run('java', command).catch((error: { stdout?: string }) => {
        if (error.stdout) return { stdout: error.stdout };
        throw error;
      });
      return stdout.trim().split('\n');
    },
  };
}
