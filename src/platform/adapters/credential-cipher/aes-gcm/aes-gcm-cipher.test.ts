import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createAesGcmCipher } from './aes-gcm-cipher.ts';

const cipher = createAesGcmCipher(['first secret']);

describe('credential cipher', () => {
  it('opens every text that it sealed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, context) => {
        expect(cipher.open(cipher.seal(text, context), context)).toBe(text);
      }),
    );
  });

  it('never seals to the same value twice, and does not reveal the text', () => {
    const sealed = cipher.seal('APP_USR-123', 'client-1:mercadopago');
    expect(sealed).not.toBe(cipher.seal('APP_USR-123', 'client-1:mercadopago'));
    expect(sealed).toMatch(/^v1\.[0-9a-f]{12}\.[A-Za-z0-9_-]+$/);
    expect(Buffer.from(sealed.split('.')[2] ?? '', 'base64url').toString('latin1')).not.toContain('APP_USR');
  });

  it('opens in no other context', () => {
    const sealed = cipher.seal('token', 'client-1:mercadopago');
    expect(() => cipher.open(sealed, 'client-2:mercadopago')).toThrow(
      expect.objectContaining({ problem: 'unreadable' }),
    );
  });

  it('detects every changed byte', () => {
    const sealed = cipher.seal('token', 'c');
    const [format, id, text = ''] = sealed.split('.');
    const box = Buffer.from(text, 'base64url');
    for (let at = 0; at < box.length; at += 1) {
      const changed = Buffer.from(box);
      changed[at] = box[at]! ^ 1;
      expect(() => cipher.open(`${format}.${id}.${changed.toString('base64url')}`, 'c')).toThrow('damaged');
    }
  });

  it('rotates: the new key seals, the old one still opens', () => {
    const old = createAesGcmCipher(['old']);
    const rotated = createAesGcmCipher(['new', 'old']);
    const sealed = old.seal('token', 'c');
    expect(rotated.open(sealed, 'c')).toBe('token');
    expect(rotated.isCurrent(sealed)).toBe(false);
    expect(rotated.isCurrent(rotated.seal('token', 'c'))).toBe(true);
    expect(() => createAesGcmCipher(['new']).open(sealed, 'c')).toThrow(
      expect.objectContaining({ problem: 'unknown_key' }),
    );
  });

  it.each([
    [''],
    ['v1'],
    ['v1..'],
    ['v2.aaaaaaaaaaaa.AAAA'],
    [`${cipher.seal('x', 'c')}.more`],
    [cipher.seal('x', 'c').slice(0, 30)],
  ])('refuses %p', (sealed) => {
    expect(() => cipher.open(sealed, 'c')).toThrow(expect.objectContaining({ problem: 'unreadable' }));
  });

  it('does not start without a secret', () => {
    expect(() => createAesGcmCipher([])).toThrow(RangeError);
  });
});
