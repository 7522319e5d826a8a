import { describe, expect, it } from '@jest/globals';
import { isReady, PATIENCE, serve, temporal, urlOf } from './outside.ts';
import { eventually } from './support.ts';

describe('the service with external PostgreSQL and Temporal', () => {
  it(
    'runs its roles in separate processes',
    async () => {
      await temporal.start();
      const worker = serve(['worker']);
      const relay = serve(['relay']);
      const apis = [serve(['api']), serve(['api'])];
      for (const api of apis) {
        const url = await urlOf(api);
        await eventually(() => isReady(url), 'a worker and a relay elsewhere', PATIENCE);
      }
      for (const one of [worker, relay, ...apis]) one.signal('SIGINT');
      for (const one of [worker, relay, ...apis]) expect(await one.ended).toBe(0);
    },
    PATIENCE * 2,
  );
});
