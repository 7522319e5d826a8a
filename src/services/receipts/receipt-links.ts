import { createHmac, timingSafeEqual } from 'node:crypto';

/** The signed addresses of a receipt. Whoever has one may read the receipt; nobody can make one up. */
export interface ReceiptLinks {
  downloadUrl(protocol: string): string;
  verifyUrl(protocol: string): string;
  /** `signature` as it stands in the query: anything but one right text is wrong. */
  isSigned(protocol: string, signature: unknown): boolean;
}

export interface ReceiptLinkOptions {
  /** The first signs, all verify: links live on when the secret is rotated. */
  readonly secrets: readonly string[];
  readonly publicUrl: string;
}

export function createReceiptLinks({ secrets, publicUrl }: ReceiptLinkOptions): ReceiptLinks {
  const [current] = secrets;
  if (current === undefined) throw new Error('links need a secret to be signed with');
  const sign = (secret: string, protocol: string): string =>
    createHmac('sha256', secret).update(`receipt:${protocol}`).digest('base64url');
  const query = (protocol: string): string => `${encodeURIComponent(protocol)}?sig=${sign(current, protocol)}`;
  return {
    downloadUrl: (protocol) => `${publicUrl}/api/receipts/download/${query(protocol)}`,
    verifyUrl: (protocol) => `${publicUrl}/verify/${query(protocol)}`,
    isSigned(protocol, signature) {
      if (typeof signature !== 'string') return false;
      // As texts, not as bytes: base64url has several spellings for the same bytes, and only ours is right.
      const given = Buffer.from(signature);
      // Every secret is tried, so that the time tells neither how much of it nor which secret was right.
      return secrets
        .map((secret) => {
          const right = Buffer.from(sign(secret, protocol));
          return given.length === right.length && timingSafeEqual(given, right);
        })
        .some((equal) => equal);
    },
  };
}
