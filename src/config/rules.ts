import { SECRET_NAMES, type VariableName } from './schema.ts';

type Raw = Readonly<Partial<Record<VariableName, string>>>;

interface Rule {
  /** Whether what follows is needed. */
  when: (raw: Raw) => boolean;
  needs: readonly VariableName[];
  because: string;
}

const usesMercadoPago = (raw: Raw) => raw.PAYMENT_PROVIDER === 'mercadopago';
const usesWhatsApp = (raw: Raw) => raw.MESSAGING_CHANNEL === 'whatsapp';
const isSingle = (raw: Raw) => ['true', '1'].includes(raw.SINGLE_CLIENT?.toLowerCase() ?? '');

const RULES: readonly Rule[] = [
  { when: (raw) => raw.NODE_ENV === 'production', needs: SECRET_NAMES, because: 'in production' },
  { when: (raw) => raw.OIDC_ISSUER !== undefined, needs: ['OIDC_AUDIENCE'], because: 'with OIDC_ISSUER' },
  { when: (raw) => raw.OIDC_AUDIENCE !== undefined, needs: ['OIDC_ISSUER'], because: 'with OIDC_AUDIENCE' },
  { when: (raw) => raw.SMTP_URL !== undefined, needs: ['MAIL_FROM'], because: 'with SMTP_URL' },
  { when: (raw) => raw.AGENT === 'llm', needs: ['LLM_BASE_URL', 'LLM_MODEL'], because: 'with AGENT=llm' },
  { when: usesWhatsApp, needs: ['WHATSAPP_VERIFY_TOKEN'], because: 'with MESSAGING_CHANNEL=whatsapp' },
  {
    when: (raw) => isSingle(raw) && usesMercadoPago(raw),
    needs: ['MERCADOPAGO_ACCESS_TOKEN'],
    because: 'with SINGLE_CLIENT=true and PAYMENT_PROVIDER=mercadopago',
  },
  {
    when: (raw) => isSingle(raw) && usesWhatsApp(raw),
    needs: ['WHATSAPP_TOKEN', 'WHATSAPP_PHONE_NUMBER_ID'],
    because: 'with SINGLE_CLIENT=true and MESSAGING_CHANNEL=whatsapp',
  },
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

const SHORTEST_SECRET = 8;

const mixes = (raw: Raw): string[] =>
  usesMercadoPago(raw) === usesWhatsApp(raw)
    ? []
    : ['PAYMENT_PROVIDER and MESSAGING_CHANNEL must both be real or both be sandbox'];

const weakSecrets = (raw: Raw): string[] => {
  if (raw.NODE_ENV !== 'production') return [];
  return SECRET_NAMES.filter((name) => {
    const values = name === 'PERSON_SECRET' ? [raw[name] ?? ''] : (raw[name] ?? '').split(',');
    return values.some((value) => value.trim() !== '' && value.trim().length < SHORTEST_SECRET);
  }).map((name) => `${name}: must have at least ${SHORTEST_SECRET} characters in production`);
};

/** What concerns several variables at once; looks at the raw texts, so that it is heard beside the single ones' problems. */
export const crossProblems = (raw: Raw): string[] => {
  const missing = new Map<VariableName, string>();
  for (const rule of RULES) {
    if (!rule.when(raw)) continue;
    for (const name of rule.needs) {
      if (raw[name] === undefined && !missing.has(name)) missing.set(name, `${name}: is needed ${rule.because}`);
    }
  }
  return [...missing.values(), ...mixes(raw), ...weakSecrets(raw)];
};
