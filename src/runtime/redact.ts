const REDACTED = '[redacted]';
const MAX_DEPTH = 8;
/** Bounds the time that the patterns take; nothing worth reading in a log is longer. */
const MAX_LENGTH = 16_384;

/** Compared without case, `_` and `-`; a member whose name ends so is never written, whatever it holds. */
const SECRET_ENDINGS = [
  ...['password', 'passwordhash', 'senha', 'token', 'secret', 'secrets', 'apikey', 'privatekey', 'encryptionkey'],
  ...['authorization', 'cookie', 'signature', 'signatures', 'sig', 'credential', 'credentials', 'connectionstring'],
  ...['cpf', 'phone', 'phonenumber', 'telefone', 'celular', 'mail', 'debtorname', 'brcode'],
];

/** Whole names: `text` is what people wrote, the others are what drivers hang on statements and rows. */
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

/** Code has few member names, and each line has them again; data used as names must not fill the memory. */
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
  'password|senha|secret|token|access_token|refresh_?token|id_?token|api_?key|authorization|sig|signature|cpf|debtorCpf|phone|debtorPhone|email';

/** In this order: what is specific first, so that the wide digit patterns only see what is left. */
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
  [/(?<![\w-])(?:\+|%2B)?55[\s-]?\(?\d{2}\)?[\s-]?9?\d{4}[\s-]?\d{4}(?![\w-])/g, '[phone]'],
  [/(?<![\w-])\(\d{2}\)\s?9?\d{4}[\s-]?\d{4}(?![\w-])/g, '[phone]'],
  [/(?<![\w.-])\d{2}[\s-]9?\d{4}[\s-]\d{4}(?![\w-])/g, '[phone]'],
  [/(?<![\w.-])\d{10,11}(?![\w-]|\.\d)/g, '[digits]'],
];

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** Whatever any pattern needs at least; most texts of a log have none of it. */
const SUSPECT = /[@=:]|%40|eyJ|service_key_|bearer|basic|\d{3}|\d\)|\d{2}[\s-]/i;

/** Takes out of a text whatever looks like a credential or like data of a person. */
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

/** Also of another realm (a worker, a test's sandbox), where `instanceof` says no. */
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

/** A copy that may be written to a log: secret members by name, the texts of all others by pattern. */
export function redactValue(value: unknown): unknown {
  try {
    return redactMember(value, 0, new WeakSet());
  } catch {
    // A getter that throws must not turn a log line into a failure.
    return '[unreadable]';
  }
}
