import type { RealChannel, RealProvider, Role, SecretName, VariableName } from './schema.ts';
import { weakSecrets } from './secrets.ts';
import { isLoopback, parseUrl } from './values.ts';

type Raw = Readonly<Partial<Record<VariableName, string>>>;

interface Rule {
  /** Returns whether the variables in `needs` are required. */
  when: (raw: Raw) => boolean;
  needs: readonly VariableName[];
  because: string;
  /** The roles that use the variables; without it the rule applies to every process. */
  roles?: readonly Role[];
}

const realNames = (list: string | undefined): readonly string[] =>
  (list ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'sandbox');
const providersOf = (raw: Raw) => realNames(raw.PAYMENT_PROVIDER);
const channelsOf = (raw: Raw) => realNames(raw.MESSAGING_CHANNEL);
const uses = (channel: RealChannel) => (raw: Raw) => channelsOf(raw).includes(channel);
const isSingle = (raw: Raw) => ['true', '1'].includes(raw.SINGLE_CLIENT?.toLowerCase() ?? '');

/**
 * The API checks at a launch that a client's accounts are connected, and a worker uses them; the relay needs neither.
 */
const COLLECTING: readonly Role[] = ['api', 'worker'];

const SENDERS_OF_SINGLE_CLIENT: Readonly<Partial<Record<RealChannel, readonly VariableName[]>>> = {
  whatsapp: ['WHATSAPP_TOKEN', 'WHATSAPP_PHONE_NUMBER_ID', 'WHATSAPP_BUSINESS_ACCOUNT_ID'],
  twilio: ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM'],
  zenvia: ['ZENVIA_TOKEN', 'ZENVIA_FROM'],
};

/** An account at a bank is connected in the console, because its certificate is no single line. */
const ACCOUNT_OF_SINGLE_CLIENT: Readonly<Partial<Record<RealProvider, readonly VariableName[]>>> = {
  mercadopago: ['MERCADOPAGO_ACCESS_TOKEN'],
};

const RULES: readonly Rule[] = [
  { when: (raw) => raw.OIDC_ISSUER !== undefined, needs: ['OIDC_AUDIENCE'], because: 'with OIDC_ISSUER' },
  { when: (raw) => raw.OIDC_AUDIENCE !== undefined, needs: ['OIDC_ISSUER'], because: 'with OIDC_AUDIENCE' },
  { when: (raw) => raw.OIDC_CLIENT_ID !== undefined, needs: ['OIDC_ISSUER'], because: 'with OIDC_CLIENT_ID' },
  { when: (raw) => raw.OIDC_CLIENT_SECRET !== undefined, needs: ['OIDC_ISSUER'], because: 'with OIDC_CLIENT_SECRET' },
  { when: (raw) => raw.SMTP_URL !== undefined, needs: ['MAIL_FROM'], because: 'with SMTP_URL' },
  {
    when: (raw) => raw.AGENT === 'llm',
    needs: ['LLM_BASE_URL', 'LLM_MODEL'],
    because: 'with AGENT=llm',
    roles: COLLECTING,
  },
  {
    when: uses('whatsapp'),
    needs: ['WHATSAPP_VERIFY_TOKEN'],
    because: 'with MESSAGING_CHANNEL=whatsapp',
    roles: ['api'],
  },
  { when: uses('email'), needs: ['SMTP_URL', 'MAIL_FROM'], because: 'with MESSAGING_CHANNEL=email', roles: COLLECTING },
  ...Object.entries(ACCOUNT_OF_SINGLE_CLIENT).map(
    ([provider, needs]): Rule => ({
      when: (raw) => isSingle(raw) && providersOf(raw).includes(provider),
      needs,
      because: `with SINGLE_CLIENT=true and PAYMENT_PROVIDER=${provider}`,
      roles: COLLECTING,
    }),
  ),
  ...Object.entries(SENDERS_OF_SINGLE_CLIENT).map(
    ([channel, needs]): Rule => ({
      when: (raw) => isSingle(raw) && channelsOf(raw).includes(channel),
      needs,
      because: `with SINGLE_CLIENT=true and MESSAGING_CHANNEL=${channel}`,
      roles: COLLECTING,
    }),
  ),
  {
    when: (raw) => raw.TEMPORAL_TLS_CLIENT_CERT_PATH !== undefined,
    needs: ['TEMPORAL_TLS_CLIENT_KEY_PATH'],
    because: 'with TEMPORAL_TLS_CLIENT_CERT_PATH',
  },
  {
    when: (raw) => raw.TEMPORAL_TLS_CLIENT_KEY_PATH !== undefined,
    needs: ['TEMPORAL_TLS_CLIENT_CERT_PATH'],
    because: 'with TEMPORAL_TLS_CLIENT_KEY_PATH',
  },
  {
    when: (raw) => raw.TEMPORAL_API_KEY !== undefined,
    needs: ['TEMPORAL_ADDRESS'],
    because: 'with TEMPORAL_API_KEY',
  },
];

const mixedProviders = (raw: Raw): string[] =>
  providersOf(raw).length > 0 === channelsOf(raw).length > 0
    ? []
    : ['PAYMENT_PROVIDER and MESSAGING_CHANNEL must both be real or both be sandbox'];

/**
 * In production the address must use TLS, because debtors open their pages and the provider sends notifications there.
 */
const unencryptedPublicUrl = (raw: Raw): string[] => {
  if (raw.NODE_ENV !== 'production') return [];
  const url = parseUrl(raw.PUBLIC_URL ?? '');
  if (url?.protocol !== 'http:' || isLoopback(url.hostname)) return [];
  return ['PUBLIC_URL: must begin with https:// in production unless it is on loopback'];
};

/** Documents, receipts and contacts with real people must carry the real time. */
const shiftedClock = (raw: Raw): string[] =>
  raw.NODE_ENV === 'production' && raw.CLOCK_OFFSET !== undefined
    ? ['CLOCK_OFFSET: is for development only, and must not be set in production']
    : [];

/**
 * Checks rules over several variables. It reads the raw texts, so that its problems are listed with those of single
 * values.
 */
export const crossProblems = (raw: Raw, roles: readonly Role[], secrets: ReadonlySet<SecretName>): string[] => {
  const missing = new Map<VariableName, string>();
  const need = (name: VariableName, because: string): void => {
    if (raw[name] === undefined && !missing.has(name)) missing.set(name, `${name}: is needed ${because}`);
  };
  if (raw.NODE_ENV === 'production') for (const name of secrets) need(name, 'in production');
  for (const rule of RULES) {
    if (rule.roles?.some((role) => roles.includes(role)) === false || !rule.when(raw)) continue;
    for (const name of rule.needs) need(name, rule.because);
  }
  return [
    ...missing.values(),
    ...mixedProviders(raw),
    ...unencryptedPublicUrl(raw),
    ...shiftedClock(raw),
    ...weakSecrets(raw),
  ];
};
