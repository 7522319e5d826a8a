import { describe, expect, it } from '@jest/globals';
import jsQR from 'jsqr';
import { PNG } from 'pngjs';
import { dynamicBrCode } from '../brcode.ts';
import { qrModules, qrPng, qrSvg } from './qr.ts';

const CODE = dynamicBrCode({
  url: 'pix.example.com/qr/v2/2353c790eefb11eaadc10242ac120002',
  merchantName: 'CREDORA EXEMPLO LTDA',
  merchantCity: 'SAO PAULO',
  amountCentavos: 15_075,
});

/** Draws modules with a border, as a camera would see them. */
function decode(size: number, isDark: (row: number, column: number) => boolean): string | undefined {
  const scale = 4;
  const side = (size + 8) * scale;
  const pixels = new Uint8ClampedArray(side * side * 4).fill(255);
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) {
      const row = Math.floor(y / scale) - 4;
      const column = Math.floor(x / scale) - 4;
      if (row >= 0 && column >= 0 && row < size && column < size && isDark(row, column)) {
        pixels.fill(0, (y * side + x) * 4, (y * side + x) * 4 + 3);
      }
    }
  }
  return jsQR.default(pixels, side, side)?.data;
}

describe('QR image', () => {
  it('is a PNG that a scanner reads', async () => {
    const image = PNG.sync.read(Buffer.from(await qrPng(CODE)));
    expect(jsQR.default(new Uint8ClampedArray(image.data), image.width, image.height)?.data).toBe(CODE);
  });

  it('is a list of modules that a scanner reads', () => {
    const { size, isDark } = qrModules(CODE);
    expect(decode(size, isDark)).toBe(CODE);
  });

  it('is an SVG that a strict content-security-policy allows', async () => {
    const svg = await qrSvg(CODE);
    expect(svg).toMatch(/^<svg [^>]*viewBox="0 0 \d+ \d+"/);
    expect(svg).not.toMatch(/style=|<script|<style|href/);
  });
});
