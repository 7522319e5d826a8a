import { describe, expect, it } from '@jest/globals';
import { readAtMost, regainAccessSeconds, retryAfterSeconds } from './http-answer.ts';

describe('an answer', () => {
  const chunks = (count: number) => {
    let sent = 0;
    let cancelled = false;
    const body = new ReadableStream({
      pull(controller) {
        sent += 1;
        controller.enqueue(new Uint8Array(100));
        if (sent === count) controller.close();
      },
      cancel() {
        cancelled = true;
      },
    });
    return { response: new Response(body), told: () => ({ sent, cancelled }) };
  };

  it('is read up to its limit', async () => {
    const { response } = chunks(3);
    expect((await readAtMost(response, 300))?.byteLength).toBe(300);
    expect(await readAtMost(new Response(null), 10)).toEqual(Buffer.alloc(0));
  });

  it('is ended when it goes on after the limit', async () => {
    const { response, told } = chunks(1_000);
    expect(await readAtMost(response, 250)).toBeNull();
    expect(told().cancelled).toBe(true);
    expect(told().sent).toBeLessThan(10);
  });

  it('is not read at all when its length is announced', async () => {
    const { response, told } = chunks(1_000);
    const announced = new Response(response.body, { headers: { 'content-length': '100000' } });
    expect(await readAtMost(announced, 250)).toBeNull();
    expect(told().cancelled).toBe(true);
  });
});

describe('the wait that an answer names', () => {
  const NOW = Date.UTC(2026, 10, 20, 12);

  it.each([
    ['30', 30],
    ['0', 0],
    ['999999999', 86_400],
    ['Fri, 20 Nov 2026 12:01:00 GMT', 60],
    ['Fri, 20 Nov 2026 11:00:00 GMT', 0],
    ['soon', undefined],
    ['', undefined],
    [null, undefined],
  ])('is read from Retry-After %p as %p', (header, seconds) => {
    expect(retryAfterSeconds(header, NOW)).toBe(seconds);
  });

  it.each([
    ['{"1":[{"type":"messaging","estimated_time_to_regain_access":19}]}', 1_140],
    ['{"1":[{"estimated_time_to_regain_access":0}],"2":[{"estimated_time_to_regain_access":2}]}', 120],
    ['{"1":[{"estimated_time_to_regain_access":"5"}]}', undefined],
    ['{"1":[{"estimated_time_to_regain_access":99999}]}', 86_400],
    ['null', undefined],
    ['{', undefined],
    [null, undefined],
  ])('is read from the usage %p as %p', (header, seconds) => {
    expect(regainAccessSeconds(header)).toBe(seconds);
  });
});
