import { describe, expect, it } from '@jest/globals';
import { createShutdown } from './shutdown.ts';

describe('shutdown', () => {
  it('runs the steps once, in reverse order, and waits for each of them', async () => {
    const order: string[] = [];
    const shutdown = createShutdown(() => {});
    for (const name of ['PostgreSQL', 'Temporal', 'service']) {
      shutdown.add(name, async () => {
        order.push(`${name} begins`);
        await new Promise((resolve) => setImmediate(resolve));
        order.push(`${name} ends`);
      });
    }
    expect(shutdown.requested()).toBe(false);
    expect(await Promise.all([shutdown.close(), shutdown.close()])).toEqual([true, true]);
    expect(shutdown.requested()).toBe(true);
    expect(order.map((line) => line.split(' ')[0])).toEqual([
      'service',
      'service',
      'Temporal',
      'Temporal',
      'PostgreSQL',
      'PostgreSQL',
    ]);
  });

  it('runs the other steps when one fails, logs the failure and reports that the stop was not clean', async () => {
    const lines: string[] = [];
    const order: string[] = [];
    const shutdown = createShutdown((line) => lines.push(line));
    shutdown.add('PostgreSQL', async () => {
      order.push('PostgreSQL');
    });
    shutdown.add('service', () => Promise.reject(new Error('stuck')));
    expect(await shutdown.close()).toBe(false);
    expect(order).toEqual(['PostgreSQL']);
    expect(lines).toEqual(['Stopping service failed: stuck']);
  });
});
