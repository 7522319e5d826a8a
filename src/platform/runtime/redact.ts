const REDACTED = '[redacted]';
const MAX_DEPTH = 8;
/** Limits the time that the patterns need; longer texts are not useful in a log. */
const MAX_LENGTH = 16_384;

/**
 * Compared without case, `_` and `-`. A member whose name ends with one of these is never written, whatever its value.
 */
const SECRET_ENDINGS = [
  ...['password', 'passwordhash', 'senha', 'token', 'secret', 'secrets', 'apikey', 'privatekey', 'encryptionkey'],
  ...['authorization', 'cookie', 'signature', 'signatures', 'sig', 'credential', 'credentials', 'connectionstring'],
  ...['cpf', 'cnpj', 'taxid', 'phone', 'phones', 'phonenumber', 'telefone', 'celular', 'mail', 'emails', 'debtorname'],
  'brcode',
];

/** Compared as whole names: `text` is what people wrote, and drivers add the others to the errors of statements. */
const SECRET_NAMES = new Set(['text', 'sql', 'parameters', 'bindings', 'rawbody', 'body']);

const plainName = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, '');

function endsLikeSecret(name: string): boolean {
  const plain = plainName(name);
  return (
    SECRET_NAMES.has(plain) ||
    /^x(hub)?signature/.test(plain) ||
    SECRET_ENDINGS.some((ending) => plain.endsWith(ending))
  );
}

/**
 * Code has few member names, which repeat in each line. The limit keeps data that is used as names from filling the
 * memory.
 */
const KNOWN_NAMES = 1_000;
const knownNames = new Map<string, boolean>();

function isSecretName(name: string): boolean {
  const known = knownNames.get(name);
  if (known !== undefined) return known;
  const secret = endsLikeSecret(name);
  if (knownNames.size < KNOWN_NAMES) knownNames.set(name, secret);
  return secret;
}

const WORDS =
  'password|senha|secret|token|access_token|refresh_?token|id_?token|api_?key|authorization|sig|signature|cpf|debtorCpf|cnpj|debtorCnpj|(?:debtor_?)?tax_?id|phone|debtorPhone|email';

/** The order matters: specific patterns come first, so that the wide digit patterns only apply to the rest. */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/\beyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?/g, '[token]'],
  [/\bservice_key_[\w-]+/g, '[api key]'],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, '$1 [redacted]'],
  [/\bts=\d+,\s*v1=[0-9a-f]+/gi, '[signature]'],
  [/\b(sha256|v1)=[0-9a-f]{16,}/gi, '$1=[signature]'],
  [/:\/\/[^\s/@"']+@/g, '://[redacted]@'],
  [new RegExp(`([?&#](?:${WORDS}|code|key|state)=)[^&\\s"'#]+`, 'gi'), '$1[redacted]'],
  [new RegExp(`((?:${WORDS})\\\\?["']?\\s*[:=]\\s*)(\\\\?"[^"]*"|'[^']*'|[^\\s,;&)}\\]"']+)`, 'gi'), '$1[redacted]'],
  [/[^\s@"'<>()[\]{},;:=/\\]{1,64}@[\w-]+(?:\.[\w-]+)+/g, '[email]'],
  [/[^\s@"'<>()[\]{},;:=/\\]{1,64}%40[\w-]+(?:\.[\w-]+)+/gi, '[email]'],
  [/(?<![\w.-])\d{3}\.\d{3}\.\d{3}-\d{2}(?![\w-])/g, '[cpf]'],
  [/(?<![\w.-])[\dA-Z]{2}\.[\dA-Z]{3}\.[\dA-Z]{3}\/[\dA-Z]{4}-\d{2}(?![\w-])/gi, '[cnpj]'],
  // Without punctuation, letters make a CNPJ of fourteen characters that has at least one of them.
  [/(?<![\w./-])(?=\d*[A-Z])[\dA-Z]{12}\d{2}(?![\w-])/g, '[cnpj]'],
  [/(?<![\w-])(?:\+|%2B)?55[\s-]?\(?\d{2}\)?[\s-]?9?\d{4}[\s-]?\d{4}(?![\w-])/g, '[phone]'],
  [/(?<![\w-])\(\d{2}\)\s?9?\d{4}[\s-]?\d{4}(?![\w-])/g, '[phone]'],
  [/(?<![\w.-])\d{2}[\s-]9?\d{4}[\s-]\d{4}(?![\w-])/g, '[phone]'],
  [/(?<![\w.-])(?:\d{10,11}|\d{14})(?![\w-]|\.\d)/g, '[digits]'],
];

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** Matches every text that some pattern could match; most texts of a log do not match and need no further check. */
const SUSPECT = /[@=:]|%40|eyJ|service_key_|bearer|basic|\d{3}|\d\)|\d{2}[\s-]|\/[\dA-Z]{4}-|[A-Z]\d\d\b/i;

/** Replaces everything in a text that looks like a credential or like personal data. */
export function redactText(text: string): string {
  if (!SUSPECT.test(text) || UUID.test(text)) return text;
  const whole = text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
  return PATTERNS.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), whole);
}

type Seen = WeakSet<object>;

function redactError(error: Error, depth: number, seen: Seen): Record<string, unknown> {
  const { code, constraint, status } = error as Error & Record<string, unknown>;
  const facts = Object.entries({ code, constraint, status }).filter(([, value]) => value !== undefined);
  return {
    type: error.name,
    message: redactText(error.message),
    stack: redactText(error.stack ?? ''),
    ...Object.fromEntries(facts.map(([name, value]) => [name, redactMember(value, depth + 1, seen)])),
    ...(error.cause === undefined ? {} : { cause: redactMember(error.cause, depth + 1, seen) }),
    ...(error instanceof AggregateError ? { errors: redactMember(error.errors, depth + 1, seen) } : {}),
  };
}

/** Also recognises errors of another realm (a worker, the sandbox of a test), where `instanceof` returns false. */
export const isError = (value: unknown): value is Error => Object.prototype.toString.call(value) === '[object Error]';

function redactMembers(value: object, depth: number, seen: Seen): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([name, member]: [string, unknown]) => {
      if (!isSecretName(name)) return [redactText(name), redactMember(member, depth + 1, seen)];
      return [name, member === undefined || member === null ? member : REDACTED];
    }),
  );
}

function redactMember(value: unknown, depth: number, seen: Seen): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'function') return undefined;
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof Date) return value;
  if (value instanceof URL) return redactText(value.href);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (depth > MAX_DEPTH || seen.has(value)) return '[…]';
  seen.add(value);
  if (isError(value)) return redactError(value, depth, seen);
  if (Array.isArray(value)) return value.map((member) => redactMember(member, depth + 1, seen));
  if (value instanceof Map) return redactMembers(Object.fromEntries(value), depth, seen);
  if (value instanceof Set) return redactMember([...value], depth, seen);
  return redactMembers(value, depth, seen);
}

/** Returns a copy that may be logged: secret members are redacted by name, the texts of all others by pattern. */
export function redactValue(value: unknown): unknown {
  try {
    return redactMember(value, 0, new WeakSet());
  } catch {
    // A getter that throws must not turn a log line into a failure.
    return '[unreadable]';
  }
}
