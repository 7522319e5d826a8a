import { z } from 'zod';
import type { MessagingErrorKind } from '../../ports/messaging-channel.ts';

/** The codes of Zenvia's SMS service, which its support pages still name; API v2 documents none. */
const KINDS: ReadonlyMap<string, MessagingErrorKind> = new Map([
  ['010', 'rejected'], // There is no text.
  ['011', 'rejected'],
  ['012', 'rejected'], // The text is too long.
  ['013', 'undeliverable'], // The number is incomplete.
  ['014', 'undeliverable'],
  ['080', 'unknown_outcome'], // The message was sent by an earlier attempt.
  ['130', 'undeliverable'], // The number is blocked.
  ['131', 'undeliverable'],
  ['134', 'rejected'], // The text contains something forbidden.
  ['136', 'retryable'], // The message expired before it was sent.
  ['140', 'undeliverable'], // No carrier covers the number.
  ['141', 'undeliverable'],
  ['145', 'undeliverable'], // The number is inactive.
  ['150', 'undeliverable'], // The phone was off until the carrier gave up.
  ['160', 'retryable'], // The carrier's network failed.
  ['161', 'undeliverable'],
  ['162', 'undeliverable'],
  ['170', 'rejected'],
  ['171', 'undeliverable'], // The number is wrong.
  ['210', 'suspended'], // The account has reached its limit.
  ['900', 'unauthorized'],
  ['901', 'suspended'],
  ['990', 'suspended'],
]);

const cause = z.object({
  channelErrorCode: z.union([z.string(), z.number()]).transform(String).nullish().catch(null),
  reason: z.string().nullish().catch(null),
  details: z.string().nullish().catch(null),
});
const MAX_CAUSES = 10;

/** A cause may say `140` or `140 - Mobile number not covered`, in any of its members. */
const codesIn = (causes: unknown): string[] =>
  (Array.isArray(causes) ? causes.slice(0, MAX_CAUSES) : []).flatMap((one) => {
    const read = cause.safeParse(one);
    if (!read.success) return [];
    const { channelErrorCode, reason, details } = read.data;
    return [channelErrorCode, reason, details].flatMap((text) => /^\s?(\d{3})\b/.exec(text ?? '')?.[1] ?? []);
  });

/** Only codes leave this function, because the texts may repeat the recipient's number. */
export function failureOfStatusEvent(
  status: string,
  causes: unknown,
): { readonly kind: MessagingErrorKind; readonly channelCode: string } {
  const code = codesIn(causes).find((one) => KINDS.has(one));
  if (code !== undefined) return { kind: KINDS.get(code)!, channelCode: code };
  // `REJECTED` never reached a carrier, so nothing is known about the recipient.
  return { kind: status === 'REJECTED' ? 'rejected' : 'undeliverable', channelCode: status };
}
