import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import type { LoginPasswords } from './logins.ts';
import { knownMigrations, migrate, migrationName, refuseUnknownMigrations } from './migrate.ts';
import { servesAs } from './serving-access.ts';

/** How long a start waits for a migration that another process runs at the same time. */
const PATIENCE_MS = 30_000;
const PAUSE_MS = 500;
const UNDEFINED_FUNCTION = '42883';

export class DatabaseNotMigratedError extends Error {
  constructor() {
    super(
      'The schema of the database is older than this version: run `quita migrate` with the DATABASE_URL of its owner',
    );
    this.name = 'DatabaseNotMigratedError';
  }
}

export async function appliedMigrations(url: string): Promise<Set<string>> {
  const client = new Client({ connectionString: url, application_name: 'quita' });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ name: string }>('select name from quita_applied_migrations() as name');
    return new Set(rows.map((row) => migrationName(row.name)));
  } catch (error) {
    if ((error as { code?: unknown }).code === UNDEFINED_FUNCTION) return new Set();
    throw error;
  } finally {
    await client.end().catch(() => {});
  }
}

async function waitForSchema(url: string, patienceMs: number): Promise<void> {
  const known = knownMigrations();
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const applied = await appliedMigrations(url);
    refuseUnknownMigrations(applied);
    if ([...known].every((name) => applied.has(name))) return;
    if (performance.now() > deadline) throw new DatabaseNotMigratedError();
    await pause(PAUSE_MS);
  }
}

/** Migrates with the owner's URL. A serving login only waits until the schema is the one that this version knows. */
export async function prepareDatabase(
  url: string,
  { passwords, patienceMs = PATIENCE_MS }: { readonly passwords?: LoginPasswords; readonly patienceMs?: number } = {},
): Promise<string[]> {
  if ((await servesAs(url)) === null) return migrate(url, passwords);
  await waitForSchema(url, patienceMs);
  return [];
}
