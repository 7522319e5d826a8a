/**
 * How fast receipts are drawn: `node bench/receipts.ts`.
 * The yardstick is one thread that draws the same document as pdfkit's manual shows: fonts by path, QR code as PNG.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import QRCode from 'qrcode';
import { createThreadRenderer } from '../src/adapters/receipt-renderer/threads/renderer.ts';
import { FONT_PATHS } from '../src/documents/receipt/fonts.ts';
import type { ReceiptData } from '../src/documents/receipt/receipt-data.ts';
import { drawDocument, renderReceipt } from '../src/documents/receipt/render.ts';
import { SAMPLE_RECEIPT } from '../test/support/receipt-sample.ts';

const PAGE = 100;
const ROUNDS = 5;

const receipts: ReceiptData[] = Array.from({ length: PAGE }, (_, index) => ({
  ...SAMPLE_RECEIPT,
  protocol: `QT-2026-${String(index).padStart(10, '0')}-0`,
  debtor: { ...SAMPLE_RECEIPT.debtor, name: `${SAMPLE_RECEIPT.debtor.name} ${index}` },
  verifyUrl: SAMPLE_RECEIPT.verifyUrl.replace('sig=', `sig=${index}`),
}));

async function asTheManualShows(data: ReceiptData): Promise<Uint8Array> {
  const png = await QRCode.toBuffer(data.verifyUrl);
  return drawDocument(data, {
    ...FONT_PATHS,
    hasGlyph: () => true,
    drawQr: (doc, _text, { x, y, size }) => doc.image(png, x, y, { width: size }),
  });
}

async function secondsOf(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

async function eachInTurn(draw: (data: ReceiptData) => unknown): Promise<void> {
  for (const receipt of receipts) await draw(receipt);
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

const renderer = createThreadRenderer();
const withPool = () => Promise.all(receipts.map((receipt) => renderer.render(receipt)));

const coldStart = await secondsOf(withPool);
await eachInTurn(renderReceipt);
await asTheManualShows(SAMPLE_RECEIPT);

const manual: number[] = [];
const oneThread: number[] = [];
const pool: number[] = [];
let longestStall = 0;
for (let round = 0; round < ROUNDS; round++) {
  // In turns, so that a busy machine weighs on all three alike.
  manual.push(await secondsOf(() => eachInTurn(asTheManualShows)));
  oneThread.push(await secondsOf(() => eachInTurn(renderReceipt)));
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  pool.push(await secondsOf(withPool));
  delay.disable();
  longestStall = Math.max(longestStall, delay.max / 1e6);
}
await renderer.close();

const line = (name: string, seconds: number): string =>
  `${name.padEnd(44)} ${seconds.toFixed(3)} s   ${(PAGE / seconds).toFixed(0).padStart(4)}/s   ${(median(manual) / seconds).toFixed(1)}x`;
process.stdout.write(
  `${[
    `${PAGE} receipts, median of ${ROUNDS} rounds`,
    line('as the manual shows, one thread', median(manual)),
    line('opened fonts, vector QR, one thread', median(oneThread)),
    line('the pool', median(pool)),
    line('the pool, its first hundred (threads start)', coldStart),
    `longest stall of the main thread while the pool works: ${longestStall.toFixed(1)} ms`,
  ].join('\n')}\n`,
);
