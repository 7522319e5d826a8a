import { createHmac, randomBytes } from 'node:crypto';
import type { CredentialCipher } from '../../../kernel/ports/credential-cipher.ts';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

export const newWebhookSecret = (): string => `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;

/** A secret that is copied to another webhook's row cannot be opened there. */
const contextOf = (webhook: { readonly clientId: string; readonly id: string }): string =>
  `${webhook.clientId}:webhook:${webhook.id}`;

type Owner = Parameters<typeof contextOf>[0];

export const sealSecret = (cipher: CredentialCipher, owner: Owner, secret: string): string =>
  cipher.seal(secret, contextOf(owner));

export const openSecret = (cipher: CredentialCipher, owner: Owner, sealed: string): string =>
  cipher.open(sealed, contextOf(owner));

export interface SignedContent {
  readonly id: string;
  /** In seconds. */
  readonly timestamp: number;
  readonly body: string;
}

/** Signs by the Standard Webhooks specification, once for each secret that is valid now. */
export const signContent = (secrets: readonly string[], { id, timestamp, body }: SignedContent): string =>
  secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
    })
    .join(' ');
