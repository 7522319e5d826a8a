import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../support/random.ts';

/**
 * - `refuse`, `throttle`: the request is answered 503 or 429, and is not passed on.
 * - `hang`: nothing is passed on or answered until the fault ends, and then the connection breaks.
 * - `late`: the request is passed on, and its answer comes seconds later.
 * - `lose`: the request is passed on, and the connection breaks before the answer.
 */
export const ANSWER_FAULTS = ['refuse', 'throttle', 'hang', 'late', 'lose'] as const;
export type AnswerFault = (typeof ANSWER_FAULTS)[number];

export interface PassedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface PassedAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: Buffer;
}

export interface FaultyProxy {
  readonly port: number;
  /** Half of the requests meet the fault, until it is null again. */
  setFault(fault: AnswerFault | null): void;
  close(): Promise<void>;
}

export interface ProxyPlan {
  readonly random: Random;
  /** Asks the server behind the proxy. */
  readonly pass: (request: PassedRequest) => Promise<PassedAnswer>;
  /** How this server refuses. */
  readonly refusals?: Readonly<Record<'refuse' | 'throttle', PassedAnswer>>;
}

const json = (status: number, body: unknown): PassedAnswer => ({
  status,
  contentType: 'application/json',
  body: Buffer.from(JSON.stringify(body)),
});
const REFUSALS = { refuse: json(503, { message: 'unavailable' }), throttle: json(429, { message: 'too many' }) };

const SHARE = 0.5;
const LATE_MS = [3_000, 8_000] as const;

const send = (response: ServerResponse, { status, contentType, body }: PassedAnswer): void =>
  void response.writeHead(status, { 'content-type': contentType }).end(body);

/** Stands before a fake and makes its answers go wrong. */
export async function startFaultyProxy({ random, pass, refusals = REFUSALS }: ProxyPlan): Promise<FaultyProxy> {
  let fault: AnswerFault | null = null;
  const hanging = new Set<ServerResponse>();
  const server = createServer(async (incoming, response) => {
    try {
      const body = await buffer(incoming);
      const { method = 'GET', url: path = '/', headers } = incoming;
      const met = fault !== null && random.next() < SHARE ? fault : null;
      if (met === 'refuse' || met === 'throttle') return send(response, refusals[met]);
      if (met === 'hang') return void hanging.add(response);
      const answer = await pass({ method, path, headers, body });
      if (met === 'lose') return void response.destroy();
      if (met === 'late') await sleep(random.between(...LATE_MS));
      send(response, answer);
    } catch {
      response.destroy();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  return {
    port: address.port,
    setFault: (next) => {
      fault = next;
      for (const response of hanging) response.destroy();
      hanging.clear();
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Passes a request on to a fake at this address. */
export async function passTo(baseUrl: string, { method, path, headers, body }: PassedRequest): Promise<PassedAnswer> {
  const { host: _, connection: __, 'content-length': ___, 'transfer-encoding': ____, ...kept } = headers;
  const response = await fetch(new URL(path, baseUrl), {
    method,
    headers: kept as Record<string, string>,
    ...(method === 'GET' ? {} : { body: new Uint8Array(body) }),
  });
  return {
    status: response.status,
    contentType: response.headers.get('content-type') ?? 'application/octet-stream',
    body: Buffer.from(await response.arrayBuffer()),
  };
}
