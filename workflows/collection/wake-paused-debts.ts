import { wakePaused } from '../proxies.ts';

/**
 * Runs on a schedule, because Temporal's visibility index lags and a batch signal after a resume may miss some debts.
 */
export async function wakePausedDebts(): Promise<void> {
  await wakePaused();
}
