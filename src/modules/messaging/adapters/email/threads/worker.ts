import { parentPort } from 'node:worker_threads';
import { readMail } from '../read-mail.ts';
import type { ReadAnswer, ReadRequest } from './messages.ts';

const port = parentPort;
if (!port) throw new Error('this file runs as a worker thread only');

port.on('message', async ({ raw }: ReadRequest) => {
  // The error of a parser may repeat parts of the mail, so nothing of it leaves the thread.
  const facts = await readMail(raw).catch(() => null);
  port.postMessage({ facts } satisfies ReadAnswer);
});
