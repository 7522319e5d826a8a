import type { Database } from '../../../platform/database/database.ts';
import { CLIENTS_WITH_QUITTANCES_TO_SHORTEN, shortenDueQuittances } from '../queries/annual-quittances.ts';
import { CLIENTS_WITH_RECEIPTS_TO_SHORTEN, shortenDueReceipts } from '../queries/receipt-shortening.ts';

/** Small enough that no other transaction waits long for a row that this one changes. */
const RECEIPTS_PER_STATEMENT = 500;

const KINDS = [
  { ofClients: CLIENTS_WITH_RECEIPTS_TO_SHORTEN, shorten: shortenDueReceipts },
  { ofClients: CLIENTS_WITH_QUITTANCES_TO_SHORTEN, shorten: shortenDueQuittances },
] as const;

/**
 * Removes the debtor's data from the receipts and annual quittances of erased debts when the duty to keep them whole has ended. Protocol,
 * amount, dates, creditor and revocation stay, so that the protocol can still be verified. Returns the number of
 * shortened receipts.
 */
export const shortenReceipts =
  ({ db, now }: { readonly db: Pick<Database, 'readPrepared' | 'tenant'>; readonly now: () => Date }) =>
  async (): Promise<number> => {
    const at = now();
    let count = 0;
    for (const { ofClients, shorten } of KINDS) {
      for (const { clientId } of await db.readPrepared({}, ofClients, { at })) {
        let done: number;
        do {
          const due = { clientId, at, limit: RECEIPTS_PER_STATEMENT };
          done = (await db.tenant(clientId).transactional((tx) => shorten(tx, due))).length;
          count += done;
        } while (done === RECEIPTS_PER_STATEMENT);
      }
    }
    return count;
  };
