export const SERVICES = ['frontend', 'history', 'matching', 'worker'] as const;
export type Service = (typeof SERVICES)[number];

export interface ServicePorts {
  readonly grpc: number;
  readonly membership: number;
}

export interface ClusterPlan {
  readonly database: {
    readonly host: string;
    readonly port: number;
    readonly user: string;
    readonly password: string;
  };
  readonly shards: number;
  /** Connections of each service to the main store. */
  readonly connections: number;
  readonly ports: Readonly<Record<Service, ServicePorts>>;
  readonly httpPort: number;
  readonly dynamicConfigFile: string;
}

export const STORES = { main: 'temporal', visibility: 'temporal_visibility' } as const;

/** Connections of each service to the visibility store, which only listings and batches read. */
const VISIBILITY_CONNECTIONS = 5;

/**
 * The configuration of Temporal's server, as its module's `config/development-postgres12.yaml` has it. The sections about
 * archival are left out: half filled in they fail the server's validation. YAML reads JSON.
 */
export function serverConfig({
  database,
  shards,
  connections,
  ports,
  httpPort,
  dynamicConfigFile,
}: ClusterPlan): object {
  const store = (databaseName: string, most: number) => ({
    sql: {
      pluginName: 'postgres12',
      databaseName,
      connectAddr: `${database.host}:${database.port}`,
      connectProtocol: 'tcp',
      user: database.user,
      password: database.password,
      maxConns: most,
      maxIdleConns: most,
      maxConnLifetime: '1h',
    },
  });
  const frontend = `127.0.0.1:${ports.frontend.grpc}`;
  return {
    log: { stdout: true, level: 'warn' },
    persistence: {
      defaultStore: 'main',
      visibilityStore: 'visibility',
      numHistoryShards: shards,
      datastores: {
        main: store(STORES.main, connections),
        visibility: store(STORES.visibility, VISIBILITY_CONNECTIONS),
      },
    },
    global: { membership: { maxJoinDuration: '30s', broadcastAddress: '127.0.0.1' } },
    services: Object.fromEntries(
      SERVICES.map((service) => [
        service,
        {
          rpc: {
            grpcPort: ports[service].grpc,
            membershipPort: ports[service].membership,
            bindOnLocalHost: true,
            ...(service === 'frontend' ? { httpPort } : {}),
          },
        },
      ]),
    ),
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: {
        active: { enabled: true, initialFailoverVersion: 1, rpcName: 'frontend', rpcAddress: frontend },
      },
    },
    dcRedirectionPolicy: { policy: 'noop' },
    publicClient: { hostPort: frontend },
    dynamicConfigClient: { filepath: dynamicConfigFile, pollInterval: '10s' },
  };
}
