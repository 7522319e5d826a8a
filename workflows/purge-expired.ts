import { chores } from './proxies.ts';

export async function purgeExpired(): Promise<number> {
  return chores.purgeExpired();
}
