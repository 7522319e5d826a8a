import type { SenderQuality } from '../../ports/messaging-channel.ts';

const UNLIMITED = -1;
/** More than Brazil has people: such a number is no limit, and it would not fit into its column. */
const MOST = 999_999_999;

/**
 * Reads how many people a business may reach in 24 hours: a tier such as `TIER_2K`, or a number. Returns null when there
 * is no limit or when the value says nothing.
 */
export function peoplePerDay(limit: unknown): number | null {
  if (typeof limit === 'number') return Number.isInteger(limit) && limit > UNLIMITED && limit <= MOST ? limit : null;
  if (typeof limit !== 'string') return null;
  if (/^\d{1,9}$/.test(limit)) return Number(limit);
  // A number that has not sent yet begins with the lowest limit of new businesses.
  if (limit === 'TIER_NOT_SET') return 250;
  const [, count, thousands] = /^TIER_(\d{1,4})(K?)$/.exec(limit) ?? [];
  return count === undefined ? null : Number(count) * (thousands === 'K' ? 1_000 : 1);
}

const STOPPED = ['BANNED', 'DISCONNECTED', 'MIGRATED', 'RATE_LIMITED', 'RESTRICTED'];

/** Reads `status` and `quality_rating` of a number. Null: WhatsApp has not rated the number yet. */
export function qualityOf(status: string | null, rating: string | null): SenderQuality | null {
  if (status !== null && STOPPED.includes(status)) return 'blocked';
  if (status === 'FLAGGED' || rating === 'YELLOW' || rating === 'RED') return 'low';
  return rating === 'GREEN' ? 'good' : null;
}
