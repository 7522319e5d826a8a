import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { migrate } from '../../src/platform/database/migrate.ts';
import { refreshWorkflowBundle } from '../../src/platform/temporal/bundle.ts';
import { type Product, startProduct } from './product.ts';
import { type ConnectionProxy, startProxy, targetOf, through } from './proxy.ts';
import { type DatabaseServer, type EngineServer, startDatabase, startDevelopmentEngine } from './servers.ts';

export interface StackPlan {
  /** Data and logs of everything; the caller removes it. */
  readonly folder: string;
  readonly apis?: number;
  readonly workers?: number;
  readonly relays?: number;
  /** The environment of the product's processes beside addresses, secrets and high rates. `PUBLIC_URL` is set here. */
  readonly env?: (publicUrl: string) => Promise<Readonly<Record<string, string>>>;
  /** Is asked at each start of one of the product's processes. */
  readonly changingEnv?: () => Readonly<Record<string, string>>;
  /** The folder of PostgreSQL, for a disk of its own. */
  readonly databaseFolder?: string;
  /** Starts another engine than the development server. The database exists by then. */
  readonly engine?: (folder: string, log: Log, databaseUrl: string) => Promise<EngineServer>;
  /** Lets the product reach the servers without the proxies, because a load would measure these too. */
  readonly direct?: boolean;
  readonly log?: Log;
}

type Log = (line: string) => void;

export interface Stack {
  /** Where callers reach one of the APIs. */
  readonly url: string;
  /** The database without the proxy, for whoever checks. */
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  readonly database: DatabaseServer;
  readonly engine: EngineServer;
  readonly products: readonly Product[];
  /** The ways by which the product reaches the callers, the database and the engine. */
  readonly proxies: {
    readonly api: ConnectionProxy;
    readonly database: ConnectionProxy;
    readonly engine: ConnectionProxy;
  };
  /** Every process that can be killed, by name. */
  processes(): readonly { readonly name: string; readonly pid: number | undefined }[];
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL, Temporal and each role of the product in processes of their own, on this machine. Each is started
 * again when it dies. The product reaches the servers through proxies, so that connections can be cut.
 */
export async function startStack(plan: StackPlan): Promise<Stack> {
  const { folder, apis = 1, workers = 1, relays = 1, direct = false, log = () => {} } = plan;
  mkdirSync(folder, { recursive: true });
  const stops: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const one of stops.splice(0).toReversed()) await one();
  };
  try {
    const database = await startDatabase(plan.databaseFolder ?? folder, log);
    stops.push(database.stop);
    const engine = await (plan.engine ?? startDevelopmentEngine)(folder, log, database.url);
    stops.push(engine.stop);
    await migrate(database.url);
    await refreshWorkflowBundle(pino({ level: 'silent' }));
    const products: Product[] = [];
    const serving = () => products.flatMap(({ url }) => (url === undefined ? [] : [targetOf(url)]));
    const proxies = {
      api: await startProxy(serving),
      database: await startProxy(() => [targetOf(database.url)]),
      engine: await startProxy(() => [targetOf(`http://${engine.address}`)]),
    };
    stops.push(async () => {
      for (const proxy of Object.values(proxies)) await proxy.close();
    });
    const url = `http://127.0.0.1:${proxies.api.port}`;
    const product = {
      databaseUrl: direct ? database.url : through(database.url, proxies.database),
      temporalAddress: direct ? engine.address : `127.0.0.1:${proxies.engine.port}`,
      folder: join(folder, 'logs'),
      env: { PUBLIC_URL: url, ...(await plan.env?.(url)) },
      ...(plan.changingEnv === undefined ? {} : { changingEnv: plan.changingEnv }),
    };
    mkdirSync(product.folder, { recursive: true });
    stops.push(async () => void (await Promise.all(products.map((one) => one.stop()))));
    for (let n = 1; n <= workers; n += 1) products.push(await startProduct('worker', n, product));
    for (let n = 1; n <= relays; n += 1) products.push(await startProduct('relay', n, product));
    for (let n = 1; n <= apis; n += 1) products.push(await startProduct('api', n, product));
    for (const one of products) await one.ready();
    return {
      url,
      databaseUrl: database.url,
      temporalAddress: engine.address,
      database,
      engine,
      products,
      proxies,
      processes: () => [
        { name: 'postgres', pid: database.pid() },
        ...engine.processes(),
        ...products.map(({ name, pid }) => ({ name, pid: pid() })),
      ],
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
