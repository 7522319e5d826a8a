import type { Failed } from '../../api/problem.ts';
import { type Entry, isMessage } from '../../timeline/entries.ts';

/** The most characters of a message, as the API counts them. */
export const MAX_CHARACTERS = 4_096;

export const lengthOf = (text: string): number => [...text].length;

/** Only a person's message answers these; the agent's own note does not. */
const ASKS_FOR_PERSON = new Set(['human', 'negotiate', 'hardship', 'dispute']);
const DAY_MS = 86_400_000;

/**
 * Whether a message would be a reply, which may be sent at any hour. The server decides; this only tells before the
 * writing. Null where it cannot be told: the clock of a simulated debt is not this one.
 */
export function mayReply(entries: readonly Entry[], now: number | null): 'waits' | 'recent' | 'no' | null {
  const messages = entries.filter(isMessage);
  const last = messages.findLast((message) => message.kind === 'message_received');
  if (last === undefined) return 'no';
  const { intent, at } = last;
  const isAnswered = messages
    .slice(messages.indexOf(last) + 1)
    .some(
      (message) =>
        message.kind === 'message_sent' &&
        message.delivery !== 'failed' &&
        (message.author === 'staff' || !ASKS_FOR_PERSON.has(intent ?? '')),
    );
  if (!isAnswered) return 'waits';
  if (now === null) return null;
  return now - Date.parse(at) < DAY_MS ? 'recent' : 'no';
}

export type Refusal =
  | { readonly kind: 'blocked'; readonly rules: readonly string[]; readonly notBefore: string | null }
  | { readonly kind: 'forbidden'; readonly codes: readonly string[] }
  | { readonly kind: 'confirm'; readonly codes: readonly string[] }
  | { readonly kind: 'other'; readonly failed: Failed };

/** Why a message was not taken. Warnings alone may be confirmed; beside a refusal they are shown with it. */
export function refusalOf(failed: Failed): Refusal {
  const verdict = failed.problem?.verdict;
  if (failed.code === 'contact_blocked' && verdict !== undefined) {
    return { kind: 'blocked', rules: verdict.rules, notBefore: verdict.notBefore };
  }
  const codes = failed.errors.filter(({ pointer }) => pointer === '/text').map(({ code }) => code);
  if (failed.code !== 'validation_failed' || codes.length === 0) return { kind: 'other', failed };
  const kind = codes.every((code) => code.startsWith('warning_')) ? 'confirm' : 'forbidden';
  return { kind, codes };
}
