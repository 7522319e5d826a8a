import { createHmac, timingSafeEqual } from 'node:crypto';
import type { WebhookVerifier } from '../../ports/webhook-verifier.ts';
import { signatureQuestion } from '../../rules/webhook-signature.ts';

export const verifyWebhook: WebhookVerifier = (notification, secrets) => {
  const question = signatureQuestion(notification);
  if (question === null) return null;
  const given = question.hashes.map((hash) => Buffer.from(hash, 'hex'));
  let found: { dataId: string | null } | null = null;
  // The loop goes on after a match, so that the time does not reveal which secret or spelling matched.
  for (const { dataId, manifest } of question.candidates) {
    for (const secret of secrets) {
      const expected = createHmac('sha256', secret).update(manifest).digest();
      for (const hash of given) {
        if (timingSafeEqual(expected, hash)) found ??= { dataId };
      }
    }
  }
  return found;
};
