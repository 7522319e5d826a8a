import { Agent, request } from 'node:http';
import type { Recorder } from './recorder.ts';

export interface Call {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly expect?: number;
}

const ANSWER_WITHIN_MS = 30_000;

/** Calls the service and records what came of it. */
export class Caller {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #recorder: Recorder;

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  /** Returns the body, or null when the answer was not the expected one. */
  call(kind: string, plannedAt: number, call: Call): Promise<Buffer | null> {
    return this.#send(call).then(
      ({ status, body }) => {
        const wanted = call.expect ?? 200;
        const code = status === wanted ? undefined : `${status} ${body.toString().slice(0, 200)}`;
        this.#recorder.add(kind, plannedAt, code);
        return code === undefined ? body : null;
      },
      (error: NodeJS.ErrnoException) => {
        this.#recorder.add(kind, plannedAt, error.code ?? error.message);
        return null;
      },
    );
  }

  close(): void {
    this.#agent.destroy();
  }

  #send({ method, url, headers, body }: Call): Promise<{ status: number; body: Buffer }> {
    return new Promise((resolve, reject) => {
      const sent = request(url, { method, agent: this.#agent, headers: { ...headers } }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.once('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(parts) }));
        response.once('error', reject);
      });
      sent.setTimeout(ANSWER_WITHIN_MS, () => sent.destroy(new Error(`no answer within ${ANSWER_WITHIN_MS} ms`)));
      sent.once('error', reject);
      sent.end(body);
    });
  }
}
