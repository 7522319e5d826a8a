import { createHmac } from 'node:crypto';
import { isCnpj } from '../../kernel/tax-id.ts';

export interface PersonKeys {
  /** The key of a person is made of the CPF, and that of a company of the CNPJ. */
  readonly person: (taxId: string) => string;
  readonly phone: (e164: string) => string;
  /** The key of a channel's own id of a person. */
  readonly channelUser: (channel: string, id: string) => string;
  /** What a file says about a payment, by which the payment is recognised. It may contain a CPF. */
  readonly received: (content: string) => string;
}

/** Makes the keys of persons and phones in tables that span clients. Without the secret nobody can compute them. */
export const createPersonKeys = (secret: string): PersonKeys => {
  // Keys made with an empty secret could be computed by anybody, and no other process would find them.
  if (secret === '')
    throw new Error('PERSON_SECRET is required, because this process makes keys of persons and phones.');
  const keyOf = (kind: string, value: string) => createHmac('sha256', secret).update(`${kind}:${value}`).digest('hex');
  return {
    person: (taxId) => keyOf(isCnpj(taxId) ? 'cnpj' : 'cpf', taxId),
    phone: (e164) => keyOf('phone', e164),
    channelUser: (channel, id) => keyOf(`${channel}_user`, id),
    received: (content) => keyOf('received', content),
  };
};
