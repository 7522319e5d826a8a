import type { Problem } from '../api/client.ts';

const FRAGMENT = /^#desafio=([\w-]{1,256})$/;

/**
 * The identity provider has signed a member in who still owes a code. The challenge leaves the address at once, so that
 * neither the history nor a copied address holds it.
 */
function takeFromAddress(): string | null {
  const [, challenge] = FRAGMENT.exec(location.hash) ?? [];
  if (challenge === undefined) return null;
  history.replaceState(history.state, '', `${location.pathname}${location.search}`);
  return challenge;
}

let waiting = takeFromAddress();

export const challengeOfAddress = (): string | null => waiting;
export const forgetChallenge = (): void => {
  waiting = null;
};

/** The challenge of a sign-in whose password was right, and that waits for a code. */
export const challengeOfProblem = (problem: Problem | null): string | null =>
  problem?.code === 'second_factor_required' && 'challenge' in problem && typeof problem.challenge === 'string'
    ? problem.challenge
    : null;
