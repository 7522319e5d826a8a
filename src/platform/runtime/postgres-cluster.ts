import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PostgresPrograms } from './postgres-programs.ts';
import { plainEnvironment } from './watched-child.ts';

const VERSION = '18';

/** Reads the files of the cluster for `quita backup`, and may do nothing else. */
export const BACKUP_LOGIN = 'quita_backup';

/**
 * The owner and the serving logins may connect with their passwords from this machine; the superuser may not. The login
 * of backups reaches no database.
 */
const HBA = [
  `host replication ${BACKUP_LOGIN} 127.0.0.1/32 scram-sha-256`,
  `host all postgres,${BACKUP_LOGIN} 127.0.0.1/32 reject`,
  'host all all 127.0.0.1/32 scram-sha-256',
  '',
].join('\n');

interface ClusterPlan {
  dataDir: string;
  programs: PostgresPrograms;
  log: (line: string) => void;
}

const run = (programs: PostgresPrograms, args: readonly string[], input: string, program?: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const plan = programs.asServer(args, program);
    const child = spawn(plan.command, plan.args, { env: plainEnvironment(), ...programs.user });
    const killChild = () => child.kill();
    process.once('exit', killChild);
    child.once('close', () => process.removeListener('exit', killChild));
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.once('error', reject);
    child.once('close', (code) => {
      // In single-user mode the server exits with 0 even after a failed statement.
      if (code === 0 && !/^(.*\s)?(ERROR|FATAL|PANIC):/m.test(output)) resolve();
      else reject(new Error(`PostgreSQL could not be set up (exit code ${code}):\n${output.trim().slice(-1_000)}`));
    });
    // A program that ends early breaks the pipe; this error is ignored because the exit code tells more.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });

/**
 * Flags of every server, also of the one that sets a password. It runs no command and loads no library, whatever the
 * files of the cluster say: a restored backup may come from somebody who has changed it.
 */
export const RUNS_NOTHING = [
  ...['archive_command', 'archive_library', 'archive_cleanup_command', 'restore_command', 'recovery_end_command'],
  ...['shared_preload_libraries', 'session_preload_libraries', 'local_preload_libraries', 'ssl_passphrase_command'],
].flatMap((setting) => ['-c', `${setting}=`]);

/** Uses single-user mode, which needs no network, no password and no superuser who could connect later. */
const runAsSuperuser = (programs: PostgresPrograms, clusterDir: string, statements: readonly string[]): Promise<void> =>
  run(
    programs,
    [
      ...['--single', '-D', clusterDir, ...RUNS_NOTHING],
      ...['-c', 'log_min_error_statement=panic', '-c', 'exit_on_error=on', 'postgres'],
    ],
    `${statements.join('\n')}\n`,
  );

/** Each line is one statement of single-user mode. The role owns nothing, so it can be dropped and made again. */
const backupLogin = (password: string): string[] => [
  `drop role if exists ${BACKUP_LOGIN};`,
  `create role ${BACKUP_LOGIN} login replication connection limit 4 password '${password}';`,
];

const createCluster = async (
  plan: ClusterPlan,
  clusterDir: string,
  passwords: { owner: string; backup: string },
): Promise<void> => {
  const { programs, dataDir } = plan;
  // The cluster is built in another folder and renamed, so that an interrupted start leaves no incomplete cluster.
  const building = join(dataDir, 'postgres.building');
  rmSync(building, { recursive: true, force: true });
  mkdirSync(building, { mode: 0o700 });
  if (programs.user !== undefined) chownSync(building, programs.user.uid, programs.user.gid);
  await run(
    programs,
    [
      '--pgdata',
      building,
      '--username=postgres',
      '--auth=reject',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
    ],
    '',
    programs.initdb,
  );
  writeFileSync(join(building, 'pg_hba.conf'), HBA);
  await runAsSuperuser(programs, building, [
    `create role quita login createrole createdb password '${passwords.owner}';`,
    'create database quita owner quita;',
    ...backupLogin(passwords.backup),
  ]);
  renameSync(building, clusterDir);
};

const readPassword = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};

const newPassword = (): string => randomBytes(24).toString('base64url');

const keepPassword = (file: string, password: string): void =>
  writeFileSync(file, `${password}\n`, { mode: 0o600, flush: true });

export const clusterDirOf = (dataDir: string): string => join(dataDir, 'postgres');

const backupPasswordFile = (dataDir: string): string => join(dataDir, 'postgres.backup-password');

export const readBackupPassword = (dataDir: string): string | undefined => readPassword(backupPasswordFile(dataDir));

/** A first start that was interrupted has kept no password for backups. */
const addBackupLogin = async ({ dataDir, programs }: ClusterPlan, clusterDir: string): Promise<void> => {
  if (readBackupPassword(dataDir) !== undefined) return;
  const password = newPassword();
  await runAsSuperuser(programs, clusterDir, backupLogin(password));
  keepPassword(backupPasswordFile(dataDir), password);
};

/** No server may run on the cluster. */
export const preparePostgresCluster = async (plan: ClusterPlan): Promise<{ clusterDir: string; password: string }> => {
  const clusterDir = clusterDirOf(plan.dataDir);
  const passwordFile = join(plan.dataDir, 'postgres.password');
  const kept = readPassword(passwordFile);
  const exists = existsSync(join(clusterDir, 'PG_VERSION'));
  if (exists) {
    const version = readFileSync(join(clusterDir, 'PG_VERSION'), 'utf8').trim();
    if (version !== VERSION) {
      throw new Error(
        `The database in ${clusterDir} is of PostgreSQL ${version}, this is ${VERSION}: dump and restore it`,
      );
    }
    // The folder of an older version allows only the owner's login.
    writeFileSync(join(clusterDir, 'pg_hba.conf'), HBA);
    await addBackupLogin(plan, clusterDir);
    if (kept !== undefined) return { clusterDir, password: kept };
  }
  const password = kept ?? newPassword();
  if (exists) {
    plan.log('The password of the embedded PostgreSQL is lost: setting a new one');
    await runAsSuperuser(plan.programs, clusterDir, [`alter role quita password '${password}';`]);
  } else {
    plan.log('Creating the embedded PostgreSQL (once)');
    rmSync(clusterDir, { recursive: true, force: true });
    const backup = newPassword();
    // When the start is interrupted before the password is kept, the next start makes the role again.
    rmSync(backupPasswordFile(plan.dataDir), { force: true });
    await createCluster(plan, clusterDir, { owner: password, backup });
    keepPassword(backupPasswordFile(plan.dataDir), backup);
  }
  keepPassword(passwordFile, password);
  return { clusterDir, password };
};
