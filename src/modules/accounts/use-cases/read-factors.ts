import { FACTORS_OF_MEMBER } from '../queries/second-factors.ts';
import type { AccountDeps } from './deps.ts';
import type { OwnCall } from './set-up-totp.ts';

export interface Factors {
  /** Whether an app makes codes that count. */
  readonly totp: boolean;
  readonly passkeys: number;
  readonly recoveryCodesLeft: number;
}

/** By what a member proves who it is, besides the password. */
export const readFactors =
  ({ db }: Pick<AccountDeps, 'db'>) =>
  async ({ clientId, memberId }: Pick<OwnCall, 'clientId' | 'memberId'>): Promise<Factors> => {
    const [row] = await db.readPrepared({ clientId }, FACTORS_OF_MEMBER, { memberId });
    return { totp: row?.totp ?? false, passkeys: row?.passkeys ?? 0, recoveryCodesLeft: row?.recoveryCodesLeft ?? 0 };
  };
