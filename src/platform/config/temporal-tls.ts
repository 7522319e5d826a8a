import { readFileSync } from 'node:fs';
import type { Environment } from './schema.ts';

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
