import { z } from 'zod';
import { type PaymentCredentials, PaymentProviderError, type RefundInput } from '../../ports/payment-provider.ts';
import type { ProviderReversal } from '../../rules/refunds.ts';
import type { BankClient } from './bank-client.ts';
import type { ChargesAtBank } from './charges-at-bank.ts';
import { amountText } from './fields.ts';
import { devolucao, readReversal } from './refund-answer.ts';
import { bankIdOf } from './txid.ts';

const END_TO_END_ID = z.string().regex(/^[A-Za-z0-9]{32}$/);

export function createRefunds(bank: BankClient, charges: ChargesAtBank) {
  async function paymentOf({ endToEndId, providerPaymentId, credentials }: RefundInput): Promise<string> {
    if (endToEndId !== null) return END_TO_END_ID.parse(endToEndId);
    const { settlements } = await charges.get(providerPaymentId, credentials);
    const [only, ...others] = settlements;
    if (only?.endToEndId == null) throw new PaymentProviderError('conflict', 'the charge was not paid');
    if (others.length > 0) throw new PaymentProviderError('rejected', 'which of the payments goes back is not said');
    return only.endToEndId;
  }

  return {
    async refund(input: RefundInput): Promise<ProviderReversal> {
      const id = bankIdOf(input.refundId);
      if (id === null || !Number.isSafeInteger(input.amountCentavos) || input.amountCentavos <= 0) {
        throw new PaymentProviderError('rejected', 'a refund has a UUID and a positive number of centavos');
      }
      const path = `/pix/${await paymentOf(input)}/devolucao/${id}`;
      try {
        return await bank.send(input.credentials, {
          method: 'PUT',
          path,
          name: path,
          body: { valor: amountText(input.amountCentavos) },
          read: (answer) => sameRefund(readReversalOf(answer, id), input),
        });
      } catch (error) {
        if (!(error instanceof PaymentProviderError)) throw error;
        if (!['unknown_outcome', 'conflict', 'rejected'].includes(error.kind)) throw error;
        const made = await find(path, id, input.credentials);
        if (made !== null) return sameRefund(made, input);
        if (error.kind !== 'rejected') throw error;
        // More than what came, or later than 90 days after it.
        throw new PaymentProviderError('conflict', error.message, { providerCodes: error.providerCodes });
      }
    },
  };

  async function find(path: string, id: string, credentials: PaymentCredentials | null) {
    try {
      return await bank.send(credentials, {
        method: 'GET',
        path,
        name: path,
        read: (answer) => readReversalOf(answer, id),
      });
    } catch (error) {
      if (!(error instanceof PaymentProviderError)) throw error;
      if (error.kind === 'not_found') return null;
      if (error.kind !== 'retryable') throw error;
      throw new PaymentProviderError('unknown_outcome', `what became of the refund is not known: ${error.message}`);
    }
  }
}

function readReversalOf(answer: unknown, id: string): ProviderReversal {
  const read = devolucao.parse(answer);
  if (read.id !== id) throw new TypeError('the answer is about another refund');
  return readReversal(read);
}

function sameRefund(made: ProviderReversal, { amountCentavos }: RefundInput): ProviderReversal {
  if (made.amountCentavos === amountCentavos) return made;
  throw new PaymentProviderError('conflict', 'the id was used for a refund of another amount');
}
