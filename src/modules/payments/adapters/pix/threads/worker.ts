import { parentPort } from 'node:worker_threads';
import type { GivenCertificate } from '../../../rules/given-account.ts';
import { type CertificateAnswer, readCertificate } from '../certificate.ts';

const port = parentPort;
if (!port) throw new Error('this file runs as a worker thread only');

port.on('message', ({ given, now }: { readonly given: GivenCertificate; readonly now: Date }) => {
  port.postMessage(readCertificate(given, now) satisfies CertificateAnswer);
});
