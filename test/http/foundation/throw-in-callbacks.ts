/** Throws in every kind of callback of a request, and prints how each request was answered. */
import { EventEmitter } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { z } from 'zod';
import { defineRoute } from '../../../src/platform/http/define-route.ts';
import { keepServing } from '../../../src/platform/http/unhandled-errors.ts';
import { startHttpHarness, stopHttpHarnesses } from '../../../testing/http-harness.ts';

const fail = (): never => {
  throw new Error('thrown by a test');
};

const KINDS: Readonly<Record<string, () => unknown>> = {
  timer: () => setTimeout(fail, 1),
  immediate: () => setImmediate(fail),
  'next tick': () => process.nextTick(fail),
  microtask: () => queueMicrotask(fail),
  promise: () => void Promise.resolve().then(fail),
  'asynchronous function': () => void (async () => fail())(),
  'asynchronous listener': () => {
    const emitter = new EventEmitter();
    emitter.on('part', async () => fail());
    emitter.emit('part');
  },
  'error event without a listener': () => setImmediate(() => new EventEmitter().emit('error', new Error('thrown'))),
  'listener of a stream': () => Readable.from(['a']).on('data', fail),
  'write of a stream': () => Readable.from(['a']).pipe(new Writable({ write: fail })),
};

const { call, server } = await startHttpHarness({
  routes: [
    defineRoute({
      method: 'GET',
      path: '/api/throws/:kind',
      operationId: 'sampleThrows',
      tags: ['Samples'],
      summary: 'A sample',
      errors: [],
      auth: 'none',
      params: z.object({ kind: z.string() }),
      responses: { 200: { description: 'Never' } },
      handler: async ({ params: { kind } }) => {
        KINDS[kind]?.();
        return new Promise(() => undefined);
      },
    }),
  ],
});
const stop = keepServing({
  error: (fields, message) => process.stderr.write(`${message} ${JSON.stringify(fields)}\n`),
});
const answers: Record<string, unknown> = {};
for (const kind of Object.keys(KINDS)) {
  const answer = await call(`/api/throws/${kind}`);
  answers[kind] = [answer.status, ((await answer.json()) as { code: string }).code];
}
// Nobody waits for an answer to this one.
setTimeout(fail, 1);
await new Promise((resolve) => setTimeout(resolve, 20));
answers['afterwards'] = (await fetch(`${server.url}/health/live`)).status;
stop();
await stopHttpHarnesses();
process.stdout.write(JSON.stringify(answers));
