import { randomInt } from 'node:crypto';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';

/**
 * The address at which Temporal's own UI listens. It answers whatever the `Host` of a request is, so a page of another
 * site whose name resolves to a loopback address could read and end workflows. Linux answers at every address of
 * 127.0.0.0/8, and nobody guesses a random one; other systems have 127.0.0.1 alone.
 */
export const hiddenLoopback = (): string =>
  process.platform === 'linux' ? `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}` : '127.0.0.1';

export interface UiDoor {
  /** Where the browser finds the UI. */
  readonly port: number;
  /** Where Temporal's UI listens. */
  readonly target: { readonly host: string; readonly port: number };
}

export interface OpenDoor {
  close(): Promise<void>;
}

const refuse = (response: ServerResponse, status: number, text: string): void => {
  response.writeHead(status, { 'content-type': 'text/plain' }).end(`${text}\n`);
};

/** Passes requests on to Temporal's UI when they name this machine as their host, and come from no page of another site. */
export const openUiDoor = async ({ port, target }: UiDoor): Promise<OpenDoor> => {
  const hosts = new Set([`localhost:${port}`, `127.0.0.1:${port}`]);
  const isOurs = ({ headers: { host = '', origin } }: IncomingMessage): boolean =>
    hosts.has(host) && (origin === undefined || origin === `http://${host}`);

  const server = createServer((incoming, response) => {
    if (!isOurs(incoming)) {
      refuse(response, 403, `Temporal's UI answers at http://localhost:${port} only.`);
      return;
    }
    const { method, url: path, headers } = incoming;
    const outgoing = request({ ...target, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
      answer.on('error', () => response.destroy());
    });
    outgoing.on('error', () => {
      if (response.headersSent) response.destroy();
      else refuse(response, 502, 'Temporal does not answer: it is being started again.');
    });
    response.on('close', () => outgoing.destroy());
    incoming.on('error', () => outgoing.destroy());
    incoming.pipe(outgoing);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host: '127.0.0.1', exclusive: true }, resolve);
  });
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
