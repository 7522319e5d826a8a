/** The address of Temporal and how to connect; gateway and worker use the same values. */
export interface TemporalTarget {
  readonly address: string;
  readonly namespace: string;
  /** The API key of Temporal Cloud; it turns TLS on. */
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
