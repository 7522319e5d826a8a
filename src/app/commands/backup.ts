import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { addAudit } from '../../modules/accounts/queries/add-audit.ts';
import { type Config, readEnvironment, SECRET_NAMES } from '../../platform/config/index.ts';
import { openDatabase } from '../../platform/database/database.ts';
import { appliedMigrations } from '../../platform/database/prepare-database.ts';
import { withBaseBackup } from '../../platform/runtime/backup/base-backup.ts';
import { copyTemporal } from '../../platform/runtime/backup/copy-temporal.ts';
import { FORMAT, type Manifest } from '../../platform/runtime/backup/manifest.ts';
import { writeArchive } from '../../platform/runtime/backup/write-archive.ts';
import { prepareDataDir } from '../../platform/runtime/data-dir.ts';
import { readBackupPassword } from '../../platform/runtime/postgres-cluster.ts';
import { serviceClock } from '../../platform/runtime/service-clock.ts';
import { createShutdown, stopOnSignals } from '../../platform/runtime/shutdown.ts';
import { startDatabase } from '../infrastructure.ts';
import { explain, loadWithSecrets } from '../load-with-secrets.ts';
import { VERSION } from '../version.ts';
import { requireEmbedded } from './require-embedded.ts';

const USAGE = `Usage:
  quita backup FILE              writes a backup of DATA_DIR (embedded PostgreSQL and Temporal, secrets) to a new file,
                                 while Quita runs or not; the file contains every secret
  quita backup FILE --force      the same, and replaces the file if it exists
  quita backup FOLDER            the same to a file in the folder that is named after the moment
  quita backup FOLDER --keep N   and then deletes all but the latest N of these files
`;

const NAME = /^quita-\d{8}T\d{6}Z\.tar\.gz$/;
const MAX_KEPT = 10_000;

interface Task {
  readonly target: string;
  readonly force: boolean;
  /** Undefined when no older backup is deleted. */
  readonly keep: number | undefined;
}

const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory();

/** `20261123T034500Z`: sorts by time, and is a name in every file system. */
export const momentInName = (moment: Date): string => moment.toISOString().replace(/[-:]|\.\d+/g, '');

/** Returns undefined when the arguments are not understood. */
function taskOf(args: readonly string[], now: Date): Task | undefined {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { force: { type: 'boolean', default: false }, keep: { type: 'string' } },
    allowPositionals: true,
  });
  const [given, ...more] = positionals;
  if (given === undefined || given === '' || more.length > 0) return undefined;
  const keep = values.keep === undefined ? undefined : Number(values.keep);
  if (keep !== undefined && !(Number.isInteger(keep) && keep >= 1 && keep <= MAX_KEPT)) return undefined;
  const path = resolve(given);
  if (isFolder(path)) return { target: join(path, `quita-${momentInName(now)}.tar.gz`), force: values.force, keep };
  return keep === undefined ? { target: path, force: values.force, keep } : undefined;
}

/** The secrets that the service does not take from DATA_DIR, so that the archive lacks them. */
const secretsElsewhere = (): string[] => {
  const environment = readEnvironment();
  return SECRET_NAMES.filter((name) => (environment[name] ?? '').trim() !== '');
};

/** A database of another version has another audit log, and is backed up all the same. */
const noteUse = async (url: string, config: Config): Promise<void> => {
  try {
    const db = await openDatabase({ url, role: 'quita_operator', poolSize: 1, clockOffsetMs: config.clockOffset });
    try {
      const entry = { clientId: null, actor: 'operator', action: 'command_used', target: 'backup' } as const;
      await db.system().transactional((tx) => addAudit(tx, { ...entry, details: { done: true, client: null } }));
    } finally {
      await db.close();
    }
  } catch {
    // The backup is worth more than its entry.
  }
};

const secretFiles = (dataDir: string): string[] => {
  const folder = join(dataDir, 'secrets');
  // Other names are drafts of a start that was interrupted.
  return existsSync(folder) ? readdirSync(folder).filter((name) => /^[A-Z_]+$/.test(name)) : [];
};

const PASSWORD_FILES = ['postgres.password', 'postgres.backup-password'];

interface Done {
  readonly bytes: number;
  readonly manifest: Manifest;
}

async function backUp(config: Config, { target, force }: Task): Promise<Done> {
  requireEmbedded(config);
  if (!force && existsSync(target))
    throw new Error(`${target} exists: choose another name, or replace it with --force`);
  if (!isFolder(dirname(target))) throw new Error(`There is no folder ${dirname(target)}`);
  const dataDir = resolve(config.dataDir);
  if (!existsSync(join(dataDir, 'postgres'))) throw new Error(`There is nothing to back up in ${dataDir}`);
  prepareDataDir(dataDir);
  const shutdown = createShutdown(() => undefined);
  stopOnSignals(shutdown.close, () => undefined);
  const partial = `${target}.${process.pid}.partial`;
  const temporalCopy = `${partial}.temporal`;
  shutdown.add('the unfinished archive', async () => {
    for (const file of [partial, temporalCopy, `${temporalCopy}-journal`]) rmSync(file, { force: true });
  });
  try {
    const url = await startDatabase({ config, shutdown, log: () => undefined });
    const password = readBackupPassword(dataDir);
    if (password === undefined) {
      throw new Error('The running Quita is older than this command: restart it, then back it up');
    }
    await noteUse(url, config);
    const now = serviceClock(config.clockOffset);
    // Temporal comes first: what it has missed is delivered again after a restore, and PostgreSQL then lacks nothing.
    const temporalAt = now().toISOString();
    const hasTemporal = await copyTemporal(dataDir, temporalCopy);
    const manifest: Manifest = {
      format: FORMAT,
      version: VERSION,
      temporalAt,
      takenAt: now().toISOString(),
      migrations: [...(await appliedMigrations(url))].sort(),
      secretsElsewhere: secretsElsewhere(),
    };
    const kept = [...secretFiles(dataDir).map((name) => `secrets/${name}`), ...PASSWORD_FILES];
    const files = [
      ...kept.map((path) => ({ path, from: join(dataDir, path) })),
      ...(hasTemporal ? [{ path: 'temporal.db', from: temporalCopy }] : []),
    ];
    const bytes = await withBaseBackup({ port: Number(new URL(url).port), password }, (postgres) =>
      writeArchive(target, partial, { manifest, files, postgres }, { replace: force }),
    );
    return { bytes, manifest };
  } finally {
    await shutdown.close();
  }
}

/** Deletes older backups of the folder, and nothing with another name. */
function deleteOlder(folder: string, keep: number): string[] {
  const older = readdirSync(folder)
    .filter((name) => NAME.test(name))
    .sort()
    .slice(0, -keep);
  for (const name of older) rmSync(join(folder, name));
  return older;
}

function summary({ target, keep }: Task, { bytes, manifest }: Done): string {
  const megabytes = (bytes / 1e6).toFixed(1);
  const deleted = keep === undefined ? [] : deleteOlder(dirname(target), keep);
  const { secretsElsewhere: elsewhere } = manifest;
  return [
    `Backed up to ${target} (${megabytes} MB), as of ${manifest.takenAt}.`,
    'It contains the secrets and all personal data: keep it as secret as DATA_DIR, and off this machine.',
    ...(elsewhere.length === 0
      ? []
      : [`Not in it, because the environment sets them: ${elsewhere.join(', ')}. Keep them with your deployment.`]),
    ...(deleted.length === 0 ? [] : [`Deleted: ${deleted.map((name) => basename(name)).join(', ')}`]),
  ].join('\n');
}

const wholeReason = (error: unknown): string => {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  if (code === 'ENOSPC') return 'The disk is full: nothing was written';
  return explain(error);
};

export async function runBackup(args: readonly string[]): Promise<void> {
  let task: Task | undefined;
  try {
    task = taskOf(args, new Date());
  } catch {
    // An unknown option.
  }
  if (task === undefined) {
    process.stderr.write(USAGE);
    process.exitCode = 1;
    return;
  }
  try {
    process.stdout.write(`${summary(task, await backUp(loadWithSecrets([]), task))}\n`);
  } catch (error) {
    process.stderr.write(`${wholeReason(error)}\n`);
    process.exitCode = 1;
  }
}
