/** How to reach the engine; the same for the gateway and the worker. */
export interface TemporalTarget {
  readonly address: string;
  readonly namespace: string;
  /** Of Temporal Cloud; turns TLS on. */
  readonly apiKey?: string | undefined;
  readonly tls?: TemporalTls | boolean | undefined;
}

export interface TemporalTls {
  readonly serverNameOverride?: string;
  readonly serverRootCACertificate?: Uint8Array;
  readonly clientCertPair?: { readonly crt: Uint8Array; readonly key: Uint8Array };
}

export interface ConnectionSettings {
  readonly address: string;
  readonly apiKey?: string;
  readonly tls?: TemporalTls | boolean;
}

export function connectionSettings({ address, apiKey, tls }: TemporalTarget): ConnectionSettings {
  const secure = tls ?? (apiKey === undefined ? undefined : true);
  return {
    address,
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(secure === undefined ? {} : { tls: secure }),
  };
}
