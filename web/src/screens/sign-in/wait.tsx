import type { Failed } from '../../api/problem.ts';
import { SIGN_IN } from '../../texts/sign-in.ts';
import { countdownText, useCountdown } from './countdown.ts';

/** The time runs down on the screen instead of standing still as the server wrote it. */
export const withoutSeconds = (failed: Failed | null): Failed | null =>
  failed === null ? null : { ...failed, retryAfterSeconds: null };

/** How long nothing can be tried. */
export function Wait({ failed }: { readonly failed: Failed | null }) {
  const left = useCountdown(failed?.retryAfterSeconds ?? null);
  if (left === 0) return null;
  const text = countdownText(left);
  return <p>{failed?.code === 'account_locked' ? SIGN_IN.locked(text) : SIGN_IN.tooMany(text)}</p>;
}
