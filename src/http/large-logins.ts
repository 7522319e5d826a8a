import { rateKey } from './client-ip.ts';
import type { HttpConfig } from './deps.ts';
import { createKeyedRate } from './rate-limit.ts';

/** E-mail and password, each character as long as an escape can make it, have room in it several times over. */
const USUAL_LOGIN = 8 * 1024;

/**
 * Login judges its body before its rate, so parsing is what a flood could make expensive. A body of the usual size costs
 * next to nothing. A larger one takes from a rate of its own before it is parsed: as many a minute and address as logins,
 * kept in this process, because it protects this process. The rate in the database counts each login once, as before.
 */
export function createLargeLogins({
  loginRatePerMinute,
}: Pick<HttpConfig, 'loginRatePerMinute'>): (ip: string, characters: number) => Promise<void> {
  const take = createKeyedRate({ points: loginRatePerMinute, durationSeconds: 60 });
  return async (ip, characters) => {
    if (characters > USUAL_LOGIN) await take(rateKey(ip));
  };
}
