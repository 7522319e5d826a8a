import { expect, it } from '@jest/globals';
import { verifyAddress } from './verify-address.ts';

it('makes the address of the verification from that of the download', () => {
  expect(verifyAddress('https://quita.example/api/receipts/download/QT-2026-3M4SWH75VCT?sig=abc')).toBe(
    'https://quita.example/verify/QT-2026-3M4SWH75VCT?sig=abc',
  );
  expect(verifyAddress('https://quita.example/other')).toBeNull();
  expect(verifyAddress('not an address')).toBeNull();
});
