import { createHmac, timingSafeEqual } from 'node:crypto';
import { DOCUMENT_NAMES, type DocumentKind, kindOfProtocol } from '../../../kernel/protocol.ts';

/**
 * The signed URLs of a receipt, of a Termo de Acordo or of an annual quittance. Any holder of a URL may read it, and
 * nobody can forge one.
 */
export interface ReceiptLinks {
  downloadUrl(protocol: string): string;
  verifyUrl(protocol: string): string;
  /**
   * `signature` is the value of the query parameter. Anything but one correct string is refused. The caller says which
   * document is asked for, because a text that is no protocol may be signed as well and does not say it.
   */
  isSigned(kind: DocumentKind, protocol: string, signature: unknown): boolean;
}

export interface ReceiptLinkOptions {
  /** The first secret signs and all of them verify, so that links stay valid when the secret is rotated. */
  readonly secrets: readonly string[];
  readonly publicUrl: string;
}

function kindOfDocument(protocol: string): DocumentKind {
  const kind = kindOfProtocol(protocol);
  return kind === null || kind === 'PD' ? 'QT' : kind;
}

export function createReceiptLinks({ secrets, publicUrl }: ReceiptLinkOptions): ReceiptLinks {
  const [current] = secrets;
  if (current === undefined) throw new Error('A secret is required to sign links.');
  const sign = (secret: string, kind: DocumentKind, protocol: string): string =>
    createHmac('sha256', secret).update(`${DOCUMENT_NAMES[kind]}:${protocol}`).digest('base64url');
  const query = (protocol: string): string =>
    `${encodeURIComponent(protocol)}?sig=${sign(current, kindOfDocument(protocol), protocol)}`;
  return {
    downloadUrl: (protocol) =>
      `${publicUrl}/api/${DOCUMENT_NAMES[kindOfDocument(protocol)]}s/download/${query(protocol)}`,
    verifyUrl: (protocol) => `${publicUrl}/verify/${query(protocol)}`,
    isSigned(kind, protocol, signature) {
      if (typeof signature !== 'string') return false;
      // The texts are compared, not the decoded bytes: base64url can encode the same bytes in several ways, and only
      // the canonical text is accepted.
      const given = Buffer.from(signature);
      // Every secret is tried, so that the response time discloses neither which secret nor how much of the text
      // matched.
      return secrets
        .map((secret) => {
          const expected = Buffer.from(sign(secret, kind, protocol));
          return given.length === expected.length && timingSafeEqual(given, expected);
        })
        .some((equal) => equal);
    },
  };
}
