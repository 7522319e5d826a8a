import type { BlockList } from 'node:net';
import type { AppError } from '../../kernel/errors.ts';
import type { RealProviderName } from '../../kernel/payment-providers.ts';
import type { Caller, Credentials } from '../shared/caller.ts';
import type { Console } from './console.ts';
import type { RequestLimits } from './request-limits.ts';

/** The use cases that routes may call. The composition, which knows the modules, declares them. */
// biome-ignore lint/suspicious/noEmptyInterface: `src/app/services/api.ts` fills it.
export interface Services {}

/** `bearer` accepts every credential, `jwt` refuses API keys. A refusal is thrown as an AppError. */
export type Authenticate = (credentials: Credentials, kind: 'bearer' | 'jwt') => Promise<Caller>;

export interface CheckResult {
  readonly status: 'up' | 'down';
  readonly detail?: string | undefined;
}

export interface Readiness {
  readonly database: CheckResult;
  readonly temporal: CheckResult;
  readonly worker: CheckResult;
}

export interface HttpConfig {
  readonly publicUrl: string;
  readonly production: boolean;
  readonly version: string;
  /** How many proxies in front of the service are trusted for the caller's address. */
  readonly trustProxy: number;
  readonly corsOrigins: readonly string[];
  readonly metricsToken: string | undefined;
  readonly loginRatePerMinute: number;
  readonly signupRatePerMinute: number;
  readonly publicRatePerMinute: number;
  readonly clientRatePerMinute: number;
  /** True when no adapter reaches a real person or moves real money. */
  readonly sandboxOnly: boolean;
  /** Where clients may connect accounts that receive money. */
  readonly paymentProviders: readonly RealProviderName[];
  /** The proxies that prove a bank by its certificate; undefined when none is asked for one. */
  readonly pixMtlsProxies: BlockList | undefined;
  /** Who verifies a company: its own owner, or the operator asked by mail. Absent: the operator, asked in another way. */
  readonly verification?: 'own' | 'by_mail' | undefined;
  /** The identity provider by which the console offers to sign in. */
  readonly identity: { readonly issuer: string; readonly clientId: string } | null;
}

type LogLine = (fields: object, message: string) => void;

export interface HttpLogger {
  readonly debug: LogLine;
  readonly info: LogLine;
  readonly warn: LogLine;
  readonly error: LogLine;
}

/** Fields of each log line that is written while the request is served; the guard adds the client. */
export interface RequestContext {
  readonly requestId: string;
  clientId?: string;
  role?: string;
  memberId?: string;
}

export interface HttpMetrics {
  readonly contentType: string;
  text(): Promise<string>;
  observeRequest(seen: { method: string; route: string; status: number; seconds: number }): void;
}

export interface HttpDeps {
  readonly config: HttpConfig;
  readonly logger: HttpLogger;
  readonly withLogContext: <T>(context: RequestContext, run: () => T) => T;
  readonly metrics: HttpMetrics;
  readonly authenticate: Authenticate;
  readonly services: Services;
  readonly now: () => Date;
  readonly readiness: () => Promise<Readiness>;
  /** The built console. Without it the API serves alone. */
  readonly console?: Console | undefined;
  /** Changes of the default limits, for tests. */
  readonly limits?: Partial<RequestLimits>;
  /** Converts errors of other layers, mainly of the database; returns `undefined` for an unknown error. */
  readonly mapError?: (error: unknown) => AppError | undefined;
}
