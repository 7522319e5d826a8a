import { describe, expect, it } from '@jest/globals';
import { staticBrCode } from '../../../kernel/brcode.ts';
import type { DebtContext } from '../../debts/use-cases/debt-context.ts';
import { pixForMessages } from './pix-of-message.ts';

type Deps = Parameters<typeof pixForMessages>[0];

const NOW = new Date('2026-11-18T14:00:00Z');
const EXPIRES = new Date('2026-11-21T14:00:00Z');
const EVP = '123e4567-e12b-12d1-a456-426655440000';
const COMPANY = '11222333000181';
const PERSON = '52998224725';
const AMOUNT = 15_075;

const deps = {
  now: () => NOW,
  accountFor: () => Promise.reject(new Error('The key stands in the code.')),
} as unknown as Deps;
const debt = {
  sandbox: false,
  senderName: null,
  clientName: 'Escola Aurora',
  debtorPhone: '+5511987650001',
} as DebtContext;
const asked = { amountCentavos: AMOUNT, growsDaily: false, text: 'Segue o link.', template: null };

const codeFor = async (key: string, given: Partial<typeof asked> = {}) => {
  const brCode = staticBrCode({
    key,
    merchantName: 'ESCOLA AURORA',
    merchantCity: 'SAO PAULO',
    amountCentavos: AMOUNT,
    txid: 'QT1',
  });
  const charge = { id: 'charge', providerPaymentId: '1', brCode, amountCentavos: AMOUNT, expiresAt: EXPIRES };
  return (await pixForMessages(deps)(debt, charge))({ ...asked, ...given });
};

describe('the Pix code of a message', () => {
  it('comes with the key of a company', async () => {
    for (const [key, keyType] of [
      [EVP, 'EVP'],
      [COMPANY, 'CNPJ'],
    ] as const) {
      expect(await codeFor(key)).toMatchObject({ amountCentavos: AMOUNT, receiver: { key, keyType } });
    }
  });

  it('does not come where it would name the CPF of a person', async () => {
    expect(await codeFor(PERSON)).toBeNull();
  });

  it('does not come where it asks for another amount than the message is about', async () => {
    for (const amountCentavos of [AMOUNT - 1, AMOUNT + 1, 2 * AMOUNT]) {
      expect(await codeFor(EVP, { amountCentavos })).toBeNull();
    }
  });

  it('does not come without a code', async () => {
    expect((await pixForMessages(deps)(debt, null))(asked)).toBeNull();
  });
});
