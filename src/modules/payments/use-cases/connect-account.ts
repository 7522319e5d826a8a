import { randomUUID } from 'node:crypto';
import { AppError, type FieldProblem } from '../../../kernel/errors.ts';
import { addAudit, addRequestAudit } from '../../accounts/queries/add-audit.ts';
import { lockForOwnerOrOperator, type OwnerOrOperator } from '../../accounts/use-cases/lock-for-owner.ts';
import { PaymentProviderError } from '../ports/payment-provider.ts';
import { countOpenCharges } from '../queries/charges.ts';
import { idOfAccount } from '../queries/payment-accounts.ts';
import type { GivenAccount } from '../rules/given-account.ts';
import { accountIdFor } from './account-id-for.ts';
import type { AccountCredentials } from './client-credentials.ts';
import type { PaymentDeps } from './deps.ts';
import { pixNotificationAddress } from './pix-notification-address.ts';

export type ConnectDeps = Pick<
  PaymentDeps,
  'db' | 'now' | 'publicUrl' | 'webhookSecrets' | 'credentials' | 'providers' | 'offeredProviders' | 'readCertificate'
>;

export interface Connected {
  readonly id: string;
  readonly accountId: string;
  /** The account that was connected before, when it is another one. It is kept until its charges have ended. */
  readonly replaced: { readonly accountId: string; readonly openCharges: number } | null;
}

type ConnectRequest = OwnerOrOperator & { readonly account: GivenAccount };

/**
 * Stores an account only after the provider has accepted its credentials, has named it, and knows where its notifications
 * go. The account that is connected last makes new charges.
 */
export const connectAccount =
  (deps: ConnectDeps) =>
  async (request: ConnectRequest): Promise<Connected> => {
    const { clientId, account, source } = request;
    const { db, credentials, providers, offeredProviders } = deps;
    if (source !== null && !offeredProviders.includes(account.provider)) {
      throw problemAt('/provider', 'not_offered', 'This service does not offer the provider');
    }
    const given = await readGiven(deps, account);
    const provider = providers[account.provider];
    const key = { clientId, purpose: account.provider };
    const inClient = db.tenant(clientId);
    await inClient.transactional((tx) => lockForOwnerOrOperator(tx, request));
    const checked = await asked(account, () => provider.checkCredentials(given));
    const { certificateExpiresAt } = checked;
    const accountId = await accountIdFor(deps, clientId, { named: checked.accountId, given });
    const known = await inClient.transactional((tx) => idOfAccount(tx, { ...key, accountId }));
    const id = known ?? randomUUID();
    if (account.provider === 'pix') {
      const address = pixNotificationAddress(deps.publicUrl, id, deps.webhookSecrets);
      await asked(account, () => provider.registerNotifications(address, given));
    }
    const listAt = provider.capabilities(given).listsReceived ? deps.now() : null;
    return inClient.transactional(async (tx) => {
      // The caller may have lost its access while the provider was asked.
      await lockForOwnerOrOperator(tx, request);
      const stored = { id, clientId, provider: account.provider, accountId, certificateExpiresAt, listAt };
      const before = await credentials.store(tx, stored, given);
      const named = (prefix: string, purpose: string, ofAccount: string) =>
        // A Pix key may be a phone or an e-mail, which the audit log does not hold.
        purpose === 'pix' ? {} : { [prefix]: ofAccount };
      const details = {
        provider: account.provider,
        ...named('accountId', account.provider, accountId),
        ...(before === null ? {} : named('replacedAccountId', before.purpose, before.accountId)),
      };
      if (source === null) {
        await addAudit(tx, { clientId, actor: 'operator', action: 'client_connected', details });
      } else {
        await addRequestAudit(tx, { clientId, source, action: 'client_connected', target: id, details });
      }
      if (before === null) return { id, accountId, replaced: null };
      const openCharges = await countOpenCharges(tx, clientId, before.accountId);
      return { id, accountId, replaced: { accountId: before.accountId, openCharges } };
    });
  };

const problemAt = (pointer: string, code: string, message: string): AppError =>
  new AppError('validation_failed', { errors: [{ pointer, code, message }] satisfies FieldProblem[] });

/** Opens the certificate of an account at a bank. */
async function readGiven({ readCertificate, now }: ConnectDeps, account: GivenAccount): Promise<AccountCredentials> {
  if (account.provider === 'mercadopago') {
    return { kind: 'token', accessToken: account.accessToken, webhookSecret: account.webhookSecret };
  }
  const { profile, clientId, clientSecret, key, custom, extra, certificate: given } = account;
  const credentials = { kind: 'pix', profile, clientId, clientSecret, key, custom, extra, certificate: null } as const;
  if (given === null) return credentials;
  const read = await readCertificate(given, now());
  if (read.kind === 'read') {
    const { certificatePem, privateKeyPem } = read;
    return { ...credentials, certificate: { certificatePem, privateKeyPem } };
  }
  throw read.kind === 'expired'
    ? problemAt(`/${read.field}`, 'certificate_expired', 'The certificate has ended')
    : problemAt(`/${read.field}`, 'certificate_invalid', 'The certificate cannot be opened with what was given');
}

/** Tells a failure of the provider at the field that it concerns. */
async function asked<T>(account: GivenAccount, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error;
    if (error.retryable) throw new AppError('unavailable', { retryAfterSeconds: error.retryAfterSeconds ?? 30 });
    if (error.providerCodes.includes('key_unknown')) {
      throw problemAt('/key', 'key_unknown', 'The account does not have this Pix key');
    }
    throw problemAt(fieldOf(account, error), 'credentials_refused', 'The provider refuses these credentials');
  }
}

function fieldOf(account: GivenAccount, { providerCodes }: PaymentProviderError): string {
  if (account.provider === 'mercadopago') return '/accessToken';
  if (providerCodes.includes('certificate_refused')) {
    return account.certificate?.kind === 'pkcs12' ? '/pkcs12' : '/certificate';
  }
  return account.clientSecret === null ? '/clientId' : '/clientSecret';
}
