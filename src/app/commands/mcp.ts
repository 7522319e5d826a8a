import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import type { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { loadMcpConfig, type McpConfig } from '../../platform/config/mcp.ts';
import { explain } from '../load-with-secrets.ts';
import { type CallApi, createApi, fixedBearer, loginBearer } from '../mcp/api.ts';
import { MCP_PATH, serveMcpOverHttp } from '../mcp/serve-http.ts';
import { createMcpServer } from '../mcp/server.ts';
import { VERSION } from '../version.ts';

const USAGE = `Usage:
  quita mcp                 serves tools for language models over standard input and output
  quita mcp --http          serves them over HTTP at http://127.0.0.1:3333/mcp; each request carries its own API key

  --allow-writes            also offers launches, pauses and messages to debtors
  --show-personal-data      gives CPF, phones and e-mail addresses as they are
  --host HOST --port PORT   where --http listens
  --hostname NAME           a name by which others reach it, besides localhost; may be repeated

QUITA_URL is the address of the service, and QUITA_API_KEY the key of a client. Messages to debtors need
QUITA_EMAIL and QUITA_PASSWORD too, because the service takes them from people alone.
`;

const OPTIONS = {
  http: { type: 'boolean', default: false },
  'allow-writes': { type: 'boolean', default: false },
  'show-personal-data': { type: 'boolean', default: false },
  host: { type: 'string', default: '127.0.0.1' },
  port: { type: 'string', default: '3333' },
  hostname: { type: 'string', multiple: true, default: [] as string[] },
} as const;

const parse = (args: readonly string[]) => parseArgs({ args: [...args], options: OPTIONS }).values;
type Options = ReturnType<typeof parse>;

const NEEDS_PERSON: CallApi = () =>
  Promise.reject(new Error('Messages to debtors need QUITA_EMAIL and QUITA_PASSWORD, the login of a person'));

const asPerson = ({ url, login }: McpConfig): CallApi =>
  login === undefined ? NEEDS_PERSON : createApi({ url, bearer: loginBearer(url, login) });

const serverOf = (options: Options, call: CallApi, callAsPerson: CallApi): McpServer =>
  createMcpServer({
    version: VERSION,
    call,
    callAsPerson,
    allowWrites: options['allow-writes'],
    showPersonalData: options['show-personal-data'],
  });

export async function runMcp(args: readonly string[]): Promise<void> {
  let options: Options;
  try {
    options = parse(args);
  } catch {
    process.stderr.write(USAGE);
    process.exitCode = 1;
    return;
  }
  try {
    const config = loadMcpConfig();
    if (options.http) await serveHttp(options, config);
    else serveOverStdio(options, config);
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = 1;
  }
}

function serveOverStdio(options: Options, config: McpConfig): void {
  const { url, apiKey } = config;
  if (apiKey === undefined)
    throw new Error('QUITA_API_KEY is not set: make a key with POST /api/onboarding/me/api-key');
  const call = createApi({ url, bearer: fixedBearer(apiKey) });
  const callAsPerson = asPerson(config);
  serveStdio(() => serverOf(options, call, callAsPerson));
}

/** A caller may send the token of a person in place of an API key, so messages go out with what the request carries. */
async function serveHttp(options: Options, { url }: McpConfig): Promise<void> {
  const port = Number(options.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error('--port is a number from 0 to 65535');
  const server = await serveMcpOverHttp({
    host: options.host,
    port,
    hostnames: options.hostname,
    serverFor: (bearer) => {
      const call = createApi({ url, bearer: fixedBearer(bearer) });
      return serverOf(options, call, call);
    },
  });
  const { address, family, port: taken } = server.address() as AddressInfo;
  const host = family === 'IPv6' ? `[${address}]` : address;
  process.stdout.write(`MCP at http://${host}:${taken}${MCP_PATH}, for the service at ${url}\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      server.close();
      server.closeAllConnections();
    });
  }
}
