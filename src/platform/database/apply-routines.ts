import { readdirSync, readFileSync } from 'node:fs';
import type { Client } from 'pg';

const FOLDER = new URL('./routines/', import.meta.url);

/**
 * Creates or replaces the functions of `src/platform/database/routines`, each with the rights that its file grants. The functions
 * belong to `quita_functions`, a role without a login that sees only the columns that they use. The role may create
 * functions only during this transaction.
 *
 * The statements run on every start with the owner's login, so a routine needs no migration of its own. A process that
 * only serves waits for migrations and not for routines: a routine whose parameters or result change gets a new name,
 * and a migration drops the old one.
 */
export async function applyRoutines(owner: Client): Promise<void> {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.sql'));
  const routines = files.toSorted().map((file) => readFileSync(new URL(file, FOLDER), 'utf8'));
  await owner.query(
    [
      'begin',
      'grant create on schema public to quita_functions',
      'set local role quita_functions',
      ...routines,
      'reset role',
      'revoke create on schema public from quita_functions',
      'commit',
    ].join(';\n'),
  );
}
