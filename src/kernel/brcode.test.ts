import { generatePixPayload, getPixPayloadInfo } from '@brazilian-utils/brazilian-utils';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseBrCode } from '../../testing/br-code.ts';
import { brCodeText, crc16, isPixKey, pixKeyType, receiverOfCode, staticBrCode } from './brcode.ts';

const EVP = '123e4567-e12b-12d1-a456-426655440000';
const MERCHANT = { merchantName: 'CREDORA EXEMPLO LTDA', merchantCity: 'SAO PAULO' };
const STATIC =
  '00020126710014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400000209Acordo 425204000053039865406150.755802BR5920CREDORA EXEMPLO LTDA6009SAO PAULO62200516ACORDO0042PARC01630449B1';
const DYNAMIC =
  '00020101021226760014br.gov.bcb.pix2554pix.example.com/qr/v2/2353c790eefb11eaadc10242ac1200025204000053039865802BR5920CREDORA EXEMPLO LTDA6009SAO PAULO62070503***6304E26E';
const LOCATION = 'pix.example.com/qr/v2/2353c790eefb11eaadc10242ac120002';

const someText = fc.string({ unit: 'grapheme', maxLength: 60 });
const someName = someText.filter((text) => brCodeText(text, 15) !== '');
const someTxid = fc.stringMatching(/^[A-Za-z0-9]{1,25}$/);
const someKey = fc.oneof(
  fc.uuid(),
  fc.stringMatching(/^\d{11}$/),
  fc.stringMatching(/^[0-9A-Z]{12}\d{2}$/),
  fc.stringMatching(/^\+55[1-9]\d9\d{8}$/),
  fc.stringMatching(/^[a-z0-9]{1,30}@[a-z0-9]{1,20}\.com\.br$/),
);
// The library guesses the kind of a bare number and checks its digits, which `brcode.ts` does not do.
const sharedKey = fc.oneof(
  fc.uuid(),
  fc.constantFrom('52998224725', '12ABC34501DE35', '+5511987654321', 'pix@credora.com.br'),
);
const someAmount = fc.integer({ min: 1, max: 999_999_999_999 });
const someStatic = fc.record(
  {
    key: someKey,
    merchantName: someName,
    merchantCity: someName,
    amountCentavos: someAmount,
    txid: someTxid,
    description: someText,
  },
  { requiredKeys: ['key', 'merchantName', 'merchantCity'] },
);

describe('BR Code', () => {
  it('has the checksum of the standard', () => {
    expect(crc16('123456789')).toBe('29B1');
  });

  it('writes the published vectors', () => {
    expect(
      staticBrCode({
        ...MERCHANT,
        key: EVP,
        amountCentavos: 15_075,
        txid: 'ACORDO0042PARC01',
        description: 'Acordo 42',
      }),
    ).toBe(STATIC);
    expect(staticBrCode({ key: EVP, merchantName: 'Fulano de Tal', merchantCity: 'BRASILIA' })).toMatch(/63041D3D$/);
  });

  it('reads the published vectors back', () => {
    expect(parseBrCode(STATIC)).toEqual({
      key: EVP,
      url: null,
      description: 'Acordo 42',
      amountCentavos: 15_075,
      merchantName: 'CREDORA EXEMPLO LTDA',
      merchantCity: 'SAO PAULO',
      txid: 'ACORDO0042PARC01',
      singleUse: false,
    });
    expect(parseBrCode(DYNAMIC)).toMatchObject({
      key: null,
      url: LOCATION,
      amountCentavos: null,
      txid: null,
      singleUse: true,
    });
  });

  it('reads back whatever it writes', () => {
    fc.assert(
      fc.property(someStatic, (code) => {
        const parsed = parseBrCode(staticBrCode(code));
        expect(parsed).toMatchObject({
          key: code.key,
          amountCentavos: code.amountCentavos ?? null,
          txid: code.txid ?? null,
          merchantName: brCodeText(code.merchantName, 25),
          merchantCity: brCodeText(code.merchantCity, 15),
        });
      }),
    );
  });

  it('is ASCII with a name within 25 and a city within 15 characters', () => {
    fc.assert(
      fc.property(someStatic, (code) => {
        const text = staticBrCode(code);
        expect(text).toMatch(/^[\x20-\x7e]+$/);
        const parsed = parseBrCode(text);
        expect(parsed?.merchantName.length).toBeLessThanOrEqual(25);
        expect(parsed?.merchantCity.length).toBeLessThanOrEqual(15);
      }),
    );
  });

  it('detects every single changed character', () => {
    const change = fc.tuple(fc.nat(STATIC.length - 1), fc.integer({ min: 0x20, max: 0x7e }));
    fc.assert(
      fc.property(change, ([at, char]) => {
        const letter = String.fromCharCode(char);
        fc.pre(STATIC[at] !== letter);
        expect(parseBrCode(STATIC.slice(0, at) + letter + STATIC.slice(at + 1))).toBeNull();
      }),
    );
  });

  it('never throws on arbitrary text', () => {
    fc.assert(fc.property(fc.string(), (text) => parseBrCode(text) === null));
    fc.assert(
      fc.property(fc.string(), (text) => {
        const sealed = `${text}6304`;
        parseBrCode(sealed + crc16(sealed));
      }),
    );
  });

  it('agrees with brazilian-utils in both directions', () => {
    fc.assert(
      fc.property(someStatic, sharedKey, (code, key) => {
        const { amountCentavos, ...rest } = { ...code, key };
        // The library takes reais, and a float cannot hold more than 15 digits exactly.
        fc.pre(amountCentavos === undefined || amountCentavos < 1e10);
        const amount = amountCentavos === undefined ? {} : { amount: amountCentavos / 100 };
        expect(staticBrCode({ ...code, key })).toBe(generatePixPayload({ ...rest, ...amount }));
      }),
    );
    expect(getPixPayloadInfo(STATIC)).toMatchObject({ amount: 150.75, txid: 'ACORDO0042PARC01' });
  });

  it.each([
    ['accents', 'Ação de Cobrança Ñandú', 'Acao de Cobranca Nandu'],
    ['emoji and controls', 'A\u0000B 🙂 C', 'AB C'],
    ['a cut that ends in a space', 'ABCDEFGHIJKLMNOPQRSTUVWX YZ', 'ABCDEFGHIJKLMNOPQRSTUVWX'],
  ])('writes %s as ASCII', (_what, text, expected) => {
    expect(brCodeText(text, 25)).toBe(expected);
  });

  it.each([['***'], [''], ['A'.repeat(26)], ['com-hifen'], ['ação']])('refuses the txid %p', (txid) => {
    expect(() => staticBrCode({ ...MERCHANT, key: EVP, txid })).toThrow(RangeError);
  });

  it.each([[0], [-1], [1.5], [Number.NaN], [1_000_000_000_000]])('refuses the amount %p', (amountCentavos) => {
    expect(() => staticBrCode({ ...MERCHANT, key: EVP, amountCentavos })).toThrow(RangeError);
  });

  it('refuses a merchant without a readable name', () => {
    expect(() => staticBrCode({ key: EVP, merchantName: '日本', merchantCity: 'SAO PAULO' })).toThrow(RangeError);
  });

  it('accepts the five kinds of key', () => {
    for (const key of ['52998224725', '12ABC34501DE35', '+5511987654321', EVP, 'pix@credora.com.br']) {
      expect(isPixKey(key)).toBe(true);
    }
    for (const key of ['529.982.247-25', '5511987654321', EVP.toUpperCase(), 'Pix@credora.com.br', '', 'x']) {
      expect(isPixKey(key)).toBe(false);
    }
  });

  it('says who is paid, and by which kind of key', () => {
    expect(receiverOfCode(STATIC)).toEqual({ name: 'CREDORA EXEMPLO LTDA', key: EVP });
    expect(receiverOfCode(DYNAMIC)).toEqual({ name: 'CREDORA EXEMPLO LTDA', key: null });
    expect(receiverOfCode(STATIC.replace('CREDORA', 'CREDORO'))).toBeNull();
    expect(receiverOfCode('')).toBeNull();
    fc.assert(fc.property(someText, (text) => receiverOfCode(text) === null));
    const keys = ['52998224725', '12ABC34501DE35', '+5511987654321', EVP, 'pix@credora.com.br', 'nothing'];
    expect(keys.map(pixKeyType)).toEqual(['CPF', 'CNPJ', 'PHONE', 'EVP', 'EMAIL', null]);
  });
});
