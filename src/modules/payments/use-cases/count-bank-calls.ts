import type { Database } from '../../../platform/database/database.ts';
import type { BankCalls } from '../ports/bank-calls.ts';
import { BANK_CALL_WAIT, TAKE_BANK_CALL } from '../queries/bank-calls.ts';

/** The API reaches these rows by the signature of authentication alone, so that no injected statement stops the calls of others. */
const SCOPE = { auth: true } as const;

/** Counts in PostgreSQL, and so together with all other processes. A call that is counted costs one statement. */
export const createBankCalls = (db: Pick<Database, 'writePrepared'>): BankCalls => ({
  async take(scope, limit) {
    const [taken] = await db.writePrepared(SCOPE, TAKE_BANK_CALL, { scope, ...limit });
    if (taken !== undefined) return 0;
    const [wait] = await db.writePrepared(SCOPE, BANK_CALL_WAIT, { scope, ...limit });
    return Math.max(1, wait?.ms ?? 0);
  },
});
