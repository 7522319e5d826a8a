import { randomUUID } from 'node:crypto';
import type { Agent as HttpAgent } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';
import { z } from 'zod';
import { PaymentProviderError, type PixCredentials } from '../../ports/payment-provider.ts';
import type { Bank } from './bank-addresses.ts';
import { type BankAnswer, failureOfNetwork, refusalOf, unreadable } from './bank-answers.ts';
import { exchange } from './exchange.ts';
import { valuesOf } from './profile.ts';

export interface Token {
  readonly value: string;
  readonly endsAt: number;
}

/** Whoever asks for a token, over the connections that its calls will use. */
interface Asker {
  readonly bank: Bank;
  readonly credentials: PixCredentials;
  readonly agent: HttpAgent | HttpsAgent;
  count(kind: string): Promise<void>;
}

const CALL = { name: 'POST token', writes: false };
const MAX_LIFE_SECONDS = 24 * 3_600;

// Other characters are not allowed in a header value.
const tokenAnswer = z.object({
  access_token: z.string().regex(/^[\x21-\x7e]{1,8192}$/),
  expires_in: z.coerce.number().int().positive().catch(300),
  client_id: z.string().optional().catch(undefined),
});

type ClientStyle = 'basic' | 'form' | 'id_only';

/** OAuth 2, client_credentials. A bank may bind the token to the certificate of the connection (RFC 8705). */
export async function fetchToken(session: Asker, timeoutMs: number): Promise<Token> {
  const { client } = session.bank.profile.token;
  const [first, second]: readonly ClientStyle[] = client === 'basic_or_form' ? ['basic', 'form'] : [client];
  let answer = await ask(session, first ?? 'basic', timeoutMs);
  if (second !== undefined && (answer.status === 400 || answer.status === 401)) {
    answer = await ask(session, second, timeoutMs);
  }
  return readToken(answer, session);
}

async function ask(session: Asker, client: ClientStyle, timeoutMs: number): Promise<BankAnswer> {
  const { bank, credentials, agent } = session;
  await session.count('token');
  const { body: form, grantInQuery, scope } = bank.profile.token;
  const { clientId } = credentials;
  const clientSecret = credentials.clientSecret ?? '';
  const values: Record<string, string> = {
    ...(grantInQuery ? {} : { grant_type: 'client_credentials' }),
    ...(scope === null ? {} : { scope }),
    ...(client === 'basic' ? {} : { client_id: clientId }),
    ...(client === 'form' ? { client_secret: clientSecret } : {}),
  };
  const url = new URL(bank.tokenUrl);
  if (grantInQuery) url.searchParams.set('grant_type', 'client_credentials');
  for (const [name, value] of Object.entries(valuesOf(bank.profile.query, credentials, ''))) {
    url.searchParams.set(name, value);
  }
  try {
    return await exchange(url, {
      method: 'POST',
      agent,
      timeoutMs,
      headers: {
        ...valuesOf(bank.profile.headers, credentials, randomUUID()),
        ...(client === 'basic' ? { authorization: `Basic ${base64(`${clientId}:${clientSecret}`)}` } : {}),
        'content-type': form === 'json' ? 'application/json' : 'application/x-www-form-urlencoded',
      },
      body: form === 'json' ? JSON.stringify(values) : new URLSearchParams(values).toString(),
    });
  } catch (error) {
    throw failureOfNetwork(error, CALL, bank.profile);
  }
}

const base64 = (value: string): string => Buffer.from(value).toString('base64');

function tokenOf({ status, text }: BankAnswer, { profile }: Bank): z.infer<typeof tokenAnswer> {
  try {
    return tokenAnswer.parse(JSON.parse(text));
  } catch {
    throw unreadable(status, CALL, profile);
  }
}

function readToken(answer: BankAnswer, { bank, credentials }: Asker): Token {
  if (answer.status >= 200 && answer.status < 300) {
    const given = tokenOf(answer, bank);
    const { namesClient } = bank.profile.token;
    if (namesClient && given.client_id !== undefined && given.client_id !== credentials.clientId) {
      throw new PaymentProviderError('unauthorized', `${bank.profile.title} gave a token that is for another client`, {
        httpStatus: answer.status,
      });
    }
    return { value: given.access_token, endsAt: Date.now() + Math.min(given.expires_in, MAX_LIFE_SECONDS) * 1_000 };
  }
  const refusal = refusalOf(answer, CALL, bank.profile);
  // Here a bad request is a client that the bank does not know.
  if (answer.status !== 400) throw refusal;
  throw new PaymentProviderError('unauthorized', refusal.message, {
    httpStatus: 400,
    providerCodes: refusal.providerCodes,
  });
}
