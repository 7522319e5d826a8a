import { createRecentEntries } from './recent-entries.ts';

export interface BucketRate {
  /** What a bucket holds, and what flows into it within `durationSeconds`. */
  readonly points: number;
  readonly durationSeconds: number;
}

export interface BucketOptions extends BucketRate {
  readonly now?: () => number;
  /** Buckets that are kept at least, in each of two generations. */
  readonly room?: number;
}

export interface BucketState {
  /** Whether the call may go on. */
  readonly granted: boolean;
  /** Whole points that are left. */
  readonly remaining: number;
  /** Until the bucket is full again. */
  readonly fullInSeconds: number;
  /** Until the next point is there; at least 1 where the call was refused. */
  readonly retryAfterSeconds: number;
}

interface Bucket {
  points: number;
  at: number;
}

const ROOM = 50_000;

/**
 * A token bucket for each key, in this process. It refills continuously, so that no edge of a window lets twice the rate
 * through at once. A bucket that nobody used for as long as it takes to fill is as good as a new one, and forgotten.
 */
export function createTokenBuckets({
  points,
  durationSeconds,
  now = () => performance.now(),
  room = ROOM,
}: BucketOptions) {
  const pointsPerMs = points / (durationSeconds * 1000);
  // Twice as long, because a bucket may be in debt by what it holds.
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
    /** Takes one point where there is one. A refused call takes nothing, so that whoever waits as told is served. */
    take(key: string): BucketState {
      const bucket = bucketOf(key);
      const granted = bucket.points >= 1;
      if (granted) {
        bucket.points -= 1;
        buckets.keep(key, bucket);
      }
      return stateOf(bucket, granted);
    },
    /** What `take` would answer, without taking. */
    look(key: string): BucketState {
      const bucket = bucketOf(key);
      return stateOf(bucket, bucket.points >= 1);
    },
    /** Takes one point for what has happened already, down to a debt of as much as the bucket holds. */
    charge(key: string): void {
      const bucket = bucketOf(key);
      bucket.points = Math.max(-points, bucket.points - 1);
      buckets.keep(key, bucket);
    },
    size: buckets.size,
  };
}

export type TokenBuckets = ReturnType<typeof createTokenBuckets>;
