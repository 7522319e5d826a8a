import { describe, expect, it } from '@jest/globals';
import { readReceiverUrl } from './http-webhook-sender.ts';

describe('the address of a receiver', () => {
  const production = { allowLoopback: false };
  const development = { allowLoopback: true };

  it.each([
    'https://example.com/hook?x=1',
    'https://example.com:8443/hook',
    'https://example.com:443/',
    'https://8.8.8.8/',
    'https://[2600::1]/hook',
    'HTTPS://EXAMPLE.COM',
  ])('may be %s', (url) => expect(typeof readReceiverUrl(url, production)).toBe('object'));

  it.each([
    'http://example.com/hook',
    'http://127.0.0.1/',
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://017700000001/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://user@example.com/',
    'https://:pass@example.com/',
    'https://example.com:22/',
    'https://example.com:80/',
    'https://',
    'javascript:alert(1)',
    'file:///etc/passwd',
    '//example.com',
    `https://example.com/${'x'.repeat(2_048)}`,
  ])('may not be %s', (url) => expect(typeof readReceiverUrl(url, production)).toBe('string'));

  it.each([
    ['http://127.0.0.1:4000/hook', true],
    ['http://localhost:4000/hook', true],
    ['http://[::1]:4000/', true],
    ['https://localhost:4000/', true],
    ['http://example.com/', false],
    ['http://10.0.0.1:4000/', false],
    ['http://localhost.example.com/', false],
    ['https://192.168.0.1/', false],
  ])('outside production may be %s: %p', (url, good) =>
    expect(typeof readReceiverUrl(url, development)).toBe(good ? 'object' : 'string'),
  );
});
