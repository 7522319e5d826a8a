import type { RealProviderName } from '../../../kernel/payment-providers.ts';
import { openChargesByAccount } from '../queries/charges-of-accounts.ts';
import { paymentAccountsOf } from '../queries/payment-accounts.ts';
import { nameOfAccount } from '../rules/account-at-bank.ts';
import type { PaymentDeps } from './deps.ts';

export interface PaymentAccountView {
  readonly id: string;
  readonly provider: RealProviderName;
  readonly profile: string | null;
  readonly account: string;
  readonly state: 'ready' | 'failing' | 'replaced';
  readonly reason: string | null;
  readonly certificateExpiresAt: string | null;
  readonly openCharges: number;
  readonly createdAt: string;
}

/** Lists the accounts at which a client receives money, the connected one first, without their credentials. */
export const listPaymentAccounts =
  ({ db, now }: Pick<PaymentDeps, 'db' | 'now'>) =>
  (clientId: string): Promise<PaymentAccountView[]> =>
    db.tenant(clientId).transactional(async (tx) => {
      const accounts = await paymentAccountsOf(tx, clientId);
      const open = await openChargesByAccount(tx, clientId);
      return accounts.map(
        ({ id, provider, accountId, profile, replacedAt, certificateExpiresAt, createdAt, problem }) => {
          const hasEnded = certificateExpiresAt !== null && certificateExpiresAt <= now();
          const reason = replacedAt !== null ? null : hasEnded ? 'certificate_expired' : problem;
          return {
            id,
            provider,
            profile,
            account: nameOfAccount(accountId),
            state: replacedAt !== null ? 'replaced' : reason === null ? 'ready' : 'failing',
            reason,
            certificateExpiresAt: certificateExpiresAt?.toISOString() ?? null,
            openCharges: open.find((one) => one.provider === provider && one.accountId === accountId)?.open ?? 0,
            createdAt: createdAt.toISOString(),
          };
        },
      );
    });
