import { describe, expect, it } from '@jest/globals';
import { createTokenBuckets } from './token-buckets.ts';

function bucketsAt(points: number, room?: number) {
  // The cache takes a start at 0 for no start.
  let at = 1_000;
  const buckets = createTokenBuckets({
    points,
    durationSeconds: 60,
    now: () => at,
    ...(room === undefined ? {} : { room }),
  });
  return { buckets, wait: (seconds: number) => (at += seconds * 1000) };
}

describe('a token bucket', () => {
  it('grants its points, then tells when the next point is available, and grants it then', () => {
    const { buckets, wait } = bucketsAt(6);
    const taken = Array.from({ length: 6 }, () => buckets.take('a'));
    expect(taken.map(({ granted, remaining }) => [granted, remaining])).toEqual(
      [5, 4, 3, 2, 1, 0].map((left) => [true, left]),
    );
    expect(taken.map(({ fullInSeconds }) => fullInSeconds)).toEqual([10, 20, 30, 40, 50, 60]);
    expect(buckets.take('a')).toMatchObject({ granted: false, remaining: 0, retryAfterSeconds: 10 });
    wait(9.5);
    expect(buckets.take('a')).toMatchObject({ granted: false, retryAfterSeconds: 1 });
    wait(1);
    expect(buckets.take('a').granted).toBe(true);
    expect(buckets.take('b').granted).toBe(true);
  });

  it('refills continuously, so that no window edge grants more calls at once than its size', () => {
    const { buckets, wait } = bucketsAt(60);
    const granted = () => Array.from({ length: 500 }, () => buckets.take('a')).filter((one) => one.granted).length;
    wait(59);
    expect(granted()).toBe(60);
    wait(1.5);
    expect(granted()).toBe(1);
    wait(600);
    expect(granted()).toBe(60);
  });

  it('costs a refused call nothing', () => {
    const { buckets, wait } = bucketsAt(1);
    buckets.take('a');
    for (let second = 0; second < 59; second++) {
      wait(1);
      expect(buckets.take('a').granted).toBe(false);
    }
    wait(1.1);
    expect(buckets.take('a').granted).toBe(true);
  });

  it('becomes negative by charges, at most by its size', () => {
    const { buckets, wait } = bucketsAt(6);
    for (let times = 0; times < 1000; times++) buckets.charge('a');
    expect(buckets.look('a')).toMatchObject({ granted: false, retryAfterSeconds: 70 });
    wait(70.1);
    expect(buckets.look('a').granted).toBe(true);
    expect(buckets.look('a').granted).toBe(true);
  });

  it('is kept while it is not full and forgotten later, so that many keys do not fill the memory', () => {
    const { buckets, wait } = bucketsAt(10, 1_000);
    for (let key = 0; key < 100_000; key++) buckets.take(`flood ${key}`);
    expect(buckets.size()).toBeLessThanOrEqual(2_001);
    wait(3_600);
    for (let times = 0; times < 10; times++) buckets.take('a');
    wait(3);
    for (let key = 0; key < 500; key++) buckets.take(`more ${key}`);
    expect(buckets.take('a').granted).toBe(false);
    wait(3_600);
    buckets.take('b');
    wait(3_600);
    buckets.take('b');
    expect(buckets.size()).toBeLessThanOrEqual(2);
    for (let key = 0; key < 100_000; key++) buckets.look(`nothing ${key}`);
    expect(buckets.size()).toBeLessThanOrEqual(2);
  });
});
