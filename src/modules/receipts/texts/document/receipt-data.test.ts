import { describe, expect, it } from '@jest/globals';
import { assertReceiptData, type ReceiptData, ReceiptDataError } from './receipt-data.ts';
import { renderDocument } from './render.ts';
import { SPECIMEN } from './specimen.ts';

const { debt, debtor, payment, creditor } = SPECIMEN;

const NOTHING = { principal: 0, fine: 0, interest: 0, correction: 0 };
const NOTHING_OPEN = { ...NOTHING, on: '2026-11-20' };

describe('assertReceiptData', () => {
  it('accepts a complete record', () => {
    expect(() => assertReceiptData(SPECIMEN)).not.toThrow();
  });

  it('accepts less than the principal where the creditor gave up the rest, and for a part', () => {
    const less = { ...payment, amountCentavos: 100_000, credited: { ...NOTHING, principal: 100_000 } };
    expect(() => assertReceiptData({ ...SPECIMEN, payment: { ...less, waivedCentavos: 23_456 } })).not.toThrow();
    const open = { ...NOTHING_OPEN, principal: 23_456 };
    expect(() => assertReceiptData({ ...SPECIMEN, kind: 'part', payment: { ...less, open } })).not.toThrow();
  });

  it.each<[string, ReceiptData]>([
    ['protocol', { ...SPECIMEN, protocol: ' ' }],
    ['issuedAt', { ...SPECIMEN, issuedAt: new Date(Number.NaN) }],
    ['revokedAt', { ...SPECIMEN, revokedAt: new Date(Number.NaN) }],
    ['creditor.name', { ...SPECIMEN, creditor: { ...creditor, name: '' } }],
    ['debtor.name', { ...SPECIMEN, debtor: { ...debtor, name: '' } }],
    ['debtor.cpfMasked', { ...SPECIMEN, debtor: { ...debtor, cpfMasked: '529.982.247-25' } }],
    ['debtor.cpfMasked', { ...SPECIMEN, debtor: { ...debtor, cpfMasked: '52998224725' } }],
    ['debtor.cnpjMasked', { ...SPECIMEN, debtor: { name: 'Padaria', cnpjMasked: '12.ABC.345/01DE-35' } }],
    ['debtor.cnpjMasked', { ...SPECIMEN, debtor: { name: 'Padaria', cnpjMasked: '11222333000181' } }],
    ['debt.id', { ...SPECIMEN, debt: { ...debt, id: '' } }],
    ['debt.dueDate', { ...SPECIMEN, debt: { ...debt, dueDate: '05/10/2026' } }],
    ['debt.originalAmountCentavos', { ...SPECIMEN, debt: { ...debt, originalAmountCentavos: 0 } }],
    ['debt.originalAmountCentavos', { ...SPECIMEN, debt: { ...debt, originalAmountCentavos: 10_000_000_000 } }],
    ['payment.amountCentavos', { ...SPECIMEN, payment: { ...payment, amountCentavos: 12.5 } }],
    ['payment.amountCentavos', { ...SPECIMEN, payment: { ...payment, amountCentavos: 123_455 } }],
    [
      'payment.amountCentavos',
      { ...SPECIMEN, payment: { ...payment, amountCentavos: 100_000, waivedCentavos: 23_455 } },
    ],
    ['payment.open', { ...SPECIMEN, kind: 'part' }],
    ['payment.open', { ...SPECIMEN, kind: 'part', payment: { ...payment, credited: NOTHING, open: NOTHING_OPEN } }],
    ['payment.paidAt', { ...SPECIMEN, payment: { ...payment, paidAt: new Date(Number.NaN) } }],
    ['verifyUrl', { ...SPECIMEN, verifyUrl: '/verify/x' }],
  ])('names a wrong %s and does not repeat it', (member, data) => {
    const error = (() => {
      try {
        assertReceiptData(data);
        return undefined;
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toBeInstanceOf(ReceiptDataError);
    expect(error).toMatchObject({ member });
    expect(String(error)).not.toMatch(/529|11222|ABC|52998224725|05\/10/);
  });
});

describe('renderDocument', () => {
  it('returns the same bytes for the same data, whatever was drawn before', () => {
    const first = renderDocument(SPECIMEN);
    renderDocument({ ...SPECIMEN, debtor: { ...debtor, name: 'Żaneta Ωmega' }, sandbox: false });
    expect(Buffer.compare(renderDocument(SPECIMEN), first)).toBe(0);
    expect(first.length).toBeLessThan(60_000);
  });

  it('refuses an unknown template version', () => {
    expect(() => renderDocument({ ...SPECIMEN, templateVersion: 1 })).toThrow(ReceiptDataError);
  });
});
