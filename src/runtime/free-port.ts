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

const anyPort = (host: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, host, () => {
      const address = probe.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });

export interface PortWish {
  name: string;
  /** 0 leaves the choice to the operating system. */
  preferred: number;
  host?: string;
  avoid?: readonly number[];
  log: (line: string) => void;
}

/** The preferred port or the next free one above it, saying so when it is another one. */
export const takePort = async ({ name, preferred, host = '127.0.0.1', avoid = [], log }: PortWish): Promise<number> => {
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

/** Between looking and binding another program may be faster: then the next port is tried. */
export const onFreePort = async <T>(wish: PortWish, start: (port: number) => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    const port = await takePort(wish);
    try {
      return await start(port);
    } catch (error) {
      if (attempt === ATTEMPTS || (await isPortFree(port, wish.host ?? '127.0.0.1'))) throw error;
    }
  }
};
