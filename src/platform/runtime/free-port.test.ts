import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { isPortFree, onFreePort, takePort } from './free-port.ts';
import { ownsPort } from './process-identity.ts';

const open: Server[] = [];
const occupy = async (port = 0): Promise<number> => {
  const server = createServer().listen(port, '127.0.0.1');
  open.push(server);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

const quiet = { name: 'Temporal', log: () => {} };

describe('free ports', () => {
  it('logs which port is taken and uses the next free one', async () => {
    const taken = await occupy();
    const lines: string[] = [];
    const port = await takePort({ name: 'Temporal', preferred: taken, log: (line) => lines.push(line) });
    expect(port).toBeGreaterThan(taken);
    expect(lines).toEqual([`Port ${taken} (Temporal) is taken: using ${port}`]);
    expect(await isPortFree(port, '127.0.0.1')).toBe(true);
    expect(await isPortFree(taken, '127.0.0.1')).toBe(false);
  });

  it('logs nothing when any port will do, and never uses a port to avoid', async () => {
    const lines: string[] = [];
    const request = { name: 'UI', preferred: 0, log: (line: string) => lines.push(line) };
    const port = await takePort(request);
    expect(await takePort({ ...request, preferred: port, avoid: [port] })).not.toBe(port);
    expect(lines).toHaveLength(1);
  });

  it('chooses any port below those that the operating system gives to outgoing connections', async () => {
    for (let i = 0; i < 50; i += 1) expect(await takePort({ ...quiet, preferred: 0 })).toBeLessThan(32_768);
  });

  it('tries the next port only when another program has bound the first one meanwhile', async () => {
    const tried: number[] = [];
    const preferred = await takePort({ ...quiet, preferred: 0 });
    const port = await onFreePort({ ...quiet, preferred }, async (candidate) => {
      tried.push(candidate);
      if (tried.length > 1) return candidate;
      await occupy(candidate);
      throw new Error('address in use');
    });
    expect(tried[0]).toBe(preferred);
    expect(port).not.toBe(preferred);
    const broken = onFreePort({ ...quiet, preferred: 0 }, async (candidate) => {
      tried.push(candidate);
      throw new Error('broken');
    });
    await expect(broken).rejects.toThrow('broken');
    expect(tried).toHaveLength(3);
  });

  it('finds the process that listens on a port', async () => {
    const port = await occupy();
    expect(ownsPort(process.pid, port)).toBe(true);
    expect(ownsPort(process.ppid, port)).toBe(process.platform !== 'linux');
  });
});
