/**
 * `node bench/receipts.ts` measures the rate of drawing receipts. It is compared with one thread that draws the same
 * document as pdfkit's manual shows it, with fonts by path and the QR code as PNG.
 */
import { availableParallelism } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import QRCode from 'qrcode';
import { createThreadRenderer } from '../src/modules/receipts/adapters/receipt-renderer/threads/renderer.ts';
import { warmUpRenderer } from '../src/modules/receipts/adapters/receipt-renderer/threads/warm-up.ts';
import { FONT_PATHS } from '../src/modules/receipts/texts/document/fonts.ts';
import type { ReceiptData } from '../src/modules/receipts/texts/document/receipt-data.ts';
import { drawDocument, renderDocument } from '../src/modules/receipts/texts/document/render.ts';
import { SPECIMEN } from '../src/modules/receipts/texts/document/specimen.ts';
import { sized } from './support/quick.ts';
import { report } from './support/report.ts';

const PAGE = sized(100, 30);
const ROUNDS = sized(5, 3);

const receipts: ReceiptData[] = Array.from({ length: PAGE }, (_, index) => ({
  ...SPECIMEN,
  protocol: `QT-2026-${String(index).padStart(10, '0')}-0`,
  debtor: { ...SPECIMEN.debtor, name: `${SPECIMEN.debtor.name} ${index}` },
  verifyUrl: SPECIMEN.verifyUrl.replace('sig=', `sig=${index}`),
}));

async function asTheManualShows(data: ReceiptData): Promise<Uint8Array> {
  const png = await QRCode.toBuffer(data.verifyUrl);
  return drawDocument(data, {
    ...FONT_PATHS,
    hasGlyph: () => true,
    drawQr: (doc, _text, { x, y, size }) => doc.image(png, x, y, { width: size }),
  });
}

interface Cost {
  readonly wall: number;
  /** The CPU time of all threads, which other work of the machine affects less than the wall clock. */
  readonly cpu: number;
}

async function costOf(work: () => unknown): Promise<Cost> {
  const cpuBefore = process.cpuUsage();
  const start = performance.now();
  await work();
  const wall = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { wall, cpu: (user + system) / 1e6 };
}

async function eachInTurn(draw: (data: ReceiptData) => unknown): Promise<void> {
  for (const receipt of receipts) await draw(receipt);
}

const middle = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
const median = (costs: readonly Cost[]): Cost => ({
  wall: middle(costs.map(({ wall }) => wall)),
  cpu: middle(costs.map(({ cpu }) => cpu)),
});

const renderer = createThreadRenderer();
const withPool = () => Promise.all(receipts.map((receipt) => renderer.render(receipt)));

const cold = await costOf(withPool);
await warmUpRenderer(renderer);
await eachInTurn(renderDocument);
await eachInTurn(asTheManualShows);

const manual: Cost[] = [];
const oneThread: Cost[] = [];
const pool: Cost[] = [];
let longestStall = 0;
for (let round = 0; round < ROUNDS; round++) {
  // The three alternate, so that a busy machine affects all of them.
  manual.push(await costOf(() => eachInTurn(asTheManualShows)));
  oneThread.push(await costOf(() => eachInTurn(renderDocument)));
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  pool.push(await costOf(withPool));
  delay.disable();
  longestStall = Math.max(longestStall, delay.max / 1e6);
}
await renderer.close();

const yardstick = median(manual);
const line = (name: string, { wall, cpu }: Cost): string =>
  [
    name.padEnd(44),
    `${wall.toFixed(3)} s`,
    `${(PAGE / wall).toFixed(0).padStart(4)}/s`,
    `${(yardstick.wall / wall).toFixed(1).padStart(5)}x`,
    `${((cpu * 1000) / PAGE).toFixed(1).padStart(5)} ms CPU each`,
  ].join('  ');
report(
  [
    `${PAGE} receipts, median of ${ROUNDS} rounds, ${availableParallelism()} cores`,
    line('as the manual shows, one thread', yardstick),
    line('opened fonts, vector QR, one thread', median(oneThread)),
    line('the pool', median(pool)),
    line('the pool, cold: its first hundred', cold),
    `the main thread's longest stall while the pool works: ${longestStall.toFixed(1)} ms`,
  ].join('\n'),
  {
    name: 'receipts by the pool',
    value: PAGE / median(pool).wall,
    unit: '/s',
    better: 'more',
    baseline: { name: 'as the manual shows', value: PAGE / yardstick.wall },
  },
  {
    name: 'CPU of a receipt',
    value: (median(oneThread).cpu * 1000) / PAGE,
    unit: 'ms',
    better: 'less',
    baseline: { name: 'as the manual shows', value: (yardstick.cpu * 1000) / PAGE },
  },
);
