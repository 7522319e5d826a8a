import { mailInboxDigests as mail } from '../proxies.ts';

/** Runs on a schedule: what waits for a client's staff stands in a table, so that no item needs a signal of its own. */
export async function mailInboxDigests(): Promise<number> {
  return mail();
}
