import { describe, expect, it } from '@jest/globals';
import { MAX_FILE_BYTES, refusalOf } from './file-kind.ts';

const bytes = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0));
const refusal = (text: string, size = text.length) => refusalOf({ size, head: bytes(text) });

describe('the file that is chosen', () => {
  it.each([
    ['Nome;CPF\r\nAna;529', null],
    ['PK\x03\x04rest', null],
    ['\xd0\xcf\x11\xe0rest', 'old_excel'],
    ['%PDF-1.7', 'pdf'],
    ['\xef\xbb\xbf  <html><table>', 'html'],
    ['\x89PNG\r\n\x00\x00', 'binary'],
    ['N\x00o\x00m\x00e\x00', 'binary'],
    ['', 'empty'],
  ])('%j: %s', (text, expected) => expect(refusal(text)).toBe(expected));

  it('is refused when it is larger than the import takes', () => {
    expect(refusal('Nome', MAX_FILE_BYTES)).toBeNull();
    expect(refusal('Nome', MAX_FILE_BYTES + 1)).toBe('too_large');
  });
});
