import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  type McpServer,
  originValidationResponse,
} from '@modelcontextprotocol/server';

export interface McpHttpOptions {
  readonly host: string;
  readonly port: number;
  /** The names under which browsers and programs may reach this server, besides those of the machine itself. */
  readonly hostnames: readonly string[];
  /** Creates the server for one request, which acts with the bearer that the request carries. */
  readonly serverFor: (bearer: string) => McpServer;
}

export const MCP_PATH = '/mcp';
const BEARER = /^Bearer ([\x21-\x7e]{1,4096})$/;

/** Serves MCP over HTTP. Every request carries the API key or the token of its own caller; none is kept here. */
export async function serveMcpOverHttp(options: McpHttpOptions): Promise<Server> {
  const server = createServer((request, response) => {
    void answer(options, request, response).catch(() => response.destroy());
  });
  server.requestTimeout = 30_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  return server;
}

async function answer(options: McpHttpOptions, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const abort = new AbortController();
  outgoing.once('close', () => abort.abort());
  const response = await respond(options, requestOf(incoming, abort.signal));
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body === null) outgoing.end();
  else await pipeline(Readable.fromWeb(response.body as ReadableStream), outgoing);
}

async function respond({ hostnames, serverFor }: McpHttpOptions, request: Request): Promise<Response> {
  // A page in a browser must not reach a server that listens on the machine of its reader (DNS rebinding).
  const refused =
    hostHeaderValidationResponse(request, [...localhostAllowedHostnames(), ...hostnames]) ??
    originValidationResponse(request, [...localhostAllowedOrigins(), ...hostnames]);
  if (refused !== undefined) return refused;
  if (new URL(request.url).pathname !== MCP_PATH) return new Response('Not found', { status: 404 });
  const bearer = BEARER.exec(request.headers.get('authorization') ?? '')?.[1];
  if (bearer === undefined) {
    return new Response('An API key is needed', { status: 401, headers: { 'www-authenticate': 'Bearer' } });
  }
  return createMcpHandler(() => serverFor(bearer)).fetch(request);
}

function requestOf(incoming: IncomingMessage, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, values] of Object.entries(incoming.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  const { method = 'GET', url = '/' } = incoming;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request(new URL(url, `http://${incoming.headers.host ?? 'localhost'}`), {
    method,
    headers,
    signal,
    ...(hasBody ? { body: Readable.toWeb(incoming) as ReadableStream, duplex: 'half' } : {}),
  } as RequestInit);
}
