import { createHash, X509Certificate } from 'node:crypto';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { LRUCache } from 'lru-cache';
import type { BankCalls } from '../../ports/bank-calls.ts';
import { PaymentProviderError, type PixCredentials } from '../../ports/payment-provider.ts';
import { type AddressRules, type Bank, guardedLookup } from './bank-addresses.ts';
import { fetchToken, type Token } from './bank-token.ts';

/** What one account keeps open with its bank: connections with its certificate, and the token that belongs to it. */
export interface BankSession {
  readonly bank: Bank;
  readonly credentials: PixCredentials;
  readonly agent: HttpAgent | HttpsAgent;
  readonly certificateExpiresAt: Date | null;
  /** Counts a call of a kind (`PixProfile.callsPerMinute`), and throws where the bank is known to refuse one more. */
  count(kind: string): Promise<void>;
  /** One token for all calls at once, kept until shortly before its end. */
  token(): Promise<string>;
  /** Drops the token, unless another call has replaced it already; null drops whatever is kept. */
  dropToken(token: string | null): void;
}

export interface SessionOptions extends AddressRules {
  readonly timeoutMs: number;
  /** Without it calls are not counted. */
  readonly calls?: BankCalls | undefined;
  /** Sessions beyond it are closed, the one that was unused longest first. */
  readonly maxSessions: number;
  readonly idleMs: number;
}

/** A slow call that was begun with the token still arrives before its end. */
const LEAST_TOKEN_LIFE_MS = 30_000;

interface Held {
  readonly session: BankSession;
  users: number;
  closed: boolean;
}

export interface BankSessions {
  /** A session is not closed while it is in use. */
  use<T>(bank: Bank, credentials: PixCredentials, work: (session: BankSession) => Promise<T>): Promise<T>;
  close(): void;
}

export function createBankSessions(options: SessionOptions): BankSessions {
  const closeUnused = (held: Held) => {
    held.closed = true;
    if (held.users === 0) held.session.agent.destroy();
  };
  const sessions = new LRUCache<string, Held>({
    max: options.maxSessions,
    ttl: options.idleMs,
    ttlAutopurge: true,
    updateAgeOnGet: true,
    dispose: closeUnused,
  });
  return {
    async use(bank, credentials, work) {
      const id = createHash('sha256')
        .update(JSON.stringify([bank.baseUrl, credentials]))
        .digest('hex');
      const held = sessions.get(id) ?? { session: openSession(bank, credentials, options), users: 0, closed: false };
      if (!sessions.has(id)) sessions.set(id, held);
      refuseExpired(held.session);
      held.users += 1;
      try {
        return await work(held.session);
      } finally {
        held.users -= 1;
        if (held.closed && held.users === 0) held.session.agent.destroy();
      }
    },
    close: () => sessions.clear(),
  };
}

function refuseExpired({ certificateExpiresAt }: BankSession): void {
  if (certificateExpiresAt !== null && certificateExpiresAt.getTime() <= Date.now()) {
    throw new PaymentProviderError('unauthorized', 'the certificate of the account has ended', {
      providerCodes: ['certificate_expired'],
    });
  }
}

function openSession(bank: Bank, credentials: PixCredentials, options: SessionOptions): BankSession {
  const agent = openAgent(bank, credentials, options);
  let kept: Promise<Token> | null = null;
  let known: Token | null = null;
  const session: BankSession = {
    bank,
    credentials,
    agent,
    certificateExpiresAt: endOf(credentials),
    count: createCallCount(bank, credentials, options),
    async token() {
      if (known !== null && known.endsAt - LEAST_TOKEN_LIFE_MS <= Date.now()) session.dropToken(null);
      kept ??= fetchToken(session, options.timeoutMs);
      const asked = kept;
      try {
        const token = await asked;
        if (kept === asked) known = token;
        return token.value;
      } catch (error) {
        if (kept === asked) kept = null;
        throw error;
      }
    },
    dropToken(token) {
      if (token !== null && known?.value !== token) return;
      known = null;
      kept = null;
    },
  };
  return session;
}

const MINUTE_MS = 60_000;

/** A bank limits each client, whichever of our processes calls it and with whichever certificate. */
function createCallCount(bank: Bank, { clientId }: PixCredentials, options: SessionOptions): BankSession['count'] {
  const client = createHash('sha256')
    .update(JSON.stringify([bank.tokenUrl, clientId]))
    .digest('hex');
  // A call that was counted first may arrive last, up to the end of its time: within a minute of the bank lie calls that
  // were counted within so much more.
  const windowMs = MINUTE_MS + options.timeoutMs;
  return async (kind) => {
    const most = bank.profile.callsPerMinute[kind];
    if (most === undefined || options.calls === undefined) return;
    const waitMs = await options.calls.take(`${client}:${kind}`, { most, windowMs });
    if (waitMs === 0) return;
    throw new PaymentProviderError('retryable', 'the bank allows no more calls in this minute', {
      retryAfterSeconds: Math.ceil(waitMs / 1_000),
    });
  };
}

function endOf({ certificate }: PixCredentials): Date | null {
  if (certificate === null) return null;
  try {
    return new X509Certificate(certificate.certificatePem).validToDate;
  } catch {
    throw certificateUnusable();
  }
}

const certificateUnusable = () =>
  new PaymentProviderError('unauthorized', 'the certificate of the account cannot be used', {
    providerCodes: ['certificate_invalid'],
  });

function openAgent(bank: Bank, { certificate }: PixCredentials, options: SessionOptions): HttpAgent | HttpsAgent {
  const connections = {
    keepAlive: true,
    maxSockets: 16,
    maxFreeSockets: 4,
    ...(bank.name === 'custom' ? { lookup: guardedLookup(options) } : {}),
  };
  if (new URL(bank.baseUrl).protocol === 'http:') return new HttpAgent(connections);
  if (bank.profile.certificate === 'required' && certificate === null && bank.caPem === undefined) {
    throw certificateUnusable();
  }
  return new HttpsAgent({
    ...connections,
    minVersion: 'TLSv1.2',
    ...(bank.caPem === undefined ? {} : { ca: bank.caPem }),
    ...(certificate === null ? {} : { cert: certificate.certificatePem, key: certificate.privateKeyPem }),
  });
}
