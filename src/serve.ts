import { banner } from './banner.ts';
import { type Config, ROLES, type Role } from './config/index.ts';
import { createHouse } from './container.ts';
import { layFoundations } from './foundations.ts';
import { explain, loadWithSecrets } from './load-with-secrets.ts';
import { isPortFree, takePort } from './runtime/free-port.ts';
import { keepHeapFrugal } from './runtime/frugal-heap.ts';
import { createLogger, type Logger } from './runtime/logger.ts';
import { createShutdown, type Shutdown, stopOnSignals } from './runtime/shutdown.ts';

type Log = (line: string) => void;

const portTaken = ({ port, host }: Config): Error =>
  new Error(`Port ${port} on ${host} is taken: stop what listens there, or set PORT to another one`);

/** Looked at before minutes of set-up are spent on a start that cannot end well. */
const claimPort = async (config: Config, log: Log): Promise<Config> => {
  const { port, host } = config;
  if (port === 0) {
    const free = await takePort({ name: 'API', preferred: 0, host, log });
    return {
      ...config,
      port: free,
      publicUrl: config.publicUrl.replace(/^http:\/\/localhost:0$/, `http://localhost:${free}`),
    };
  }
  if (await isPortFree(port, host)) return config;
  throw portTaken(config);
};

interface Start {
  roles: readonly Role[];
  loaded: Config;
  logger: Logger;
  shutdown: Shutdown;
  log: Log;
}

const start = async ({ roles, loaded, logger, shutdown, log }: Start): Promise<string> => {
  const config = roles.includes('api') ? await claimPort(loaded, log) : loaded;
  const foundations = await layFoundations({ config, mayJoin: roles.length < ROLES.length, shutdown, log });
  const { databaseUrl, temporalAddress, temporalUiUrl } = foundations;
  const house = await createHouse(
    { ...config, databaseUrl, temporal: { ...config.temporal, address: temporalAddress } },
    logger,
    roles,
    (part, error) => {
      if (shutdown.requested()) return;
      logger.fatal({ err: error }, `${part} died: ending, so that another start can mend it`);
      void shutdown.close().finally(() => process.exit(1));
    },
  );
  shutdown.add('the service', house.close);
  foundations.announce(house.url);
  const seconds = (performance.now() / 1_000).toFixed(1);
  return banner({ config, url: house.url, temporalUiUrl, seconds });
};

/** Runs the roles until a signal comes. */
export const serve = async (roles: readonly Role[]): Promise<void> => {
  keepHeapFrugal();
  let logger: Logger | undefined;
  // People read lines, collectors of logs read JSON.
  const log = (line: string) => {
    if (logger === undefined) process.stdout.write(`${line}\n`);
    else logger.info(line.trim());
  };
  const shutdown = createShutdown(log);
  stopOnSignals(shutdown.close, log);
  try {
    const loaded = loadWithSecrets(roles);
    const production = loaded.nodeEnv === 'production';
    const serviceLogger = createLogger({ level: production ? 'info' : 'warn', pretty: process.stdout.isTTY });
    if (production) logger = serviceLogger;
    log(await start({ roles, loaded, logger: serviceLogger, shutdown, log }));
  } catch (error) {
    // What a stop in the middle of the start breaks is no news.
    if (shutdown.requested()) return;
    process.stderr.write(`${explain(error)}\n`);
    await shutdown.close();
    process.exit(1);
  }
};
