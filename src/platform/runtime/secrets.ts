import { randomBytes } from 'node:crypto';
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const read = (file: string): string | undefined => {
  try {
    const secret = readFileSync(file, 'utf8').trim();
    if (secret === '') throw new Error(`The secret in ${file} is empty: restore it from a backup, or delete the file`);
    chmodSync(file, 0o600);
    return secret;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};

export const isSecretKept = (dataDir: string, name: string): boolean =>
  read(join(dataDir, 'secrets', name)) !== undefined;

/** Returns a secret of this installation. The first call creates it, it never changes, and only its owner can read it. */
export const keptSecret = (dataDir: string, name: string): string => {
  const folder = join(dataDir, 'secrets');
  const file = join(folder, name);
  const kept = read(file);
  if (kept !== undefined) return kept;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const draft = join(folder, `${name}.${process.pid}.${randomBytes(4).toString('hex')}`);
  writeFileSync(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flush: true });
  try {
    // Unlike a rename, a link does not replace a file: of several processes that start at once, all read the first
    // secret.
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  const secret = read(file);
  if (secret === undefined) throw new Error(`The secret ${name} could not be kept in ${folder}`);
  return secret;
};
