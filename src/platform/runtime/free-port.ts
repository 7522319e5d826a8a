import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

const LAST_PORT = 65_535;

export const isPortFree = (port: number, host: string): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(false);
      else reject(error);
    });
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(true)));
  });

/**
 * The operating system gives numbers from 32,768 on to outgoing connections and to programs that ask for any port. A
 * server binds its port some time after the choice, and a number of those could be given away meanwhile.
 */
const FIRST_CHOICE = 20_000;
const CHOICES = 10_000;

const anyPort = async (host: string): Promise<number> => {
  for (;;) {
    const port = FIRST_CHOICE + randomInt(CHOICES);
    if (await isPortFree(port, host)) return port;
  }
};

export interface PortRequest {
  name: string;
  /** With 0 any free port is chosen. */
  preferred: number;
  host?: string;
  avoid?: readonly number[];
  log: (line: string) => void;
}

/** Returns the preferred port or the next free port above it; a change of the port is logged. */
export const takePort = async ({
  name,
  preferred,
  host = '127.0.0.1',
  avoid = [],
  log,
}: PortRequest): Promise<number> => {
  if (preferred === 0) {
    const port = await anyPort(host);
    return avoid.includes(port) ? takePort({ name, preferred, host, avoid, log }) : port;
  }
  for (let port = preferred; port <= LAST_PORT; port += 1) {
    if (avoid.includes(port) || !(await isPortFree(port, host))) continue;
    if (port !== preferred) log(`Port ${preferred} (${name}) is taken: using ${port}`);
    return port;
  }
  throw new Error(`No free port for ${name} from ${preferred} upwards`);
};

const ATTEMPTS = 5;

/** Starts a server on a free port. Another program may bind the port first; then the next port is tried. */
export const onFreePort = async <T>(request: PortRequest, start: (port: number) => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    const port = await takePort(request);
    try {
      return await start(port);
    } catch (error) {
      if (attempt === ATTEMPTS || (await isPortFree(port, request.host ?? '127.0.0.1'))) throw error;
    }
  }
};
