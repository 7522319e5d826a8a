import { rateKey } from './client-ip.ts';
import type { HttpConfig } from './deps.ts';
import { createKeyedRate } from './rate-limit.ts';

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
