import { describe, expect, it } from '@jest/globals';
import jsQR from 'jsqr';
import { dynamicBrCode } from '../../../testing/br-code.ts';
import { qrSvg } from './qr.ts';

const CODE = dynamicBrCode({ url: 'pix.example.com/qr/v2/2353c790eefb11eaadc10242ac120002', amountCentavos: 15_075 });

/** Draws the picture as a camera would see it: its path moves to each run of dark modules and draws it as a line. */
function scan(svg: string): string | undefined {
  const size = Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1]);
  const path = /stroke="#000000" d="([^"]+)"/.exec(svg)?.[1] ?? '';
  const scale = 4;
  const side = size * scale;
  const pixels = new Uint8ClampedArray(side * side * 4).fill(255);
  let [x, y] = [0, 0];
  for (const [, command, first, second = '0'] of path.matchAll(/([Mmh])(-?[\d.]+)(?: (-?[\d.]+))?/g)) {
    if (command === 'M') [x, y] = [Number(first), Math.floor(Number(second))];
    if (command === 'm') [x, y] = [x + Number(first), y + Number(second)];
    if (command !== 'h') continue;
    for (let row = y * scale; row < (y + 1) * scale; row += 1) {
      for (let column = x * scale; column < (x + Number(first)) * scale; column += 1) {
        pixels.fill(0, (row * side + column) * 4, (row * side + column) * 4 + 3);
      }
    }
    x += Number(first);
  }
  return jsQR.default(pixels, side, side)?.data;
}

describe('QR image', () => {
  it('is read by a scanner', async () => {
    expect(scan(await qrSvg(CODE))).toBe(CODE);
  });

  it('is an SVG that a strict content-security-policy allows', async () => {
    const svg = await qrSvg(CODE);
    expect(svg).toMatch(/^<svg [^>]*viewBox="0 0 \d+ \d+"/);
    expect(svg).not.toMatch(/style=|<script|<style|href/);
  });
});
