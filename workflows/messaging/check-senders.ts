import { checkSenders as check } from '../proxies.ts';

/** Runs on a schedule, so that a token that has expired is noticed although nothing is sent. */
export async function checkSenders(): Promise<number> {
  return check();
}
