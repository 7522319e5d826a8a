import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildWithGo, cacheFolder } from '../../src/platform/runtime/go-programs.ts';

const SERVER_VERSION = '1.31.0';

const MODULE = 'go.temporal.io/server/cmd';

export interface ServerPrograms {
  /** Runs the services. */
  readonly server: string;
  /** Makes the schemas. */
  readonly sql: string;
}

/** Builds Temporal's server and its schema tool from their Go module, once, outside the checkout. */
export async function buildServerPrograms(log: (line: string) => void): Promise<ServerPrograms> {
  const folder = join(cacheFolder(), `temporal-server-${SERVER_VERSION}`);
  const programs = { server: join(folder, 'server'), sql: join(folder, 'sql') };
  if (existsSync(programs.server) && existsSync(programs.sql)) return programs;
  log(`Temporal: building the server ${SERVER_VERSION} from its Go module (once, about two minutes)`);
  await buildWithGo({ source: `${MODULE}/server@v${SERVER_VERSION}`, program: programs.server });
  await buildWithGo({ source: `${MODULE}/tools/sql@v${SERVER_VERSION}`, program: programs.sql });
  return programs;
}
