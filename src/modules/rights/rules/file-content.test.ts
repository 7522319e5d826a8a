import { expect, it } from '@jest/globals';
import { fileTypeOf } from './file-content.ts';

it.each([
  ['application/pdf', Buffer.from('%PDF-1.7\n')],
  ['image/jpeg', Buffer.from([0xff, 0xd8, 0xff, 0xe0])],
  ['image/png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0])],
  [null, Buffer.from('<html>%PDF-1.7')],
  [null, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  [null, Buffer.from('GIF89a')],
  [null, Buffer.from([0xff, 0xd8])],
  [null, Buffer.alloc(0)],
])('knows %s by its content', (type, bytes) => {
  expect(fileTypeOf(bytes)).toBe(type);
});
