import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Protection, protectAfterRestore } from '../../modules/campaigns/use-cases/protect-after-restore.ts';
import type { Config } from '../../platform/config/index.ts';
import { type Database, openDatabase } from '../../platform/database/database.ts';
import { knownMigrations, migrate } from '../../platform/database/migrate.ts';
import type { Manifest } from '../../platform/runtime/backup/manifest.ts';
import { extractArchive } from '../../platform/runtime/backup/read-archive.ts';
import { startEmbeddedPostgres } from '../../platform/runtime/embedded-postgres.ts';
import { clusterDirOf } from '../../platform/runtime/postgres-cluster.ts';
import { giveToPostgresUser } from '../../platform/runtime/postgres-programs.ts';
import { serviceClock } from '../../platform/runtime/service-clock.ts';
import { createShutdown, type Shutdown, stopOnSignals } from '../../platform/runtime/shutdown.ts';
import { explain, loadWithSecrets } from '../load-with-secrets.ts';
import { putInPlace, takeFolder } from './data-folder.ts';
import { onDatabase } from './on-database.ts';
import { requireEmbedded } from './require-embedded.ts';

const USAGE = `Usage:
  quita restore FILE                       restores a backup into DATA_DIR, which must be empty or missing
  quita restore FILE --data-dir FOLDER     the same into another folder
  quita restore FILE --force               keeps what is in the folder under another name, and restores
  quita restore FILE --stopped-at MOMENT   when the Quita that is replaced ran last, such as 2026-11-23T14:00:00Z; without
                                           it now. "backup": it has not run since the backup
  quita restore --own --taken-at MOMENT [--temporal-at MOMENT] [--stopped-at MOMENT]
                                           prepares servers of your own that you have restored, before a role starts:
                                           --taken-at is the state of PostgreSQL, --temporal-at that of Temporal

Nobody knows what was sent, asked or paid between the backup and that moment. Therefore campaigns that contact real
people are paused, and the limits of contacts count one contact of everybody on each of these days.
`;

interface FileTask {
  readonly archive: string;
  readonly dataDir: string | undefined;
  readonly force: boolean;
  readonly stoppedAt: Date | 'backup' | undefined;
}

interface OwnTask {
  readonly takenAt: Date;
  readonly temporalAt: Date;
  readonly stoppedAt: Date | 'backup' | undefined;
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/;

/** Returns undefined for a text that is not a moment. */
function momentOf(text: string): Date | undefined {
  const moment = new Date(MOMENT.test(text) ? text : '');
  return Number.isNaN(moment.getTime()) ? undefined : moment;
}

/** Returns undefined when the arguments are not understood. */
function taskOf(args: readonly string[]): FileTask | OwnTask | undefined {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { 'data-dir': text, force: flag, 'stopped-at': text, own: flag, 'taken-at': text, 'temporal-at': text },
    allowPositionals: true,
  });
  const { force, own, 'data-dir': dataDir, 'taken-at': taken, 'temporal-at': temporal = taken } = values;
  const given = values['stopped-at'];
  const stoppedAt = given === undefined || given === 'backup' ? given : momentOf(given);
  if (given !== undefined && stoppedAt === undefined) return undefined;
  const [archive = '', ...more] = positionals;
  if (own) {
    const [takenAt, temporalAt] = [momentOf(taken ?? ''), momentOf(temporal ?? '')];
    const isClear = positionals.length === 0 && !force && dataDir === undefined;
    return isClear && takenAt && temporalAt ? { takenAt, temporalAt, stoppedAt } : undefined;
  }
  if (archive === '' || more.length > 0 || temporal !== undefined) return undefined;
  return { archive: resolve(archive), dataDir, force, stoppedAt };
}

const accept = ({ migrations, version }: Manifest): void => {
  const known = knownMigrations();
  if (migrations.every((name) => known.has(name))) return;
  throw new Error(`The backup was made by a newer version of Quita (${version}): restore it with that version`);
};

/**
 * Starts PostgreSQL on the copy, which proves that it is whole, and prepares its contents for the next start of the
 * service.
 */
async function prepare(
  folder: string,
  config: Config,
  moments: Parameters<ReturnType<typeof protectAfterRestore>>[0],
): Promise<Protection> {
  giveToPostgresUser(clusterDirOf(folder));
  const server = await startEmbeddedPostgres({ dataDir: folder, log: () => undefined });
  try {
    await migrate(server.url, config.databasePasswords);
    const { clockOffset: clockOffsetMs } = config;
    const db = await openDatabase({ url: server.url, role: 'quita_operator', poolSize: 2, clockOffsetMs });
    try {
      return await protectAfterRestore({ db })(moments);
    } finally {
      await db.close();
    }
  } finally {
    await server.stop();
  }
}

interface Done {
  readonly takenAt: Date;
  readonly stoppedAt: Date;
  readonly protection: Protection;
}

interface Restored extends Done {
  readonly manifest: Manifest;
  readonly folder: string;
  readonly kept: string | undefined;
}

/** The moment after which the service that was lost has sent nothing. */
function endOf({ stoppedAt }: FileTask | OwnTask, takenAt: Date, now: Date): Date {
  if (stoppedAt === 'backup') return takenAt;
  if (stoppedAt === undefined) return now;
  if (stoppedAt > now) throw new Error('--stopped-at is in the future');
  return stoppedAt;
}

async function restore(config: Config, task: FileTask, shutdown: Shutdown): Promise<Restored> {
  requireEmbedded(config);
  if (!existsSync(task.archive)) throw new Error(`There is no file ${task.archive}`);
  const folder = resolve(task.dataDir ?? config.dataDir);
  const now = serviceClock(config.clockOffset)();
  endOf(task, now, now);
  const release = takeFolder(folder, task.force);
  shutdown.add('the lock of DATA_DIR', async () => release());
  const restored = `${folder}.restoring-${process.pid}`;
  shutdown.add('the unfinished copy', async () => rmSync(restored, { recursive: true, force: true }));
  mkdirSync(dirname(folder), { recursive: true });
  mkdirSync(restored, { mode: 0o700 });
  const manifest = await extractArchive(task.archive, restored, accept);
  // A backup is whole and needs neither a recovery from elsewhere nor settings that were changed in the database.
  for (const file of ['recovery.signal', 'standby.signal', 'postgresql.auto.conf']) {
    rmSync(join(clusterDirOf(restored), file), { force: true });
  }
  const takenAt = new Date(manifest.takenAt);
  const stoppedAt = endOf(task, takenAt, now);
  const temporalAt = new Date(manifest.temporalAt);
  const protection = await prepare(restored, config, { temporalAt, takenAt, stoppedAt });
  return { manifest, folder, kept: await putInPlace(restored, folder, release, now), takenAt, stoppedAt, protection };
}

async function prepareOwn(config: Config, task: OwnTask): Promise<Done> {
  if (config.databaseUrl === undefined) throw new Error('--own is for a DATABASE_URL of your own, and none is set');
  const { takenAt, temporalAt } = task;
  const now = serviceClock(config.clockOffset)();
  if (takenAt > now || temporalAt > now) throw new Error('--taken-at or --temporal-at is in the future');
  const stoppedAt = endOf(task, takenAt, now);
  const protect = (db: Database) => protectAfterRestore({ db })({ temporalAt, takenAt, stoppedAt });
  return { takenAt, stoppedAt, protection: await onDatabase(config, { name: 'restore' }, protect) };
}

const count = (many: number, one: string): string => `${many} ${one}${many === 1 ? '' : 's'}`;

function lostTime({ takenAt, stoppedAt, protection }: Done): string[] {
  const { paused, days } = protection;
  if (days === 0) return ['Nothing was sent since the backup, so the collection goes on where it was.'];
  const campaigns = paused.reduce((sum, client) => sum + client.campaigns, 0);
  return [
    `What happened from ${takenAt.toISOString()} until ${stoppedAt.toISOString()} is lost:`,
    `- The limits of contacts count one contact of everybody on ${count(days, 'day')}.`,
    `- ${count(campaigns, 'running campaign')} that would contact real people, of ${count(paused.length, 'client')}: paused.`,
    ...paused.map((client) => `    ${client.clientId}\t${count(client.campaigns, 'campaign')}`),
    '- Payments of the Pix codes that are known are found by themselves. What else happened (opt-outs, disputes, other',
    '  payments) is entered by the clients before they resume their campaigns: docs/runbook.md, "Restore".',
  ];
}

function summary(done: Restored): string {
  const { manifest, folder, kept } = done;
  return [
    `Restored into ${folder}: the state of ${manifest.takenAt} (version ${manifest.version}).`,
    ...(kept === undefined ? [] : [`What was there before is in ${kept}.`]),
    ...(manifest.secretsElsewhere.length === 0
      ? []
      : [`The environment must set the same ${manifest.secretsElsewhere.join(', ')} as before.`]),
    ...lostTime(done),
    'Start Quita with `npm start`.',
  ].join('\n');
}

export async function runRestore(args: readonly string[]): Promise<void> {
  let task: FileTask | OwnTask | undefined;
  try {
    task = taskOf(args);
  } catch {
    // An unknown option.
  }
  if (task === undefined) {
    process.stderr.write(USAGE);
    process.exitCode = 1;
    return;
  }
  const shutdown = createShutdown((line) => process.stderr.write(`${line}\n`));
  if ('archive' in task) stopOnSignals(shutdown.close, () => undefined);
  try {
    const config = loadWithSecrets([]);
    const done =
      'archive' in task
        ? summary(await restore(config, task, shutdown))
        : lostTime(await prepareOwn(config, task)).join('\n');
    process.stdout.write(`${done}\n`);
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = 1;
  } finally {
    await shutdown.close();
  }
}
