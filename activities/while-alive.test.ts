import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { whileAlive } from './while-alive.ts';

function environment() {
  const env = new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });
  let beats = 0;
  env.on('heartbeat', () => {
    beats += 1;
  });
  return { env, beats: () => beats };
}

describe('an activity with heartbeats', () => {
  it('sends heartbeats while it runs, and none afterwards', async () => {
    const { env, beats } = environment();
    const slow = whileAlive(async (ms: number) => sleep(ms, 'done'), 10);
    expect(await env.run(slow, 200)).toBe('done');
    const seen = beats();
    expect(seen).toBeGreaterThanOrEqual(3);
    await sleep(50);
    expect(beats()).toBe(seen);
  });

  it('stops its heartbeats when it fails, and fails with the same error', async () => {
    const { env, beats } = environment();
    const failure = new Error('down');
    const fails = whileAlive(async () => {
      await sleep(50);
      throw failure;
    }, 10);
    await expect(env.run(fails, undefined)).rejects.toBe(failure);
    const seen = beats();
    await sleep(50);
    expect(beats()).toBe(seen);
  });

  it('sends no heartbeat when it ends quickly', async () => {
    const { env, beats } = environment();
    expect(
      await env.run(
        whileAlive(async () => 'done'),
        undefined,
      ),
    ).toBe('done');
    expect(beats()).toBe(0);
  });
});
