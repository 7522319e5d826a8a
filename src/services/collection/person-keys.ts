import { createHmac } from 'node:crypto';

export interface PersonKeys {
  readonly person: (cpf: string) => string;
  readonly phone: (e164: string) => string;
}

/** Names of persons and phones in tables that span clients: of no use to anybody without the secret. */
export const createPersonKeys = (secret: string): PersonKeys => {
  // A process without the secret must not write keys that anybody can compute and nobody finds again.
  if (secret === '') throw new Error('PERSON_SECRET: is needed by what this process does');
  const keyOf = (kind: string, value: string) => createHmac('sha256', secret).update(`${kind}:${value}`).digest('hex');
  return { person: (cpf) => keyOf('cpf', cpf), phone: (e164) => keyOf('phone', e164) };
};
