import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { ConfigError } from './config-error.ts';
import { crossProblems } from './rules.ts';
import {
  type Environment,
  environmentSchema,
  ROLES,
  type Role,
  type SecretName,
  VARIABLES,
  type VariableName,
} from './schema.ts';
import { SECRETS_OF_ROLES } from './secrets.ts';
import {
  readTemporalConfig,
  readTemporalTls,
  type TemporalFile,
  type TemporalTls,
  tlsProblems,
} from './temporal-config.ts';

export { ConfigError } from './config-error.ts';
export { ROLES, type Role, SECRET_NAMES, type SecretName } from './schema.ts';

export interface OidcIssuer {
  issuer: string;
  audience: string;
}

export interface Config {
  nodeEnv: Environment['NODE_ENV'];
  roles: readonly Role[];
  port: number;
  host: string;
  publicUrl: string;
  dataDir: string;
  databaseUrl: string | undefined;
  /** The passwords of the serving logins. The process that migrates generates and stores those that are not set. */
  databasePasswords: { quita_app: string | undefined; quita_worker: string | undefined };
  temporal: TemporalFile & {
    /** When it is undefined, the embedded server is started. */
    address: string | undefined;
    apiKey: string | undefined;
    tls: TemporalTls | boolean | undefined;
    port: number;
    /** Where operators find Temporal's UI. */
    uiUrl: string | undefined;
    uiPort: number;
  };
  /**
   * The first secret of each list signs and all verify. A list is empty when the roles of this process do not use it.
   */
  jwtSecret: string[];
  receiptSecret: string[];
  paymentWebhookSecret: string[];
  messagingWebhookSecret: string[];
  encryptionKey: string[];
  personSecret: string;
  /** Empty in production while none is set: then no evidence is packed. */
  evidenceKeys: NonNullable<Environment['EVIDENCE_KEYS']>;
  /** Milliseconds. */
  accessTokenTtl: number;
  loginRatePerMinute: number;
  signupRatePerMinute: number;
  publicRatePerMinute: number;
  clientRatePerMinute: number;
  maxConnections: number;
  trustProxy: number;
  corsOrigins: string[];
  metricsToken: string | undefined;
  /** Where a process without an API serves its metrics. */
  metricsPort: number | undefined;
  oidcIssuers: OidcIssuer[];
  /** The identity provider of the console: the first issuer. */
  consoleIdentity: { issuer: string; clientId: string } | null;
  oidcClientSecret: string | undefined;
  /** Where clients may connect accounts; empty for the sandbox. */
  paymentProviders: Environment['PAYMENT_PROVIDER'];
  pixMtlsProxies: Environment['PIX_MTLS_PROXIES'];
  mercadopagoBaseUrl: string;
  mercadopagoAccessToken: string | undefined;
  /** In order of preference; empty for the sandbox. */
  messagingChannels: Environment['MESSAGING_CHANNEL'];
  whatsappBaseUrl: string;
  whatsappVerifyToken: string | undefined;
  whatsappToken: string | undefined;
  whatsappPhoneNumberId: string | undefined;
  whatsappBusinessAccountId: string | undefined;
  twilioBaseUrl: string;
  twilioAccountSid: string | undefined;
  twilioAuthToken: string | undefined;
  twilioFrom: string | undefined;
  zenviaBaseUrl: string;
  zenviaToken: string | undefined;
  zenviaFrom: string | undefined;
  singleClient: boolean;
  /** Whom companies ask for their verification. */
  operatorEmail: string | undefined;
  smtpUrl: string | undefined;
  mailFrom: string | undefined;
  /** The domain whose mail reaches the webhook; by default that of `mailFrom`. */
  mailReturnDomain: string | undefined;
  agent: Environment['AGENT'];
  llmBaseUrl: string | undefined;
  llmApiKey: string | undefined;
  llmModel: string | undefined;
  /** Milliseconds. */
  sandboxMaxWait: number;
  /** How many milliseconds the clock of the service is ahead of real time. Zero in production. */
  clockOffset: number;
}

export type RawEnvironment = Readonly<Record<string, string | undefined>>;

export interface LoadOptions {
  roles?: readonly Role[];
  /** Secrets that a command needs in addition to those of its roles. A command without roles needs only these. */
  secrets?: readonly SecretName[];
  /** Returns the stored value of a secret that is not set. Without this function a missing secret is a problem. */
  keptSecret?: (name: SecretName, dataDir: string) => string;
}

/** Reads the `.env` file of the working folder and the process environment, which takes precedence. */
export const readEnvironment = (folder: string = process.cwd()): RawEnvironment => {
  const file = join(folder, '.env');
  return { ...(existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}), ...process.env };
};

/** An empty variable counts as not set, because compose files write `NAME=${NAME:-}`. */
const knownVariables = (env: RawEnvironment): Partial<Record<VariableName, string>> =>
  Object.fromEntries(
    VARIABLES.flatMap((name) => {
      const value = env[name]?.trim();
      return value === undefined || value === '' ? [] : [[name, value]];
    }),
  );

const loadTemporal = (env: Environment): Config['temporal'] => {
  const file = readTemporalConfig();
  return {
    ...file,
    namespace: env.TEMPORAL_NAMESPACE ?? file.namespace,
    address: env.TEMPORAL_ADDRESS,
    apiKey: env.TEMPORAL_API_KEY,
    tls: readTemporalTls(env),
    port: env.TEMPORAL_PORT,
    uiUrl: env.TEMPORAL_UI_URL,
    uiPort: env.TEMPORAL_UI_PORT,
  };
};

/** The audience of an ID token is the client that asked for it, so that both are the same by default. */
const consoleIdentityOf = (env: Environment): Config['consoleIdentity'] => {
  const issuer = env.OIDC_ISSUER?.[0];
  const clientId = env.OIDC_CLIENT_ID ?? env.OIDC_AUDIENCE;
  return issuer === undefined || clientId === undefined ? null : { issuer, clientId };
};

export const loadConfig = (env: RawEnvironment, options: LoadOptions = {}): Config => {
  const { roles = ROLES, secrets = [] } = options;
  const raw = knownVariables(env);
  const needed = new Set([...roles.flatMap((role) => SECRETS_OF_ROLES[role]), ...secrets]);
  const parsed = environmentSchema.safeParse(raw);
  const problems = [
    ...(parsed.error?.issues ?? []).map((issue) => `${issue.path.join('.')}: ${issue.message}`),
    ...crossProblems(raw, roles, needed),
    ...tlsProblems(raw),
  ];
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);
  const values = parsed.data;
  const temporal = loadTemporal(values);

  const missing: SecretName[] = [];
  const kept = (name: SecretName): string[] => {
    // A command leaves no secrets behind that it does not use: a folder with secrets could not be restored into.
    // Production creates none: `crossProblems` has already reported each required secret that is missing.
    if (!needed.has(name) || values.NODE_ENV === 'production') return [];
    if (options.keptSecret !== undefined) return [options.keptSecret(name, values.DATA_DIR)];
    missing.push(name);
    return [];
  };
  const keptEvidenceKeys = () => {
    const isUsed = roles.includes('api') || secrets.includes('EVIDENCE_KEYS');
    if (!isUsed || values.NODE_ENV === 'production' || options.keptSecret === undefined) return [];
    return [{ from: '1970-01-01', secret: options.keptSecret('EVIDENCE_KEYS', values.DATA_DIR) }];
  };
  const config: Config = {
    nodeEnv: values.NODE_ENV,
    roles,
    port: values.PORT,
    host: values.HOST,
    publicUrl: values.PUBLIC_URL ?? `http://localhost:${values.PORT}`,
    dataDir: values.DATA_DIR,
    databaseUrl: values.DATABASE_URL,
    databasePasswords: { quita_app: values.DATABASE_API_PASSWORD, quita_worker: values.DATABASE_WORKER_PASSWORD },
    temporal,
    jwtSecret: values.JWT_SECRET ?? kept('JWT_SECRET'),
    receiptSecret: values.RECEIPT_SECRET ?? kept('RECEIPT_SECRET'),
    paymentWebhookSecret: values.PAYMENT_WEBHOOK_SECRET ?? kept('PAYMENT_WEBHOOK_SECRET'),
    messagingWebhookSecret: values.MESSAGING_WEBHOOK_SECRET ?? kept('MESSAGING_WEBHOOK_SECRET'),
    encryptionKey: values.ENCRYPTION_KEY ?? kept('ENCRYPTION_KEY'),
    personSecret: values.PERSON_SECRET ?? kept('PERSON_SECRET')[0] ?? '',
    evidenceKeys: values.EVIDENCE_KEYS ?? keptEvidenceKeys(),
    accessTokenTtl: values.ACCESS_TOKEN_TTL,
    loginRatePerMinute: values.LOGIN_RATE_PER_MINUTE,
    signupRatePerMinute: values.SIGNUP_RATE_PER_MINUTE,
    publicRatePerMinute: values.PUBLIC_RATE_PER_MINUTE,
    clientRatePerMinute: values.CLIENT_RATE_PER_MINUTE,
    maxConnections: values.MAX_CONNECTIONS,
    trustProxy: values.TRUST_PROXY,
    corsOrigins: values.CORS_ORIGINS,
    metricsToken: values.METRICS_TOKEN,
    metricsPort: values.METRICS_PORT,
    oidcIssuers: (values.OIDC_ISSUER ?? []).map((issuer) => ({ issuer, audience: values.OIDC_AUDIENCE ?? '' })),
    consoleIdentity: consoleIdentityOf(values),
    oidcClientSecret: values.OIDC_CLIENT_SECRET,
    paymentProviders: values.PAYMENT_PROVIDER,
    pixMtlsProxies: values.PIX_MTLS_PROXIES,
    mercadopagoBaseUrl: values.MERCADOPAGO_BASE_URL,
    mercadopagoAccessToken: values.SINGLE_CLIENT ? values.MERCADOPAGO_ACCESS_TOKEN : undefined,
    messagingChannels: values.MESSAGING_CHANNEL,
    whatsappBaseUrl: values.WHATSAPP_BASE_URL,
    whatsappVerifyToken: values.WHATSAPP_VERIFY_TOKEN,
    whatsappToken: values.SINGLE_CLIENT ? values.WHATSAPP_TOKEN : undefined,
    whatsappPhoneNumberId: values.SINGLE_CLIENT ? values.WHATSAPP_PHONE_NUMBER_ID : undefined,
    whatsappBusinessAccountId: values.SINGLE_CLIENT ? values.WHATSAPP_BUSINESS_ACCOUNT_ID : undefined,
    twilioBaseUrl: values.TWILIO_BASE_URL,
    twilioAccountSid: values.SINGLE_CLIENT ? values.TWILIO_ACCOUNT_SID : undefined,
    twilioAuthToken: values.SINGLE_CLIENT ? values.TWILIO_AUTH_TOKEN : undefined,
    twilioFrom: values.SINGLE_CLIENT ? values.TWILIO_FROM : undefined,
    zenviaBaseUrl: values.ZENVIA_BASE_URL,
    zenviaToken: values.SINGLE_CLIENT ? values.ZENVIA_TOKEN : undefined,
    zenviaFrom: values.SINGLE_CLIENT ? values.ZENVIA_FROM : undefined,
    singleClient: values.SINGLE_CLIENT,
    operatorEmail: values.OPERATOR_EMAIL,
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM,
    mailReturnDomain: values.MAIL_RETURN_DOMAIN,
    agent: values.AGENT,
    llmBaseUrl: values.LLM_BASE_URL,
    llmApiKey: values.LLM_API_KEY,
    llmModel: values.LLM_MODEL,
    sandboxMaxWait: values.SANDBOX_MAX_WAIT,
    clockOffset: values.CLOCK_OFFSET,
  };
  if (missing.length > 0) throw new ConfigError(missing.map((name) => `${name}: is not set`));
  return config;
};
