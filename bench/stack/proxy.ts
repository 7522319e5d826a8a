import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface Target {
  readonly host: string;
  readonly port: number;
}

export interface ConnectionProxy {
  readonly port: number;
  /** Cuts every open connection, without an end of the stream, as a failing network does. */
  cut(): void;
  /** Refuses new connections and cuts the open ones until it is called with false. */
  refuse(refusing: boolean): void;
  close(): Promise<void>;
}

/**
 * Passes connections on to the targets in turn, and to the next one where a target does not answer. It is as small as a
 * load balancer can be, and it can cut connections.
 */
export async function startProxy(targets: () => readonly Target[]): Promise<ConnectionProxy> {
  const open = new Set<Socket>();
  let turn = 0;
  let refusing = false;
  const keep = (socket: Socket): void => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  };
  const join = (caller: Socket, tries: readonly Target[]): void => {
    const [target, ...others] = tries;
    if (target === undefined) {
      caller.destroy();
      return;
    }
    const answering = connect(target);
    const giveUp = (): void => join(caller, others);
    answering.once('error', giveUp);
    answering.once('connect', () => {
      answering.off('error', giveUp);
      keep(answering);
      for (const [one, other] of [
        [caller, answering],
        [answering, caller],
      ] as const) {
        one.on('error', () => other.destroy());
        one.once('close', () => other.destroy());
        one.pipe(other);
      }
    });
  };
  const server = createServer({ noDelay: true }, (caller) => {
    if (refusing) {
      caller.resetAndDestroy();
      return;
    }
    keep(caller);
    // Before a target has answered, nobody else takes the error of a caller who has gone away.
    caller.on('error', () => caller.destroy());
    const all = targets();
    turn += 1;
    const from = turn % Math.max(all.length, 1);
    join(caller, [...all.slice(from), ...all.slice(0, from)]);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  const cut = (): void => {
    for (const socket of open) socket.resetAndDestroy();
  };
  return {
    port: address.port,
    cut,
    refuse: (value) => {
      refusing = value;
      if (value) cut();
    },
    close: async () => {
      server.close();
      cut();
      await once(server, 'close');
    },
  };
}

/** The host and the port of an address like `postgresql://user:word@host:5432/name`. */
export function targetOf(url: string): Target {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port) };
}

/** The same address with the port of a proxy. */
export function through(url: string, proxy: ConnectionProxy): string {
  const changed = new URL(url);
  changed.hostname = '127.0.0.1';
  changed.port = String(proxy.port);
  return changed.href;
}
