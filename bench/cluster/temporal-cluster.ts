import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Connection } from '@temporalio/client';
import { Client } from 'pg';
import { readTemporalConfig } from '../../src/platform/config/temporal-config.ts';
import { takePort } from '../../src/platform/runtime/free-port.ts';
import { createGateway } from '../../src/platform/temporal/gateway.ts';
import { keepProcess } from '../stack/process.ts';
import type { EngineServer } from '../stack/servers.ts';
import { type ClusterPlan, SERVICES, type Service, type ServicePorts, STORES, serverConfig } from './server-config.ts';
import { buildServerPrograms } from './server-programs.ts';

const run = promisify(execFile);

type Log = (line: string) => void;

export interface TemporalClusterOptions {
  /** The owner of a PostgreSQL server who may create databases. */
  readonly databaseUrl: string;
  readonly shards?: number;
  readonly connections?: number;
}

const START_WITHIN_MS = 120_000;
const RETENTION_SECONDS = 3 * 24 * 3_600;
const SCHEMAS = { main: 'postgresql/v12/temporal', visibility: 'postgresql/v12/visibility' } as const;

/** Starts Temporal's real server with its data in PostgreSQL, each of its four services as a process of its own. */
export async function startTemporalCluster(
  folder: string,
  log: Log,
  { databaseUrl, shards = 16, connections = 20 }: TemporalClusterOptions,
): Promise<EngineServer> {
  const programs = await buildServerPrograms(log);
  const logs = join(folder, 'temporal');
  mkdirSync(join(logs, 'config'), { recursive: true });
  const { hostname: host, port, username: user, password } = new URL(databaseUrl);
  const database = { host, port: Number(port), user, password: decodeURIComponent(password) };
  await makeStores(databaseUrl, database, programs.sql);
  const dynamicConfigFile = join(logs, 'config', 'dynamic.yaml');
  // A new search attribute is used only after the services have noticed it; production waits a minute for that.
  writeFileSync(dynamicConfigFile, 'system.forceSearchAttributesCacheRefreshOnRead:\n  - value: true\n');
  const { ports, httpPort } = await takePorts();
  const config = serverConfig({ database, shards, connections, ports, httpPort, dynamicConfigFile });
  writeFileSync(join(logs, 'config', 'cluster.yaml'), JSON.stringify(config, null, 2), { mode: 0o600 });
  const services = SERVICES.map((service) =>
    keepProcess({
      name: `temporal-${service}`,
      command: programs.server,
      args: [
        '--root',
        logs,
        '--config',
        'config',
        '--env',
        'cluster',
        '--allow-no-auth',
        'start',
        '--service',
        service,
      ],
      cwd: logs,
      env: {},
      logFile: join(logs, `${service}.log`),
    }),
  );
  const stop = async (): Promise<void> => void (await Promise.all(services.map((one) => one.stop())));
  const address = `127.0.0.1:${ports.frontend.grpc}`;
  try {
    await makeNamespace(address);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    address,
    pid: () => services[0]?.pid(),
    processes: () => services.map(({ name, pid }) => ({ name, pid: pid() })),
    stop,
  };
}

async function makeStores(databaseUrl: string, { host, port, user, password }: ClusterPlan['database'], tool: string) {
  const owner = new Client({ connectionString: databaseUrl });
  await owner.connect();
  try {
    for (const store of ['main', 'visibility'] as const) {
      const name = STORES[store];
      const { rows } = await owner.query('select from pg_database where datname = $1', [name]);
      const isNew = rows.length === 0;
      if (isNew) await owner.query(`create database ${name}`);
      const server = ['--plugin', 'postgres12', '--ep', host, '-p', String(port), '-u', user, '--db', name];
      const env = { PATH: process.env['PATH'] ?? '', SQL_PASSWORD: password };
      if (isNew) await run(tool, [...server, 'setup-schema', '-v', '0.0'], { env });
      await run(tool, [...server, 'update-schema', '--schema-name', SCHEMAS[store]], { env });
    }
  } finally {
    await owner.end();
  }
}

/** The members' table of the server keeps ports as `smallint`, so that a port above 32,767 ends the process. */
const PORTS = { first: 20_000, last: 32_000 };

async function takePorts() {
  let preferred = randomInt(PORTS.first, PORTS.last);
  const taken: number[] = [];
  const take = async (): Promise<number> => {
    const port = await takePort({ name: 'Temporal', preferred, avoid: taken, log: () => {} });
    taken.push(port);
    preferred = port + 1;
    return port;
  };
  const entries: [Service, ServicePorts][] = [];
  for (const service of SERVICES) entries.push([service, { grpc: await take(), membership: await take() }]);
  return { ports: Object.fromEntries(entries) as Record<Service, ServicePorts>, httpPort: await take() };
}

/** Waits until the services have found each other; the frontend answers before that, and refuses. */
async function makeNamespace(address: string): Promise<void> {
  const { namespace } = readTemporalConfig();
  const deadline = Date.now() + START_WITHIN_MS;
  for (;;) {
    try {
      const connection = await Connection.connect({ address, connectTimeout: 2_000 });
      try {
        await registerOnce(connection, namespace);
        await connection.workflowService.listWorkflowExecutions({ namespace, pageSize: 1 });
        await registerSearchAttributes(address);
        return;
      } finally {
        await connection.close();
      }
    } catch (error) {
      if (Date.now() > deadline) throw new Error('Temporal did not start: see its logs', { cause: error });
      await sleep(500);
    }
  }
}

/** A suite may start workflows without a process of the product, which registers them otherwise. */
async function registerSearchAttributes(address: string): Promise<void> {
  const gateway = createGateway({ ...readTemporalConfig(), address });
  try {
    await gateway.ensureSearchAttributes();
  } finally {
    await gateway.close();
  }
}

const ALREADY_EXISTS = 6;

async function registerOnce(connection: Connection, namespace: string): Promise<void> {
  try {
    const workflowExecutionRetentionPeriod = { seconds: RETENTION_SECONDS } as never;
    await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod });
  } catch (error) {
    if ((error as { code?: number }).code !== ALREADY_EXISTS) throw error;
  }
}
