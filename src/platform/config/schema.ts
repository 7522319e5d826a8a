import { z } from 'zod';
import {
  addresses,
  baseUrl,
  commaList,
  duration,
  flag,
  integer,
  issuers,
  origins,
  signedDuration,
  urlOf,
} from './values.ts';

export const ROLES = ['api', 'worker', 'relay'] as const;
export type Role = (typeof ROLES)[number];

const DAY_MS = 86_400_000;

const text = z.string().trim();
const port = integer(0, 65_535);
const rate = integer(1, 1_000_000);
const secretList = commaList.refine((list) => list.length > 0, { message: 'must hold at least one value' });

/** The password is part of URLs and derives the signing key of scopes: see `src/platform/database/scope-signer.ts`. */
const loginPassword = text.regex(/^[\w.~-]{32,200}$/, 'must be 32 to 200 letters, digits, or any of -._~');

export const SECRET_NAMES = [
  'JWT_SECRET',
  'RECEIPT_SECRET',
  'PAYMENT_WEBHOOK_SECRET',
  'MESSAGING_WEBHOOK_SECRET',
  'ENCRYPTION_KEY',
  'PERSON_SECRET',
] as const;

/** One of the keys that sign packs of evidence: the day from which it signs, which one may lack, and its secret. */
export const EVIDENCE_KEY = /^(?:([12]\d{3}-\d{2}-\d{2}):)?(\S{32,200})$/;
const BEGINNING = '1970-01-01';

/** The keys that sign packs of evidence: each the day from which it signs, and a secret of which the key is made. */
const evidenceKeys = commaList.transform(
  (values, context): readonly { readonly from: string; readonly secret: string }[] => {
    const found = values.map((value) => EVIDENCE_KEY.exec(value));
    const keys = found.flatMap((one) =>
      one?.[2] === undefined ? [] : [{ from: one[1] ?? BEGINNING, secret: one[2] }],
    );
    const areDays = keys.every(({ from }) => !Number.isNaN(Date.parse(from)));
    if (keys.length === found.length && areDays && new Set(keys.map(({ from }) => from)).size === keys.length)
      return keys;
    const message =
      'must hold values of at least 32 characters, each after its day (2026-11-01:…), which one of them may lack';
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  },
);

/** The channels that reach real people, in the order of the contract. */
export const REAL_CHANNELS = ['whatsapp', 'twilio', 'zenvia', 'email'] as const;
export type RealChannel = (typeof REAL_CHANNELS)[number];

const isRealChannel = (name: string): name is RealChannel => REAL_CHANNELS.some((known) => known === name);

/** The payment providers through which real money moves. */
export const REAL_PROVIDERS = ['mercadopago', 'pix'] as const;
export type RealProvider = (typeof REAL_PROVIDERS)[number];

const isRealProvider = (name: string): name is RealProvider => REAL_PROVIDERS.some((one) => one === name);

/** Empty for the sandbox. */
const providers = commaList.transform((names, context): readonly RealProvider[] => {
  if (names.length === 1 && names[0] === 'sandbox') return [];
  if (names.length > 0 && names.every(isRealProvider) && new Set(names).size === names.length) return names;
  context.addIssue({ code: 'custom', message: `must be sandbox, or a list of ${REAL_PROVIDERS.join(', ')}` });
  return z.NEVER;
});

/** An empty list stands for the sandbox. */
const channels = commaList.transform((names, context): readonly RealChannel[] => {
  if (names.length === 1 && names[0] === 'sandbox') return [];
  if (names.length > 0 && names.every(isRealChannel) && new Set(names).size === names.length) return names;
  context.addIssue({
    code: 'custom',
    message: `must be sandbox, or a list in order of preference of ${REAL_CHANNELS.join(', ')}`,
  });
  return z.NEVER;
});

/** Production may lack `EVIDENCE_KEYS`: then no evidence is packed. */
export type SecretName = (typeof SECRET_NAMES)[number] | 'EVIDENCE_KEYS';

/** Every variable that the service reads, in the order of the contract's table. */
export const environmentSchema = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  PORT: port.default(3000),
  HOST: text.default('127.0.0.1'),
  PUBLIC_URL: baseUrl.optional(),
  DATA_DIR: text.default('.data'),
  DATABASE_URL: urlOf('postgres', 'postgresql').optional(),
  DATABASE_API_PASSWORD: loginPassword.optional(),
  DATABASE_WORKER_PASSWORD: loginPassword.optional(),
  TEMPORAL_ADDRESS: text.regex(/^[^\s/]+:\d{1,5}$/, 'must be host:port').optional(),
  TEMPORAL_NAMESPACE: text.max(100).optional(),
  TEMPORAL_API_KEY: text.optional(),
  TEMPORAL_TLS: flag.optional(),
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: text.optional(),
  TEMPORAL_TLS_CLIENT_CERT_PATH: text.optional(),
  TEMPORAL_TLS_CLIENT_KEY_PATH: text.optional(),
  TEMPORAL_TLS_SERVER_NAME: text.optional(),
  TEMPORAL_PORT: port.default(7233),
  TEMPORAL_UI_URL: urlOf('http', 'https').optional(),
  TEMPORAL_UI_PORT: port.default(8233),
  JWT_SECRET: secretList.optional(),
  RECEIPT_SECRET: secretList.optional(),
  PAYMENT_WEBHOOK_SECRET: secretList.optional(),
  MESSAGING_WEBHOOK_SECRET: secretList.optional(),
  ENCRYPTION_KEY: secretList.optional(),
  PERSON_SECRET: text.optional(),
  EVIDENCE_KEYS: evidenceKeys.optional(),
  ACCESS_TOKEN_TTL: duration(1_000, DAY_MS).default(15 * 60_000),
  LOGIN_RATE_PER_MINUTE: rate.default(5),
  SIGNUP_RATE_PER_MINUTE: rate.default(30),
  PUBLIC_RATE_PER_MINUTE: rate.default(600),
  CLIENT_RATE_PER_MINUTE: rate.default(600),
  MAX_CONNECTIONS: integer(1, 1_000_000).default(10_000),
  TRUST_PROXY: integer(0, 32).default(0),
  CORS_ORIGINS: origins.default([]),
  METRICS_TOKEN: text.optional(),
  METRICS_PORT: integer(1, 65_535).optional(),
  OIDC_ISSUER: issuers.optional(),
  OIDC_AUDIENCE: text.optional(),
  OIDC_CLIENT_ID: text.max(255).optional(),
  OIDC_CLIENT_SECRET: text.max(1_000).optional(),
  PAYMENT_PROVIDER: providers.default([]),
  PIX_MTLS_PROXIES: addresses.optional(),
  MERCADOPAGO_BASE_URL: baseUrl.default('https://api.mercadopago.com'),
  MERCADOPAGO_ACCESS_TOKEN: text.optional(),
  MESSAGING_CHANNEL: channels.default([]),
  WHATSAPP_BASE_URL: baseUrl.default('https://graph.facebook.com/v24.0'),
  WHATSAPP_VERIFY_TOKEN: text.optional(),
  WHATSAPP_TOKEN: text.optional(),
  WHATSAPP_PHONE_NUMBER_ID: text.regex(/^\d+$/, 'must be the number id, digits only').optional(),
  WHATSAPP_BUSINESS_ACCOUNT_ID: text.regex(/^\d+$/, 'must be the account id, digits only').optional(),
  TWILIO_BASE_URL: baseUrl.default('https://api.twilio.com'),
  TWILIO_ACCOUNT_SID: text.regex(/^AC[0-9a-fA-F]{32}$/, 'must be an account SID (AC…)').optional(),
  TWILIO_AUTH_TOKEN: text.optional(),
  TWILIO_FROM: text.optional(),
  ZENVIA_BASE_URL: baseUrl.default('https://api.zenvia.com'),
  ZENVIA_TOKEN: text.optional(),
  ZENVIA_FROM: text.optional(),
  SINGLE_CLIENT: flag.default(false),
  OPERATOR_EMAIL: text.regex(/^[^\s@<>]+@[^\s@<>]+$/, 'must be an e-mail address').optional(),
  SMTP_URL: urlOf('smtp', 'smtps').optional(),
  MAIL_FROM: text.regex(/^(?:[^<>]*<)?[^\s@<>]+@[^\s@<>]+>?$/, 'must be an e-mail address').optional(),
  MAIL_RETURN_DOMAIN: text.regex(/^[a-z\d](?:[a-z\d.-]{0,251}[a-z\d])?$/i, 'must be a domain').optional(),
  AGENT: z.enum(['rules', 'llm']).default('rules'),
  LLM_BASE_URL: baseUrl.optional(),
  LLM_API_KEY: text.optional(),
  LLM_MODEL: text.optional(),
  SANDBOX_MAX_WAIT: duration(1, DAY_MS).default(2_000),
  CLOCK_OFFSET: signedDuration(366 * DAY_MS).default(0),
});

export type Environment = z.infer<typeof environmentSchema>;
export type VariableName = keyof Environment;
export const VARIABLES = Object.keys(environmentSchema.shape) as VariableName[];
