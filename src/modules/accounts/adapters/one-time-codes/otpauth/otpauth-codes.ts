import { timingSafeEqual } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { OneTimeCodes } from '../../../ports/one-time-codes.ts';

const ISSUER = 'Quita';
const PERIOD_SECONDS = 30;
/** Clocks of phones are seldom wrong by more than one step. */
const DRIFT_STEPS = [-1, 0, 1];
/** RFC 4226 asks for at least 128 bits, and recommends 160. */
const SECRET_BYTES = 20;

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/** In real time, because the phone knows nothing of `CLOCK_OFFSET`. */
export function createOtpauthCodes({ now = Date.now }: { readonly now?: () => number } = {}): OneTimeCodes {
  const codesOf = (secret: string, label?: string): TOTP =>
    new TOTP({
      issuer: ISSUER,
      algorithm: 'SHA1',
      digits: 6,
      period: PERIOD_SECONDS,
      secret: Secret.fromBase32(secret),
      ...(label === undefined ? {} : { label }),
    });
  return {
    newSecret: () => new Secret({ size: SECRET_BYTES }).base32,
    uriOf: (secret, label) => codesOf(secret, label).toString(),
    stepOf(secret, code, after) {
      const codes = codesOf(secret);
      const present = Math.floor(now() / 1_000 / PERIOD_SECONDS);
      const steps = DRIFT_STEPS.map((drift) => present + drift).filter((step) => step > after);
      return steps.find((step) => isSame(codes.generate({ timestamp: step * PERIOD_SECONDS * 1_000 }), code)) ?? null;
    },
  };
}
