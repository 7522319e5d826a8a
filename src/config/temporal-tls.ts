import { readFileSync } from 'node:fs';
import { ConfigError } from './config-error.ts';
import type { Environment } from './schema.ts';

/** As the SDK's connections take it. */
export interface TemporalTls {
  serverNameOverride?: string;
  serverRootCACertificate?: Uint8Array;
  clientCertPair?: { crt: Uint8Array; key: Uint8Array };
}

type PathName = 'TEMPORAL_TLS_SERVER_CA_CERT_PATH' | 'TEMPORAL_TLS_CLIENT_CERT_PATH' | 'TEMPORAL_TLS_CLIENT_KEY_PATH';

/** Undefined leaves the choice to the API key, whose presence turns TLS on. */
export const readTemporalTls = (env: Environment): TemporalTls | boolean | undefined => {
  const problems: string[] = [];
  const read = (name: PathName): Uint8Array | undefined => {
    const path = env[name];
    if (path === undefined) return undefined;
    try {
      return readFileSync(path);
    } catch {
      problems.push(`${name}: cannot be read`);
      return undefined;
    }
  };
  const ca = read('TEMPORAL_TLS_SERVER_CA_CERT_PATH');
  const crt = read('TEMPORAL_TLS_CLIENT_CERT_PATH');
  const key = read('TEMPORAL_TLS_CLIENT_KEY_PATH');
  if (problems.length > 0) throw new ConfigError(problems);
  const name = env.TEMPORAL_TLS_SERVER_NAME;
  if (env.TEMPORAL_TLS === false) return false;
  if (ca === undefined && crt === undefined && name === undefined) return env.TEMPORAL_TLS;
  return {
    ...(name === undefined ? {} : { serverNameOverride: name }),
    ...(ca === undefined ? {} : { serverRootCACertificate: ca }),
    ...(crt === undefined || key === undefined ? {} : { clientCertPair: { crt, key } }),
  };
};
