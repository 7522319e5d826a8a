import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { ConfigError } from './config-error.ts';
import type { Environment } from './schema.ts';

const FILE = fileURLToPath(new URL('../../../temporal.config.json', import.meta.url));

const atLeastOne = z.int().min(1);

const schema = z.strictObject({
  namespace: z.string().min(1),
  taskQueue: z.string().min(1),
  worker: z.strictObject({
    maxConcurrentActivities: atLeastOne,
    /** Answers and settlements have these places of their own. */
    maxConcurrentAnswers: atLeastOne.default(20),
    maxConcurrentWorkflowTasks: z.int().min(2),
    maxCachedWorkflows: z.int().min(0),
    /** Null leaves the growth of the worker's heap to V8. */
    heapGrowthPercent: z.int().min(10).max(400).nullable().default(30),
    shutdownGraceMs: z.int().min(0),
  }),
  /** How many first contacts are planned for each second after an opening, over all campaigns. */
  contactsPerSecond: z.int().min(1).max(10_000).default(10),
  searchAttributes: z.record(
    z.string().regex(/^[A-Za-z]\w*$/),
    z.enum(['Text', 'Keyword', 'Int', 'Double', 'Bool', 'Datetime', 'KeywordList']),
  ),
});

export type TemporalFile = z.infer<typeof schema>;

/**
 * Settings of operators beside the environment variables; the file holds no secrets, and the environment takes
 * precedence.
 */
export const readTemporalConfig = (file: string = FILE): TemporalFile => {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const why = error instanceof SyntaxError ? 'is not valid JSON' : 'cannot be read';
    throw new ConfigError([`temporal.config.json ${why}`]);
  }
  const parsed = schema.safeParse(content);
  if (parsed.success) return parsed.data;
  throw new ConfigError(
    parsed.error.issues.map((issue) => `temporal.config.json: ${issue.path.join('.') || 'the file'}: ${issue.message}`),
  );
};

/** The TLS settings in the form of the SDK's connections. */
export interface TemporalTls {
  serverNameOverride?: string;
  serverRootCACertificate?: Uint8Array;
  clientCertPair?: { crt: Uint8Array; key: Uint8Array };
}

const PATHS = [
  'TEMPORAL_TLS_SERVER_CA_CERT_PATH',
  'TEMPORAL_TLS_CLIENT_CERT_PATH',
  'TEMPORAL_TLS_CLIENT_KEY_PATH',
] as const;
type PathName = (typeof PATHS)[number];

/** Reads the raw texts, so that its problems are listed with those of all other variables. */
export const tlsProblems = (raw: Readonly<Partial<Record<PathName, string>>>): string[] =>
  PATHS.filter((name) => {
    const path = raw[name];
    if (path === undefined) return false;
    try {
      readFileSync(path);
      return false;
    } catch {
      return true;
    }
  }).map((name) => `${name}: cannot be read`);

/** When it returns undefined, TLS is on exactly when an API key is set. */
export const readTemporalTls = (env: Environment): TemporalTls | boolean | undefined => {
  const read = (name: PathName): Uint8Array | undefined => {
    const path = env[name];
    return path === undefined ? undefined : readFileSync(path);
  };
  const ca = read('TEMPORAL_TLS_SERVER_CA_CERT_PATH');
  const crt = read('TEMPORAL_TLS_CLIENT_CERT_PATH');
  const key = read('TEMPORAL_TLS_CLIENT_KEY_PATH');
  const name = env.TEMPORAL_TLS_SERVER_NAME;
  if (env.TEMPORAL_TLS === false) return false;
  if (ca === undefined && crt === undefined && name === undefined) return env.TEMPORAL_TLS;
  return {
    ...(name === undefined ? {} : { serverNameOverride: name }),
    ...(ca === undefined ? {} : { serverRootCACertificate: ca }),
    ...(crt === undefined || key === undefined ? {} : { clientCertPair: { crt, key } }),
  };
};
