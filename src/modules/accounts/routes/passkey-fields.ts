import { z } from 'zod';
import { secretField } from './account-fields.ts';

const base64url = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[\w-]+$/);

/** At most 1,023 bytes by the standard. */
const credentialId = base64url(1_364);
const clientDataJSON = base64url(8_192);

/** What `navigator.credentials.create` gives as JSON. What else it holds says nothing that is not in here. */
export const newKeyResponse = z
  .object({
    id: credentialId,
    response: z.object({
      clientDataJSON,
      attestationObject: base64url(32_768),
      transports: z.array(z.string().max(32)).max(16).optional(),
    }),
  })
  .meta({ id: 'NewPasskeyResponse', description: 'What `navigator.credentials.create` gives, as JSON' });

const signedResponse = z
  .object({
    id: credentialId,
    response: z.object({
      clientDataJSON,
      authenticatorData: base64url(8_192),
      signature: base64url(8_192),
      userHandle: base64url(88).nullish(),
    }),
  })
  .meta({ id: 'PasskeyResponse', description: 'What `navigator.credentials.get` gives, as JSON' });

export const challengeField = secretField.describe('The `challenge` of the options');

export const passkeyAnswer = z.object({ challenge: challengeField, response: signedResponse });

/** What is handed to the browser, which knows its form. */
export const passkeyQuestion = z
  .object({
    challenge: z.string().describe('To send with the answer; it works once, for five minutes'),
    options: z
      .record(z.string(), z.unknown())
      .describe('The `publicKey` of `navigator.credentials.create` or `get`, as JSON'),
  })
  .meta({ id: 'PasskeyQuestion' });
