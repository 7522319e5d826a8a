import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { REAL_PROVIDERS, type RealProviderName } from '../../kernel/payment-providers.ts';
import { givenAccount } from '../../modules/payments/routes/given-account.ts';
import type { GivenAccount } from '../../modules/payments/rules/given-account.ts';
import { PIX_PROFILE_NAMES } from '../../modules/payments/rules/pix-profiles.ts';
import { connectAccount } from '../../modules/payments/use-cases/connect-account.ts';
import type { Config } from '../../platform/config/index.ts';
import type { Database } from '../../platform/database/database.ts';
import { composeAccountConnection } from '../compose/payment-accounts.ts';
import { type CredentialForm, readCredentials } from './read-credentials.ts';

const FORMS: Readonly<Record<RealProviderName, CredentialForm<GivenAccount, string>>> = {
  mercadopago: {
    member: 'mercadopago',
    schema: accountOf('mercadopago'),
    example: '{"mercadopago": {"accessToken": "…", "webhookSecret": "…"}}',
    questions: {
      accessToken: 'Mercado Pago access token',
      webhookSecret: 'Secret of its notifications (empty: the deployment’s own)',
    },
  },
  pix: {
    member: 'pix',
    schema: accountOf('pix'),
    example:
      '{"pix": {"profile": "…", "clientId": "…", "clientSecret": "…", "key": "…", "pkcs12": "…", "passphrase": "…"}}',
    questions: {
      profile: `Bank (${PIX_PROFILE_NAMES.join(', ')})`,
      clientId: 'Client id',
      clientSecret: 'Client secret',
      key: 'Pix key to which the money goes',
      pkcs12: 'Certificate with its key, as Base64 of a PKCS#12 file in one line',
      passphrase: 'Its passphrase',
    },
  },
};

/** The file, or the terminal, names the provider by its place. */
function accountOf(provider: RealProviderName): z.ZodType<GivenAccount> {
  return z.preprocess(
    (given) => (typeof given === 'object' && given !== null ? { ...given, provider } : given),
    givenAccount,
  ) as z.ZodType<GivenAccount>;
}

interface Connection {
  readonly config: Config;
  readonly provider: RealProviderName;
  readonly file: string | undefined;
}

/** Connects a client's own account with credentials from a file, or from the terminal, which does not show them. */
export async function connectToAccount(
  db: Database,
  clientId: string,
  { config, provider, file }: Connection,
): Promise<string> {
  const account = await readCredentials(FORMS[provider], file);
  const { accountId, replaced } = await connectAccount(composeAccountConnection(config, db))({
    clientId,
    account,
    source: null,
  }).catch(refusedAccount);
  const connected = `${clientId} is connected to ${REAL_PROVIDERS[provider]} account ${accountId}`;
  if (replaced === null) return connected;
  const open = `${replaced.openCharges} ${replaced.openCharges === 1 ? 'charge is' : 'charges are'} open`;
  return `${connected}\nIts account ${replaced.accountId} is kept until the charges that it made have ended (${open})`;
}

function refusedAccount(error: unknown): never {
  if (!(error instanceof AppError) || error.code === 'not_found') throw error;
  const [problem] = error.errors ?? [];
  const what = problem === undefined ? 'The provider does not answer' : `${problem.message} (${problem.code})`;
  throw new Error(`${what}: nothing was stored`);
}
