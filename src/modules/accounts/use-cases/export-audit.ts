import { addRequestAudit, type RequestSource } from '../queries/add-audit.ts';
import type { AuditRow } from '../queries/audit.ts';
import type { AccountDeps } from './deps.ts';
import { type AuditFilter, type AuditPlace, readEntries } from './read-audit.ts';

/** The newest entries alone go into a file; older ones are asked for by a period. */
export const MAX_EXPORTED_ENTRIES = 100_000;

const PORTION = 250;

async function* portionsOf(db: AccountDeps['db'], filter: AuditFilter): AsyncGenerator<AuditRow[]> {
  let before: AuditPlace | undefined;
  for (let left = MAX_EXPORTED_ENTRIES; left > 0; left -= PORTION) {
    const rows = await readEntries(db, filter, { before, limit: Math.min(PORTION, left) });
    before = rows.at(-1);
    yield rows;
    if (rows.length < PORTION) return;
  }
}

/**
 * Returns the entries in portions. Entries are never changed, so that pages by moment and number neither skip nor repeat
 * one, and no transaction is open while they are written. The export is the first of its own entries.
 */
export const exportAudit =
  ({ db }: Pick<AccountDeps, 'db'>) =>
  async (filter: AuditFilter & { readonly source: RequestSource }): Promise<AsyncIterable<AuditRow[]>> => {
    const { clientId, source, action = null, from = null, to = null } = filter;
    await db
      .tenant(clientId)
      .transactional((tx) =>
        addRequestAudit(tx, { clientId, source, action: 'audit_exported', details: { filter: action, from, to } }),
      );
    return portionsOf(db, filter);
  };
