import { afterEach, describe, expect, it } from '@jest/globals';
import { createMailReader, type MailReader, type MailReaderOptions } from './mail-reader.ts';

const open: MailReader[] = [];
const reader = (options?: MailReaderOptions): MailReader => {
  const created = createMailReader(options);
  open.push(created);
  return created;
};
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

/** Hangs, crashes or answers, as the first byte of the mail says. */
const WORKER = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ({ raw }) => {
      if (raw[0] === 1) for (;;);
      if (raw[0] === 2) process.exit(1);
      parentPort.postMessage({ facts: { words: String(process.env.HOME) } });
    });`)}`,
);
const [HANGS, CRASHES, ANSWERS] = [Uint8Array.of(1), Uint8Array.of(2), Uint8Array.of(3)];
const UNAVAILABLE = { code: 'unavailable' };

describe('createMailReader', () => {
  it('reads mails in a thread, several at once too', async () => {
    const mails = reader();
    const read = ['PARAR', 'Já paguei'].map((text) => mails.read(Buffer.from(`From: a@b.c\r\n\r\n${text}`)));
    expect((await Promise.all(read)).map((facts) => facts?.words)).toEqual(['PARAR', 'Já paguei']);
  });

  it('returns null for a mail that exceeds a limit', async () => {
    expect(await reader().read(Buffer.from(`X-A: ${'1'.repeat(50)}\r\n`.repeat(10_000)))).toBeNull();
  });

  it('abandons a mail that takes too long, or that crashes the thread, and reads the next one', async () => {
    const mails = reader({ workerUrl: WORKER, timeoutMs: 3_000 });
    await expect(mails.read(HANGS)).rejects.toMatchObject(UNAVAILABLE);
    await expect(mails.read(CRASHES)).rejects.toMatchObject(UNAVAILABLE);
    // The thread has no environment, so it knows no secret.
    expect(await mails.read(ANSWERS)).toEqual({ words: 'undefined' });
  });

  it('refuses a mail when too many wait, and every mail when it is closed', async () => {
    const mails = reader({ workerUrl: WORKER, maxWaiting: 2 });
    const [first, second, third] = [mails.read(ANSWERS), mails.read(ANSWERS), mails.read(ANSWERS)];
    await expect(third).rejects.toMatchObject(UNAVAILABLE);
    await Promise.all([first, second]);
    await mails.close();
    await expect(mails.read(ANSWERS)).rejects.toMatchObject(UNAVAILABLE);
  });
});
