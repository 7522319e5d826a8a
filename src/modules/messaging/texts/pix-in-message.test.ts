import { describe, expect, it } from '@jest/globals';
import { textAbovePix } from './pix-in-message.ts';

const CODE = '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400006304ABCD';

describe('the text above a Pix code', () => {
  it('says that the code is below, in place of the code', () => {
    const text = `Que bom, Maria!\nhttps://quita.example/p/d1\n\nPix copia e cola:\n${CODE}\n\nAté logo.`;
    const above = textAbovePix(text, CODE);
    expect(above).toMatch(/^Que bom, Maria!\nhttps:\/\/quita.example\/p\/d1\n\n.*botão.*\n\nAté logo\.$/);
    expect(above).not.toContain('Pix copia e cola:');
  });

  it('keeps a text without the code, whose words are approved or the client’s own', () => {
    expect(textAbovePix('O Pix está nesta página.', CODE)).toBe('O Pix está nesta página.');
  });

  it('is missing where there is no room, or where the code stands within a sentence', () => {
    expect(textAbovePix('a'.repeat(1_025), CODE)).toBeNull();
    expect(textAbovePix(`O código é ${CODE}, copie.`, CODE)).toBeNull();
  });
});
