import { LRUCache } from 'lru-cache';

export interface BucketRate {
  /** The size of a bucket, and the points that it gets within `durationSeconds`. */
  readonly points: number;
  readonly durationSeconds: number;
}

export interface BucketOptions extends BucketRate {
  readonly now?: () => number;
  /** The largest number of buckets that is kept. With more keys, the bucket that was used least recently is dropped. */
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

const ROOM = 100_000;

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
  const ageMs = 2 * durationSeconds * 1000;
  const buckets = new LRUCache<string, Bucket>({
    // `max` would allocate the room for all entries at once, 4 MB for each rate.
    maxSize: room,
    sizeCalculation: () => 1,
    ttl: ageMs,
    ttlResolution: 0,
    perf: { now },
    updateAgeOnGet: true,
  });
  let purgedAt = now();

  /** The cache deletes an aged entry only when its key is asked for again, and most keys never are. */
  const purge = (at: number): void => {
    if (at - purgedAt < ageMs) return;
    buckets.purgeStale();
    purgedAt = at;
  };

  const bucketOf = (key: string): Bucket => {
    const at = now();
    purge(at);
    const known = buckets.get(key);
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
        buckets.set(key, bucket);
      }
      return stateOf(bucket, granted);
    },
    /** Returns what `take` would return, without taking a point. */
    look(key: string): BucketState {
      const bucket = bucketOf(key);
      return stateOf(bucket, bucket.points >= 1);
    },
    /** Takes points for an event that has already happened; the bucket becomes negative at most by its size. */
    charge(key: string, count = 1): void {
      const bucket = bucketOf(key);
      bucket.points = Math.max(-points, bucket.points - count);
      buckets.set(key, bucket);
    },
    size: (): number => buckets.size,
  };
}
