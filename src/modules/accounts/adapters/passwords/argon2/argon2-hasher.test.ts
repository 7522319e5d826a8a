import { describe, expect, it } from '@jest/globals';
import { createArgon2Hasher } from './argon2-hasher.ts';

describe('argon2 hasher', () => {
  it('verifies a password by its hash, and no password without a hash', async () => {
    const hasher = createArgon2Hasher();
    const hash = await hasher.hash('Cobranca2026');
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,/);
    expect(hash).not.toBe(await hasher.hash('Cobranca2026'));
    expect(await hasher.verify(hash, 'Cobranca2026')).toBe(true);
    expect(await hasher.verify(hash, 'Cobranca2027')).toBe(false);
    expect(await hasher.verify(null, 'Cobranca2026')).toBe(false);
  });

  it('refuses requests beyond the queue, and continues to work', async () => {
    const hasher = createArgon2Hasher({ atOnce: 1, longestQueue: 5 });
    const results = await Promise.allSettled(Array.from({ length: 50 }, () => hasher.hash('Cobranca2026')));
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused.length).toBeGreaterThanOrEqual(44);
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'unavailable' });
    expect(await hasher.hash('Cobranca2026')).toContain('argon2id');
  });

  it('computes at most the configured number of hashes at once', async () => {
    const hasher = createArgon2Hasher({ atOnce: 2 });
    await hasher.verify(null, 'warm');
    const before = process.memoryUsage.rss();
    let most = before;
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage.rss());
    }, 1);
    await Promise.all(Array.from({ length: 40 }, () => hasher.hash('Cobranca2026')));
    clearInterval(watch);
    // Forty at once would be 760 MiB.
    expect(most - before).toBeLessThan(300 * 1024 * 1024);
  });

  it('does not block the event loop', async () => {
    const hasher = createArgon2Hasher();
    let ticks = 0;
    const count = setInterval(() => {
      ticks += 1;
    }, 1);
    await Promise.all(Array.from({ length: 20 }, () => hasher.hash('Cobranca2026')));
    clearInterval(count);
    // If the event loop computed the hashes, there would be at most one tick for each hash.
    expect(ticks).toBeGreaterThan(40);
  });
});
