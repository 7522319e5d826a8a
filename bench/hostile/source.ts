import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';

export interface HostileCall {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array;
}

export interface HostileAnswer {
  readonly status: number;
  readonly text: string;
}

const ANSWER_WITHIN_MS = 150_000;

/**
 * Calls the service from a loopback address of its own, so that its rate is not that of the honest callers. Linux answers
 * at every address of 127.0.0.0/8; nothing leaves the machine.
 */
export class Source {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #url: URL;
  readonly #localAddress: string;

  constructor(url: string, number: number) {
    this.#url = new URL(url);
    this.#localAddress = `127.0.1.${number}`;
  }

  send({ method, path, headers, body }: HostileCall): Promise<HostileAnswer> {
    return new Promise((resolve, reject) => {
      const options = {
        method,
        agent: this.#agent,
        localAddress: this.#localAddress,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }) },
      };
      const sent = request(new URL(path, this.#url), options, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.once('end', () =>
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString('utf8') }),
        );
        response.once('error', reject);
      });
      sent.setTimeout(ANSWER_WITHIN_MS, () => sent.destroy(new Error('no answer')));
      sent.once('error', reject);
      sent.end(body);
    });
  }

  /** Opens a connection on which the caller writes what it likes. */
  open(): Socket {
    return connect({
      host: this.#url.hostname,
      port: Number(this.#url.port),
      localAddress: this.#localAddress,
    });
  }

  get host(): string {
    return this.#url.host;
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** The status of the answer, or what happened in its place. */
export const outcomeOf = async (answer: Promise<HostileAnswer>): Promise<string> => {
  try {
    return String((await answer).status);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? (error as Error).message;
  }
};
