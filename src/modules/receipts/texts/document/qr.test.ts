import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import jsqr from 'jsqr';
import PDFDocument from 'pdfkit';
import { drawQr } from './qr.ts';

// The module exports the function itself, which its types do not declare.
const jsQR = jsqr as unknown as typeof jsqr.default;
const PIXELS = 1;

/** Paints the rectangles of the path as a camera would see them, and reads the code back. */
function scan(text: string): string | undefined {
  const doc = new PDFDocument({ compress: false, size: [400, 400], margin: 0 });
  drawQr(doc, text, { x: 40, y: 40, size: 320 });
  doc.end();
  const content = (doc.read() as Buffer).toString('latin1');
  const side = 400 * PIXELS;
  const image = new Uint8ClampedArray(side * side * 4).fill(255);
  for (const [, x, y, width, height] of content.matchAll(/^([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) re$/gm)) {
    const edge = (value: number): number => Math.round(value * PIXELS);
    for (let row = edge(Number(y)); row < edge(Number(y) + Number(height)); row++) {
      for (let column = edge(Number(x)); column < edge(Number(x) + Number(width)); column++) {
        image.fill(0, (row * side + column) * 4, (row * side + column) * 4 + 3);
      }
    }
  }
  return jsQR(image, side, side)?.data;
}

describe('drawQr', () => {
  it('draws a code that a scanner reads', () => {
    const url =
      'https://quita.example.com.br/verify/QT-2026-7K3M9X2PAB-5?sig=n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg';
    expect(scan(url)).toBe(url);
  });

  it('draws addresses of any length', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true }), (url) => {
        expect(scan(url)).toBe(url);
      }),
      { numRuns: 5 },
    );
  });
});
