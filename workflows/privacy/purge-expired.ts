import { chores, purgeEndedDebts } from '../proxies.ts';

/** Returns how many expired rows were deleted. */
export async function purgeExpired(): Promise<number> {
  const expired = await chores.purgeExpired();
  await purgeEndedDebts();
  return expired;
}
