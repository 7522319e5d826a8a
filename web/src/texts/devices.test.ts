import { describe, expect, it } from '@jest/globals';
import { deviceOf } from './devices.ts';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const WINDOWS = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/142.0.0.0 Safari/537.36`;

describe('a device in words', () => {
  it.each([
    ['Chrome no Windows', WINDOWS],
    ['Edge no Windows', `${WINDOWS} Edg/142.0.0.0`],
    ['Opera no Windows', `${WINDOWS} OPR/124.0.0.0`],
    ['Chrome no Android', `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/142.0.0.0 Mobile Safari/537.36`],
    [
      'Samsung Internet no Android',
      `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} SamsungBrowser/29.0 Chrome/136.0.0.0`,
    ],
    [
      'Safari no iPhone',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) Version/26.0 Mobile/15E148 Safari/604.1',
    ],
    ['Chrome no iPad', 'Mozilla/5.0 (iPad; CPU OS 18_7 like Mac OS X) CriOS/142.0 Mobile/15E148 Safari/604.1'],
    ['Safari no Mac', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/26.0 Safari/605.1.15'],
    ['Firefox no Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'],
    ['Navegador no Windows', 'Something (Windows)'],
    [null, 'curl/8.5.0'],
    [null, ''],
    [null, undefined],
  ])('is %s', (words, userAgent) => {
    expect(deviceOf(userAgent)).toBe(words);
  });
});
