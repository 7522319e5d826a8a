import { createServer } from 'node:http';
import type { Logger } from 'pino';
import type { Config, Role } from './config/index.ts';

export type HouseConfig = Config & { databaseUrl: string };

/** The only composition root. */
export const createHouse = async (
  config: HouseConfig,
  logger: Logger,
  roles: readonly Role[],
): Promise<{ url?: string; close(): Promise<void> }> => {
  logger.info({ roles }, 'starting');
  const server = createServer((request, response) => {
    const wait = request.url === '/slow' ? 1_500 : 0;
    setTimeout(() => response.end('ok\n'), wait);
  });
  if (!roles.includes('api')) return { close: async () => {} };
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(config.port, config.host, resolve);
  });
  return {
    url: config.publicUrl,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
};
