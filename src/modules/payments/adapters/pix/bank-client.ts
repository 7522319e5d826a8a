import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BankCalls } from '../../ports/bank-calls.ts';
import { type PaymentCredentials, PaymentProviderError, type PixCredentials } from '../../ports/payment-provider.ts';
import { type BankOverrides, bankOf } from './bank-addresses.ts';
import { type BankAnswer, failureOfNetwork, refusalOf, unreadable } from './bank-answers.ts';
import { type BankSession, createBankSessions } from './bank-sessions.ts';
import { exchange } from './exchange.ts';
import { valuesOf } from './profile.ts';

export interface BankClientOptions {
  /** Outside production a bank may be a program on this machine. */
  readonly allowLoopback: boolean;
  /** The banks' sandboxes in place of their production. */
  readonly sandbox?: boolean;
  readonly banks?: BankOverrides;
  /** Without it calls that a bank limits are not counted. */
  readonly calls?: BankCalls;
  /** The time limit of one attempt, including the body. */
  readonly timeoutMs?: number;
  readonly retryMs?: number;
  readonly maxSessions?: number;
  readonly idleMs?: number;
}

export interface BankRequest<T> {
  readonly method: 'GET' | 'PUT' | 'PATCH';
  readonly path: string;
  /** The path as it may stand in a log. */
  readonly name: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Throws when the answer does not have the documented form. */
  readonly read: (answer: unknown) => T;
}

export interface BankClient {
  send<T>(credentials: PaymentCredentials | null, request: BankRequest<T>): Promise<T>;
  /** Asks for a new token, whatever was kept; returns when the certificate ends. */
  signIn(credentials: PaymentCredentials | null): Promise<Date | null>;
  close(): void;
}

const READ_ATTEMPTS = 3;

export function pixCredentialsOf(credentials: PaymentCredentials | null): PixCredentials {
  if (credentials?.kind !== 'pix') {
    throw new PaymentProviderError('unauthorized', 'there are no credentials of a bank');
  }
  return credentials;
}

export function createBankClient(options: BankClientOptions): BankClient {
  const { allowLoopback, sandbox = false, banks = {}, calls, timeoutMs = 10_000, retryMs = 250 } = options;
  const { maxSessions = 200, idleMs = 10 * 60_000 } = options;
  const sessions = createBankSessions({ allowLoopback, calls, timeoutMs, maxSessions, idleMs });

  const within = async <T>(given: PaymentCredentials | null, work: (session: BankSession) => Promise<T>) => {
    const credentials = pixCredentialsOf(given);
    return sessions.use(bankOf(credentials, { allowLoopback, sandbox, banks }), credentials, work);
  };

  return {
    send: (given, request) =>
      within(given, async (session) => {
        // A read may simply be repeated. After a write its caller asks what became of it.
        const attempts = request.method === 'GET' ? READ_ATTEMPTS : 1;
        for (let number = 1; ; number += 1) {
          try {
            return await attempt(session, request, timeoutMs);
          } catch (error) {
            const again =
              error instanceof PaymentProviderError &&
              error.kind === 'retryable' &&
              error.retryAfterSeconds === undefined &&
              number < attempts;
            if (!again) throw error;
            await sleep(retryMs * 2 ** (number - 1) * (0.75 + Math.random() / 2));
          }
        }
      }),
    signIn: (given) =>
      within(given, async (session) => {
        session.dropToken(null);
        await session.token();
        return session.certificateExpiresAt;
      }),
    close: () => sessions.close(),
  };
}

async function attempt<T>(session: BankSession, request: BankRequest<T>, timeoutMs: number): Promise<T> {
  const { profile } = session.bank;
  const call = { name: `${request.method} ${request.name}`, writes: request.method !== 'GET' };
  const first = await session.token();
  let answer = await post(session, request, first, timeoutMs);
  if (answer.status === 401) {
    // The bank may end a token early, as when it restarts; a second refusal is about the credentials.
    session.dropToken(first);
    answer = await post(session, request, await session.token(), timeoutMs);
  }
  if (answer.status < 200 || answer.status >= 300) throw refusalOf(answer, call, profile);
  try {
    return request.read(answer.text === '' ? null : JSON.parse(answer.text));
  } catch (error) {
    // The reader throws a `PaymentProviderError` on purpose; any other error means that it could not read the answer.
    if (error instanceof PaymentProviderError) throw error;
    throw unreadable(answer.status, call, profile);
  }
}

async function post<T>(
  session: BankSession,
  request: BankRequest<T>,
  token: string,
  timeoutMs: number,
): Promise<BankAnswer> {
  const { bank, credentials, agent } = session;
  const { profile } = bank;
  await session.count(request.path.split('/')[1] ?? '');
  const base = request.method === 'PATCH' ? (bank.patchBaseUrl ?? bank.baseUrl) : bank.baseUrl;
  const url = new URL(base + request.path);
  const query = { ...request.query, ...valuesOf(profile.query, credentials, '') };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  try {
    return await exchange(url, {
      method: request.method,
      agent,
      timeoutMs,
      headers: {
        ...valuesOf(profile.headers, credentials, randomUUID()),
        ...request.headers,
        authorization: `Bearer ${token}`,
        ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
    });
  } catch (error) {
    const call = { name: `${request.method} ${request.name}`, writes: request.method !== 'GET' };
    throw failureOfNetwork(error, call, profile);
  }
}
