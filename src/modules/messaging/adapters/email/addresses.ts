import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Where the id of a message stands: in the address to which bounces return, in the one for answers, in the one that asks
 * for silence, or in the `Message-ID`.
 */
export type AddressKind = 'bounce' | 'reply' | 'stop' | 'message';

export interface SignedAddress {
  readonly kind: AddressKind;
  readonly messageId: string;
}

export interface EmailAddresses {
  /** The sender of the envelope: VERP, a variable envelope return path. */
  bounce(messageId: string): string;
  reply(messageId: string): string;
  stop(messageId: string): string;
  /** The `Message-ID`, without its angle brackets. */
  message(messageId: string): string;
  /** Returns the addresses of ours in the text. One with a wrong signature is left out. */
  find(text: string): readonly SignedAddress[];
}

export interface EmailAddressOptions {
  /** The first secret signs and all of them verify. */
  readonly secrets: readonly string[];
  /** The domain whose mail reaches the webhook. */
  readonly returnDomain: string;
  /** The domain of the address in `From`. */
  readonly fromDomain: string;
}

const HEX_OF_ID = 32;
/** 80 bits. The whole local part has 59 octets, and mail servers take at most 64 (RFC 5321, 4.5.3.1.1). */
const HEX_OF_SIGNATURE = 20;
/** More of them in one text mean that somebody tries signatures. */
const MAX_FOUND = 50;

// Only lower-case hexadecimal is written, and any case is read, because some servers change the case of a local part.
const RETURNED = /\b(bounce|reply|stop)\+([0-9a-f]{32})([0-9a-f]{20})@/gi;
const MESSAGE = /\b([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.([0-9a-f]{20})@/gi;

/** Signs the id of a message into the addresses of its e-mail, so that bounces and answers find it and no one forges them. */
export function createEmailAddresses({ secrets, returnDomain, fromDomain }: EmailAddressOptions): EmailAddresses {
  const [current] = secrets;
  if (current === undefined) throw new Error('A secret is required to sign addresses.');
  const sign = (secret: string, { kind, messageId }: SignedAddress): string =>
    createHmac('sha256', secret).update(`email-${kind}:${messageId}`).digest('hex').slice(0, HEX_OF_SIGNATURE);
  const returned = (kind: AddressKind, messageId: string): string =>
    `${kind}+${messageId.replaceAll('-', '')}${sign(current, { kind, messageId })}@${returnDomain}`;

  const isSigned = (address: SignedAddress, signature: string): boolean => {
    const given = Buffer.from(signature.toLowerCase());
    // Every secret is tried, so that the time does not tell which one matched.
    return secrets.map((secret) => timingSafeEqual(Buffer.from(sign(secret, address)), given)).some((equal) => equal);
  };

  return {
    bounce: (messageId) => returned('bounce', messageId),
    reply: (messageId) => returned('reply', messageId),
    stop: (messageId) => returned('stop', messageId),
    message: (messageId) => `${messageId}.${sign(current, { kind: 'message', messageId })}@${fromDomain}`,
    find(text) {
      const found = [
        ...[...text.matchAll(RETURNED)].slice(0, MAX_FOUND).map(([, kind, hex, signature]) => ({
          address: { kind: kind!.toLowerCase() as AddressKind, messageId: uuidOf(hex!) },
          signature: signature!,
        })),
        ...[...text.matchAll(MESSAGE)].slice(0, MAX_FOUND).map(([, messageId, signature]) => ({
          address: { kind: 'message' as const, messageId: messageId!.toLowerCase() },
          signature: signature!,
        })),
      ];
      return found.filter(({ address, signature }) => isSigned(address, signature)).map(({ address }) => address);
    },
  };
}

function uuidOf(hex: string): string {
  const text = hex.toLowerCase();
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20, HEX_OF_ID)].join(
    '-',
  );
}
