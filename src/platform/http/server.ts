import { randomUUID } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type Koa from 'koa';
import { AppError } from '../../kernel/errors.ts';
import { PROBLEM_TYPE, problemOf } from './problem.ts';
import { type RequestLimits, requestLimits } from './request-limits.ts';

export interface RunningServer {
  readonly url: string;
  readonly port: number;
  /** Takes no new requests, lets those in progress end (at most `drainMs`), then closes the remaining connections. */
  close(): Promise<void>;
}

export interface ServerOptions {
  readonly host: string;
  readonly port: number;
  /**
   * The base of `type` in problems that are found before the app sees the request; by default the listening address.
   */
  readonly publicUrl?: string;
  readonly drainMs?: number;
  /** Connections beyond this number are closed at once. */
  readonly maxConnections?: number;
  /** Changes of the default limits, for tests. */
  readonly limits?: Partial<RequestLimits>;
}

const DEFAULT_DRAIN_MS = 15_000;
/** Longer than load balancers keep idle connections, so that the load balancer closes them and not this server. */
const KEEP_ALIVE_MS = 65_000;

/** The time for a refused client to read the answer. Then its connection is closed in any case. */
const LINGER_MS = 1_000;

/**
 * Routes limit the time of the bodies that they read. Node's own limit covers bodies that no route reads. It counts
 * from the first byte of a request, so it is long enough for an import that waited for a place and then used all its
 * time.
 */
const timeouts = ({ headersMs, importWaitMs, importBodyMs }: RequestLimits) => ({
  headersTimeout: headersMs,
  requestTimeout: headersMs + importWaitMs + importBodyMs + 10_000,
  // The longest delay of Node's check; it visits only the connections that are due.
  connectionsCheckingInterval: Math.min(1_000, Math.ceil(headersMs / 4)),
});

interface Refusal {
  readonly status: number;
  readonly reason: string;
  readonly error: AppError;
}

function parserRefusal(code: string | undefined): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW') {
    const error = new AppError('payload_too_large', { detail: 'The header fields are too large.' });
    return { status: 431, reason: 'Request Header Fields Too Large', error };
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return { status: 408, reason: 'Request Timeout', error: new AppError('request_timeout') };
  }
  const error = new AppError('validation_failed', { detail: 'This is not a well-formed HTTP request.' });
  return { status: 400, reason: 'Bad Request', error };
}

function answerParserError(error: NodeJS.ErrnoException, socket: Socket, publicUrl: string): void {
  const answering = (socket as Socket & { _httpMessage?: ServerResponse })._httpMessage;
  if (error.code === 'ECONNRESET' || !socket.writable || answering?.headersSent === true) {
    socket.destroy();
    return;
  }
  endWithProblem(socket, parserRefusal(error.code), publicUrl);
}

/** Answers a connection whose input never becomes a request of the app. */
function endWithProblem(socket: Duplex, { status, reason, error }: Refusal, publicUrl: string): void {
  const requestId = randomUUID();
  const body = JSON.stringify({ ...problemOf(error, publicUrl, requestId), status });
  socket.end(
    [
      `HTTP/1.1 ${status} ${reason}`,
      `Content-Type: ${PROBLEM_TYPE}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      'Cache-Control: no-store',
      'X-Content-Type-Options: nosniff',
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
  // Some clients never close their half of the connection, so a timer closes it. What they still send is dropped.
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
  socket.on('error', () => socket.destroy());
  socket.resume();
}

function listen(server: Server, host: string, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.removeListener('error', reject);
      resolve(server.address() as AddressInfo);
    });
  });
}

export async function startServer(app: Koa, options: ServerOptions): Promise<RunningServer> {
  // The app itself answers a missing Host and an unknown Expect, so that these answers have the format of its problems.
  const serve = app.callback();
  const server = createServer({
    requireHostHeader: false,
    keepAliveTimeout: KEEP_ALIVE_MS,
    ...timeouts(requestLimits(options.limits)),
  });
  if (options.maxConnections !== undefined) server.maxConnections = options.maxConnections;
  const inFlight = new Set<ServerResponse>();
  let closing = false;

  const track = (request: Parameters<typeof serve>[0], response: ServerResponse): void => {
    inFlight.add(response);
    // Each limit, lock and measurement of a request ends with its answer, and listens for that.
    response.setMaxListeners(30);
    if (closing) response.shouldKeepAlive = false;
    response.once('close', () => {
      inFlight.delete(response);
      if (closing) server.closeIdleConnections();
    });
    void serve(request, response);
  };
  server.on('request', track);
  server.on('checkExpectation', track);

  const address = await listen(server, options.host, options.port);
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  const url = `http://${host}:${address.port}`;
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) =>
    answerParserError(error, socket, options.publicUrl ?? url),
  );
  // This server is no proxy. Without a handler Node would close the connection without an answer.
  server.on('connect', (_request, socket: Duplex) =>
    endWithProblem(
      socket,
      { status: 404, reason: 'Not Found', error: new AppError('not_found') },
      options.publicUrl ?? url,
    ),
  );

  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= new Promise((resolve) => {
      closing = true;
      for (const response of inFlight) if (!response.headersSent) response.shouldKeepAlive = false;
      const force = setTimeout(() => server.closeAllConnections(), options.drainMs ?? DEFAULT_DRAIN_MS);
      server.close(() => {
        clearTimeout(force);
        resolve();
      });
      server.closeIdleConnections();
    });
    return closed;
  };
  return { url, port: address.port, close };
}
