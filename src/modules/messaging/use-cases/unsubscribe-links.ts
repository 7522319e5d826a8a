import { createHmac, timingSafeEqual } from 'node:crypto';

export interface UnsubscribeLink {
  /** The e-mail that contains the link: a link of a later e-mail is another request. */
  readonly messageId: string;
  readonly debtId: string;
}

/** The signed URLs by which a debtor ends the messages. Any holder of one may use it, and nobody can forge one. */
export interface UnsubscribeLinks {
  url(link: UnsubscribeLink): string;
  /** `signature` is the value of the query parameter. Anything but one correct string is refused. */
  isSigned(link: UnsubscribeLink, signature: unknown): boolean;
}

export interface UnsubscribeLinkOptions {
  /** The first secret signs and all of them verify, so that links stay valid when the secret is rotated. */
  readonly secrets: readonly string[];
  readonly publicUrl: string;
}

export const UNSUBSCRIBE_PATH = '/api/messaging/email-unsubscribe';

export function createUnsubscribeLinks({ secrets, publicUrl }: UnsubscribeLinkOptions): UnsubscribeLinks {
  const [current] = secrets;
  if (current === undefined) throw new Error('A secret is required to sign links.');
  const sign = (secret: string, { messageId, debtId }: UnsubscribeLink): string =>
    createHmac('sha256', secret).update(`unsubscribe:${messageId}:${debtId}`).digest('base64url');
  return {
    url: (link) =>
      `${publicUrl}${UNSUBSCRIBE_PATH}?message=${link.messageId}&debt=${link.debtId}&sig=${sign(current, link)}`,
    isSigned(link, signature) {
      if (typeof signature !== 'string') return false;
      const given = Buffer.from(signature);
      // Every secret is tried, so that the response time does not tell which one matched.
      return secrets
        .map((secret) => {
          const expected = Buffer.from(sign(secret, link));
          return given.length === expected.length && timingSafeEqual(given, expected);
        })
        .some((equal) => equal);
    },
  };
}
