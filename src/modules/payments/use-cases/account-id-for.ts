import { CredentialCipherError } from '../../../kernel/ports/credential-cipher.ts';
import { idOfAccount } from '../queries/payment-accounts.ts';
import { bankOfAccount, idAtBank } from '../rules/account-at-bank.ts';
import type { AccountCredentials } from './client-credentials.ts';
import type { PaymentDeps } from './deps.ts';

type Deps = Pick<PaymentDeps, 'db' | 'credentials'>;

/**
 * Returns the id under which an account is stored, which its charges have too. A bank calls an account by its Pix key, and
 * a client may move the key to another bank. Then the account there has an id of its own, so that the bank that made the
 * earlier charges is still asked about them and gives their money back.
 */
export async function accountIdFor(
  deps: Deps,
  clientId: string,
  { named, given }: { readonly named: string; readonly given: AccountCredentials },
): Promise<string> {
  if (given.kind !== 'pix') return named;
  const bank = bankOfAccount(given);
  const atBank = idAtBank(named, bank);
  const key = { clientId, purpose: 'pix', accountId: atBank } as const;
  if ((await deps.db.tenant(clientId).transactional((tx) => idOfAccount(tx, key))) !== undefined) return atBank;
  const before = await bankBefore(deps, clientId, named);
  return before === null || before === bank ? named : atBank;
}

/** Credentials that cannot be decrypted do not say their bank: connecting the account again makes it whole. */
async function bankBefore({ credentials }: Deps, clientId: string, accountId: string): Promise<string | null> {
  try {
    const kept = await credentials.kept(clientId, 'pix', accountId);
    return kept?.credentials.kind === 'pix' ? bankOfAccount(kept.credentials) : null;
  } catch (error) {
    if (!(error instanceof CredentialCipherError)) throw error;
    return null;
  }
}
