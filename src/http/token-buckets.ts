import { createRecentEntries } from './recent-entries.ts';

export interface BucketRate {
  /** The size of a bucket, and the points that it gets within `durationSeconds`. */
  readonly points: number;
  readonly durationSeconds: number;
}

export interface BucketOptions extends BucketRate {
  readonly now?: () => number;
  /** The least number of buckets that is kept, in each of two generations. */
  readonly room?: number;
}

export interface BucketState {
  /** Whether the call is allowed. */
  readonly granted: boolean;
  /** The whole points that are left. */
  readonly remaining: number;
  /** The time until the bucket is full again. */
  readonly fullInSeconds: number;
  /** The time until the next point is available; at least 1 after a refusal. */
  readonly retryAfterSeconds: number;
}

interface Bucket {
  points: number;
  at: number;
}

const ROOM = 50_000;

/**
 * A token bucket for each key, kept in memory. It refills continuously, so that the edge of a window never allows twice
 * the rate at once. A bucket that was not used for as long as it takes to fill is equal to a new one, and is forgotten.
 */
export function createTokenBuckets({
  points,
  durationSeconds,
  now = () => performance.now(),
  room = ROOM,
}: BucketOptions) {
  const pointsPerMs = points / (durationSeconds * 1000);
  // The age is doubled because a bucket may be negative by its whole size.
  const buckets = createRecentEntries<Bucket>({ ageMs: 2 * durationSeconds * 1000, room, now });

  const bucketOf = (key: string): Bucket => {
    const at = now();
    const known = buckets.use(key);
    if (known === undefined) return { points, at };
    known.points = Math.min(points, known.points + (at - known.at) * pointsPerMs);
    known.at = at;
    return known;
  };

  const stateOf = (bucket: Bucket, granted: boolean): BucketState => ({
    granted,
    remaining: Math.max(0, Math.floor(bucket.points)),
    fullInSeconds: Math.ceil((points - bucket.points) / pointsPerMs / 1000),
    retryAfterSeconds: granted ? 0 : Math.max(1, Math.ceil((1 - bucket.points) / pointsPerMs / 1000)),
  });

  return {
    /** Takes one point if there is one. A refused call takes none, so that waiting for `retryAfterSeconds` is enough. */
    take(key: string): BucketState {
      const bucket = bucketOf(key);
      const granted = bucket.points >= 1;
      if (granted) {
        bucket.points -= 1;
        buckets.keep(key, bucket);
      }
      return stateOf(bucket, granted);
    },
    /** Returns what `take` would return, without taking a point. */
    look(key: string): BucketState {
      const bucket = bucketOf(key);
      return stateOf(bucket, bucket.points >= 1);
    },
    /** Takes one point for an event that has already happened; the bucket becomes negative at most by its size. */
    charge(key: string): void {
      const bucket = bucketOf(key);
      bucket.points = Math.max(-points, bucket.points - 1);
      buckets.keep(key, bucket);
    },
    size: buckets.size,
  };
}
