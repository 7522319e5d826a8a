import { createFairPlaces } from '../../kernel/fair-places.ts';
import { rateKey } from './client-ip.ts';
import type { HttpConfig } from './deps.ts';
import { createKeyedRate } from './rate-limit.ts';

/** A smaller body is parsed and checked within a few milliseconds. */
const LARGE_CHARACTERS = 32 * 1024;

/** Waits until the body of this owner may be parsed. The caller calls what it returns when it is done with the body. */
export type LargeBodies = (owner: string, characters: number) => Promise<() => void>;

/**
 * Lets large bodies of JSON be parsed, checked and digested one after the other, and everything else that has arrived
 * between two of them: sixty at once would keep all other calls waiting for seconds.
 */
export function createLargeBodies(): LargeBodies {
  const turns = createFairPlaces({ atOnce: 1, each: 1 });
  return async (owner, characters) => {
    if (characters <= LARGE_CHARACTERS) return () => undefined;
    const { ready, leave } = turns.take(owner, characters);
    await ready;
    return () => void setImmediate(leave);
  };
}

/** Several times the size of an e-mail and a password with every character written as an escape. */
const USUAL_LOGIN = 8 * 1024;

/**
 * Login checks its body before its rate, so a flood of large bodies would make parsing expensive. Parsing a body of the
 * usual size costs almost nothing. A larger body counts against a rate of its own before it is parsed: as many per
 * minute and address as logins. This rate is kept in memory, because it protects this process; the rate in the database
 * still counts each login once.
 */
export function createLargeLogins({
  loginRatePerMinute,
}: Pick<HttpConfig, 'loginRatePerMinute'>): (ip: string, characters: number) => Promise<void> {
  const take = createKeyedRate({ points: loginRatePerMinute, durationSeconds: 60 });
  return async (ip, characters) => {
    if (characters > USUAL_LOGIN) await take(rateKey(ip));
  };
}
