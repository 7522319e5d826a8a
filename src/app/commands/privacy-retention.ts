import { AppError } from '../../kernel/errors.ts';
import { MAX_TIMELINE_DAYS, SHORTEST_TIMELINE_DAYS, TIMELINE_DAYS } from '../../kernel/retention-periods.ts';
import { type Retention, readRetention, setRetention } from '../../modules/accounts/use-cases/retention.ts';
import type { Database } from '../../platform/database/database.ts';
import { loadWithSecrets } from '../load-with-secrets.ts';
import { onDatabase } from './on-database.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const BOUNDS = `Give a whole number of days from ${SHORTEST_TIMELINE_DAYS} to ${MAX_TIMELINE_DAYS}, or default:
- until ${SHORTEST_TIMELINE_DAYS} days a payment may be returned and files of debtors are kept, and the staff need to see what they
  belong to;
- ten years are the longest limitation period (Civil Code, art. 205), and data has to have an end (LGPD, arts. 15, 16).`;

const KEPT = `Receipts, payments, amounts, statuses and suppressions stay: docs/privacy.md has the list.`;

/** `undefined` only shows the time, null is the time of the deployment. */
function readDays(given: string | undefined): number | null | undefined {
  if (given === undefined) return undefined;
  if (given === 'default') return null;
  const days = /^\d{1,5}$/.test(given) ? Number(given) : Number.NaN;
  if (days >= SHORTEST_TIMELINE_DAYS && days <= MAX_TIMELINE_DAYS) return days;
  throw new Error(BOUNDS);
}

const line = (clientId: string, { days, own }: Retention): string =>
  `${clientId}\t${days} days\t${own ? `its own time; the default is ${TIMELINE_DAYS}` : 'the default'}
Timeline and messages of a debt are removed so long after its last change, once it has ended. ${KEPT}`;

/** Returns false when the arguments are no use of the command. */
export async function runRetention(args: readonly string[]): Promise<boolean> {
  const [clientId, given, ...more] = args;
  if (clientId === undefined || more.length > 0) return false;
  if (!UUID.test(clientId)) throw new Error(`There is no client ${clientId}`);
  const days = readDays(given);
  const work = (db: Database): Promise<Retention> =>
    days === undefined ? readRetention({ db })(clientId) : setRetention({ db })({ clientId, days });
  try {
    const command = { name: 'privacy retention', client: clientId };
    const retention = await onDatabase(loadWithSecrets([]), command, work);
    process.stdout.write(`${line(clientId, retention)}\n`);
  } catch (error) {
    throw error instanceof AppError && error.code === 'not_found' ? new Error(`There is no client ${clientId}`) : error;
  }
  return true;
}
