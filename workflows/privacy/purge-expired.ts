import { patched } from '@temporalio/workflow';
import { chores, purgeEndedDebts } from '../proxies.ts';
import { VERSIONS } from '../versions.ts';

/** Returns how many expired rows were deleted. */
export async function purgeExpired(): Promise<number> {
  const expired = await chores.purgeExpired();
  if (patched(VERSIONS.purgeEndedDebts)) await purgeEndedDebts();
  return expired;
}
