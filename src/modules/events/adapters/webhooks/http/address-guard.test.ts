import { describe, expect, it } from '@jest/globals';
import { isLoopbackAddress, isPublicAddress } from './address-guard.ts';
import { readReceiverUrl } from './http-webhook-sender.ts';

describe('an address', () => {
  it.each([
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.8',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.51.100.7',
    '203.0.113.9',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:8.8.8.8',
    '::ffff:127.0.0.1',
    '::ffff:a9fe:a9fe',
    '::ffff:0:10.0.0.1',
    '64:ff9b::a00:1',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2001:10::1',
    '2002:7f00:1::1',
    '2002:a00:1::',
    '3fff::1',
    '5f00::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fec0::1',
    'ff02::1',
    'localhost',
    '',
  ])('%p is not one of the internet', (address) => expect(isPublicAddress(address)).toBe(false));

  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '100.63.255.255',
    '100.128.0.1',
    '172.15.255.255',
    '172.32.0.1',
    '191.255.255.255',
    '223.255.255.255',
    '2001:4860:4860::8888',
    '2600::1',
    '2804:14c::1',
  ])('%p is one of the internet', (address) => expect(isPublicAddress(address)).toBe(true));

  it.each([
    ['127.0.0.1', true],
    ['127.9.9.9', true],
    ['::1', true],
    ['10.0.0.1', false],
    ['::2', false],
    ['localhost', false],
  ])('%p is this machine: %p', (address, own) => expect(isLoopbackAddress(address)).toBe(own));
});

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
