import { type Agent as HttpAgent, request as requestHttp } from 'node:http';
import { type Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { BankAnswer } from './bank-answers.ts';

/** A page of received payments has at most some hundred kilobytes. */
const MAX_BYTES = 8 * 1_024 * 1_024;

class ExchangeFailure extends Error {
  readonly code: string;
  constructor(code: string) {
    super('the exchange with the bank failed');
    this.code = code;
  }
}

export interface Exchange {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly agent: HttpAgent | HttpsAgent;
  readonly timeoutMs: number;
}

/** Sends one request and reads its whole answer. No redirect is followed, so that no other server sees the token. */
export async function exchange(url: URL, { method, headers, body, agent, timeoutMs }: Exchange): Promise<BankAnswer> {
  const signal = AbortSignal.timeout(timeoutMs);
  const open = url.protocol === 'https:' ? requestHttps : requestHttp;
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  try {
    return await new Promise<BankAnswer>((resolve, reject) => {
      const sent = open(url, { method, agent, signal, headers: { accept: 'application/json', ...headers, ...length } });
      sent.on('error', reject);
      sent.on('response', async (response) => {
        try {
          const parts: Buffer[] = [];
          let bytes = 0;
          for await (const part of response as AsyncIterable<Buffer>) {
            bytes += part.length;
            if (bytes > MAX_BYTES) throw new ExchangeFailure('ANSWER_TOO_LONG');
            parts.push(part);
          }
          const retryAfter = response.headers['retry-after'] ?? null;
          resolve({ status: response.statusCode ?? 0, retryAfter, text: Buffer.concat(parts).toString() });
        } catch (error) {
          reject(error);
        }
      });
      sent.end(body);
    });
  } catch (error) {
    throw signal.aborted ? new ExchangeFailure('TIMED_OUT') : error;
  }
}
