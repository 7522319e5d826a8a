import { describe, expect, it } from '@jest/globals';
import { type ClusterPlan, SERVICES, serverConfig } from './server-config.ts';

const plan: ClusterPlan = {
  database: { host: '127.0.0.1', port: 5432, user: 'quita', password: 'word' },
  shards: 16,
  connections: 20,
  ports: {
    frontend: { grpc: 1, membership: 2 },
    history: { grpc: 3, membership: 4 },
    matching: { grpc: 5, membership: 6 },
    worker: { grpc: 7, membership: 8 },
  },
  httpPort: 9,
  dynamicConfigFile: '/folder/dynamic.yaml',
};

describe('the configuration of the cluster', () => {
  it('keeps histories and visibility in databases of their own', () => {
    expect(serverConfig(plan)).toMatchObject({
      persistence: {
        numHistoryShards: 16,
        datastores: {
          main: { sql: { databaseName: 'temporal', maxConns: 20, connectAddr: '127.0.0.1:5432' } },
          visibility: { sql: { databaseName: 'temporal_visibility' } },
        },
      },
    });
  });

  it('gives each service ports of its own, on this machine alone', () => {
    const { services } = serverConfig(plan) as {
      services: Record<string, { rpc: { grpcPort: number; membershipPort: number; bindOnLocalHost: boolean } }>;
    };
    const rpc = SERVICES.map((service) => services[service]!.rpc);
    expect(rpc.every(({ bindOnLocalHost }) => bindOnLocalHost)).toBe(true);
    expect(new Set(rpc.flatMap(({ grpcPort, membershipPort }) => [grpcPort, membershipPort])).size).toBe(8);
  });

  it('has no section about archival, which the server refuses half filled in', () => {
    expect(Object.keys(serverConfig(plan))).not.toEqual(expect.arrayContaining(['archival']));
    expect(Object.keys(serverConfig(plan))).not.toEqual(expect.arrayContaining(['namespaceDefaults']));
  });
});
