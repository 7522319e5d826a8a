import { createHash, X509Certificate } from 'node:crypto';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { LRUCache } from 'lru-cache';
import { PaymentProviderError, type PixCredentials } from '../../ports/payment-provider.ts';
import { type AddressRules, type Bank, guardedLookup } from './bank-addresses.ts';
import { fetchToken, type Token } from './bank-token.ts';
import type { PixProfile } from './profile.ts';

/** What one account keeps open with its bank: connections with its certificate, and the token that belongs to it. */
export interface BankSession {
  readonly bank: Bank;
  readonly credentials: PixCredentials;
  readonly agent: HttpAgent | HttpsAgent;
  readonly certificateExpiresAt: Date | null;
  /** Counts a call of a kind (`PixProfile.callsPerMinute`), and throws where the bank is known to refuse one more. */
  count(kind: string): void;
  /** One token for all calls at once, kept until shortly before its end. */
  token(): Promise<string>;
  /** Drops the token, unless another call has replaced it already; null drops whatever is kept. */
  dropToken(token: string | null): void;
}

export interface SessionOptions extends AddressRules {
  readonly timeoutMs: number;
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
    count: createCallCount(bank.profile.callsPerMinute),
    async token() {
      if (known !== null && known.endsAt - LEAST_TOKEN_LIFE_MS <= Date.now()) kept = null;
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

/** Calls of another process are not seen: what the bank itself refuses is tried again later as well. */
function createCallCount(limits: PixProfile['callsPerMinute']): BankSession['count'] {
  const made = new Map<string, readonly number[]>();
  return (kind) => {
    const most = limits[kind];
    if (most === undefined) return;
    const now = Date.now();
    const recent = (made.get(kind) ?? []).filter((at) => at > now - MINUTE_MS);
    const [first] = recent;
    if (first !== undefined && recent.length >= most) {
      const retryAfterSeconds = Math.ceil((first + MINUTE_MS - now) / 1_000);
      throw new PaymentProviderError('retryable', 'the bank allows no more calls in this minute', {
        retryAfterSeconds,
      });
    }
    made.set(kind, [...recent, now]);
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
