import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly raw: string;
  readonly body: {
    readonly type: string;
    readonly timestamp: string;
    // biome-ignore lint/suspicious/noExplicitAny: what data holds depends on the type
    readonly data: any;
  };
}

/** A client's own system. `answer` decides what the next posts get, 204 at first. */
export async function startReceiver() {
  const received: Received[] = [];
  let answer: (response: ServerResponse, path: string) => void = (response) => void response.writeHead(204).end();
  const server = createServer(async (request, response) => {
    const raw = await text(request);
    const { url: path = '/', headers } = request;
    received.push({ path, headers, raw, body: JSON.parse(raw) });
    answer(response, path);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    received,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answerWith: (next: typeof answer) => {
      answer = next;
    },
    stop: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** Throws unless the official library accepts the signature. */
export const verify = (secret: string, { raw, headers }: Received): unknown =>
  new Webhook(secret).verify(raw, headers as Record<string, string>);
