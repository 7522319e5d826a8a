import { parentPort } from 'node:worker_threads';
import type { Answer, Task } from '../../../src/modules/agent/adapters/threads/messages.ts';

const UNDERSTANDING = {
  intent: 'other',
  date: null,
  confidence: 1,
  also: [],
  topics: [],
  mentionsDeath: false,
} as const;
const answer = (each: Answer): void => parentPort?.postMessage(each);

/** Two ways for each `a `. */
const ENDLESS = /^(?:(?:a|a) )*x/;

/** Reads some messages for ever, and some break it; every other is understood. */
parentPort?.on('message', ({ message }: Task) => {
  if (message.startsWith('sem fim')) ENDLESS.test('a '.repeat(100));
  if (message.startsWith('quebra')) process.exit(1);
  if (message.startsWith('lança')) throw new Error('of the worker');
  answer(message.startsWith('falha') ? { kind: 'failed' } : { kind: 'understood', understanding: UNDERSTANDING });
});
answer({ kind: 'ready' });
