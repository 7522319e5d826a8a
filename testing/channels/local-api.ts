import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { ChannelRequest } from '../../src/modules/messaging/ports/channel-webhook.ts';
import type { BadDay, TakenMessage } from './fake-channel.ts';

export interface ApiRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface ApiAnswer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The connection ends instead of an answer. */
  readonly lost?: boolean;
}

/** A local server for the API of a fake provider. What it answers on which day is the fake's own. */
export abstract class LocalApi<Taken extends TakenMessage = TakenMessage> {
  readonly requests: ApiRequest[] = [];
  readonly #days: BadDay[] = [];
  protected readonly messages: Taken[] = [];
  readonly #server: Server;
  #port = 0;

  constructor() {
    this.#server = createServer((request, response) => {
      void buffer(request).then((body) => {
        const asked: ApiRequest = {
          method: request.method ?? '',
          url: new URL(request.url ?? '/', this.baseUrl),
          headers: request.headers,
          body: body.toString('utf8'),
        };
        this.requests.push(asked);
        const answer = this.answer(asked, this.#days.shift());
        if (answer.lost === true) response.destroy();
        else {
          const body = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? {});
          // Without keep-alive the next call meets a closed port when the fake refuses connections.
          response.writeHead(answer.status, {
            'content-type': 'application/json',
            connection: 'close',
            ...answer.headers,
          });
          response.end(body);
        }
        this.#settle();
      });
    });
  }

  async start(port = 0): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve));
    this.#port = (this.#server.address() as AddressInfo).port;
    return this;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  protected abstract answer(request: ApiRequest, day: BadDay | undefined): ApiAnswer;

  /** The messages that were taken. The server listens again after a refused connection, of which it hears nothing. */
  get taken(): readonly Taken[] {
    this.#reopen();
    return this.messages;
  }

  next(...days: readonly BadDay[]): void {
    this.#days.push(...days);
    this.#settle();
  }

  #reopen(): void {
    if (!this.#server.listening) this.#server.listen(this.#port, '127.0.0.1');
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    if (this.#server.listening) await new Promise((resolve) => this.#server.close(resolve));
  }

  #settle(): void {
    if (this.#days[0] === 'refused_connection') {
      this.#days.shift();
      this.#server.close();
    } else this.#reopen();
  }
}

/** Posts what a provider would post, for tours through the whole product; returns the status of the answer. */
export const postTo = async ({ url, headers, body }: ChannelRequest): Promise<number> => {
  const given = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const response = await fetch(url, { method: 'POST', headers: given, body: Buffer.from(body) });
  await response.arrayBuffer();
  return response.status;
};
