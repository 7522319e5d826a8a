import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  createThreadRenderer,
  type ThreadRendererOptions,
} from '../../src/modules/receipts/adapters/receipt-renderer/threads/renderer.ts';
import type { ReceiptRenderer } from '../../src/modules/receipts/ports/receipt-renderer.ts';
import type { ReceiptData } from '../../src/modules/receipts/texts/document/receipt-data.ts';
import { renderDocument } from '../../src/modules/receipts/texts/document/render.ts';
import { SPECIMEN } from '../../src/modules/receipts/texts/document/specimen.ts';

const faultyWorker = new URL('./faulty-worker.ts', import.meta.url);
const withProtocol = (protocol: string): ReceiptData => ({ ...SPECIMEN, protocol });

describe('the pool of drawing threads', () => {
  let renderer: ReceiptRenderer<ReceiptData> | undefined;
  const start = (options: ThreadRendererOptions = {}) => {
    renderer = createThreadRenderer({ threads: 2, ...options });
    return renderer;
  };
  afterEach(() => renderer?.close());

  it('draws the bytes that the document code draws, and hashes them', async () => {
    const pool = start();
    const documents = Array.from({ length: 12 }, (_, index) => withProtocol(`QT-2026-${index}`));
    const drawn = await Promise.all(documents.map((data) => pool.render(data)));
    drawn.forEach(({ bytes, sha256 }, index) => {
      const expected = renderDocument(documents[index]!);
      expect(Buffer.compare(bytes, expected)).toBe(0);
      expect(sha256).toBe(createHash('sha256').update(expected).digest('hex'));
    });
  });

  it('fails an invalid document alone', async () => {
    const pool = start();
    const bad = { ...SPECIMEN, templateVersion: 99 };
    const results = await Promise.allSettled([SPECIMEN, bad, SPECIMEN].map((data) => pool.render(data)));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(results[1]).toMatchObject({
      reason: { failure: 'bad_data', message: 'receipt data: templateVersion is not known' },
    });
  });

  it('survives a document that crashes its thread, and fails only that document', async () => {
    const pool = start({ workerUrl: faultyWorker });
    const names = ['QT-1', 'QT-CRASH', 'QT-2', 'QT-LAST-WORDS', 'QT-3', 'QT-4'];
    const results = await Promise.allSettled(names.map((name) => pool.render(withProtocol(name))));
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'fulfilled',
    ]);
    expect(results[1]).toMatchObject({ reason: { failure: 'crashed' } });
  });

  it('abandons a document that takes too long and replaces its thread', async () => {
    const pool = start({ threads: 1, workerUrl: faultyWorker, timeoutMs: 6_000 });
    const hanging = pool.render(withProtocol('QT-HANG'));
    const next = pool.render(withProtocol('QT-1'));
    await expect(hanging).rejects.toMatchObject({ failure: 'timed_out' });
    expect((await next).bytes.length).toBeGreaterThan(10_000);
  });

  it('fails, and does not hang, when threads cannot start', async () => {
    const pool = start({ workerUrl: new URL('./no-such-worker.ts', import.meta.url) });
    await expect(pool.render(SPECIMEN)).rejects.toMatchObject({ failure: 'crashed' });
  });

  it('refuses documents beyond the limit of waiting ones', async () => {
    const pool = start({ threads: 1, maxWaiting: 2 });
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => pool.render(SPECIMEN)));
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
    ]);
    expect(results[4]).toMatchObject({ reason: { code: 'unavailable', retryAfterSeconds: 1 } });
  });

  it('finishes accepted documents when it is closed, and accepts no more', async () => {
    const pool = start({ threads: 1 });
    let drawn = 0;
    const taken = Promise.allSettled([SPECIMEN, SPECIMEN].map((data) => pool.render(data).then(() => drawn++)));
    const closing = pool.close();
    await expect(pool.render(SPECIMEN)).rejects.toMatchObject({ code: 'unavailable' });
    await closing;
    expect(drawn).toBe(2);
    await taken;
    await pool.close();
  });
});
