/** A local fake of Mercado Pago, with the behaviour and the faults that its documentation and reports describe. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  type BuiltNotification,
  buildNotification,
  type NotificationOptions,
  sendNotification,
} from './mercadopago-notifications.ts';
import { type FakePayment, newPayment } from './mercadopago-payment.ts';
import { leftOf, newRefund, refundedBy } from './mercadopago-refunds.ts';

export type Fault =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly body?: string;
      readonly headers?: Record<string, string>;
    }
  /** Sends no answer until the caller disconnects. */
  | { readonly kind: 'hang' }
  /** Executes the request and then closes the connection. */
  | { readonly kind: 'lost_answer' }
  /** Executes the request and then sends this answer. */
  | { readonly kind: 'wrong_answer'; readonly status: number; readonly body: string };

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

/** An account that receives money. Its payments are unknown to every other account. */
export interface FakeAccount {
  readonly id: number;
  accessToken: string;
  readonly webhookSecret: string;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export interface FakeMercadoPagoOptions {
  readonly accessToken?: string;
  readonly webhookSecret?: string;
  readonly siteId?: string;
}

const problem = (status: number, error: string, code?: number): Answer => ({
  status,
  body: {
    message: `refused: ${error}`,
    error,
    status,
    cause: code === undefined ? [] : [{ code, description: error }],
  },
});

export class FakeMercadoPago {
  /** The account that every test has; `addAccount` makes others. */
  readonly account: FakeAccount;
  readonly accounts: FakeAccount[] = [];
  readonly requests: SeenRequest[] = [];
  readonly payments = new Map<string, FakePayment>();
  /** A Pix refund in contingency fails without `X-Render-In-Process-Refunds`. */
  refundContingency = false;
  readonly #siteId: string;
  readonly #faults: Fault[] = [];
  readonly #lasting: { readonly concerns: (request: SeenRequest) => boolean; readonly fault: Fault }[] = [];
  readonly #invisible = new Map<string, number>();
  readonly #keys = new Map<string, { readonly body: string; readonly answer: Answer }>();
  readonly #inFlight = new Set<string>();
  #delayMs = 0;
  #nextId = 9_000_000_001;
  readonly #server = createServer((request, response) => void this.#serve(request, response));

  constructor(options: FakeMercadoPagoOptions = {}) {
    this.account = this.addAccount({ id: 123_456_789, ...options });
    this.#siteId = options.siteId ?? 'MLB';
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  addAccount(given: { readonly id: number } & Partial<FakeAccount>): FakeAccount {
    const { id, accessToken = `TEST-${randomUUID()}`, webhookSecret = `secret-${randomUUID()}` } = given;
    const account = { id, accessToken, webhookSecret };
    this.accounts.push(account);
    return account;
  }

  get accessToken(): string {
    return this.account.accessToken;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The faults of the next requests, one each. */
  failNext(...faults: readonly Fault[]): void {
    this.#faults.push(...faults);
  }

  /** The fault of every request that `concerns` accepts, until the faults are cleared. */
  failWhere(concerns: (request: SeenRequest) => boolean, fault: Fault): void {
    this.#lasting.push({ concerns, fault });
  }

  clearFaults(): void {
    this.#faults.length = 0;
    this.#lasting.length = 0;
  }

  /** How long each write locks its idempotency key; a second call in this time is answered 423. */
  slowWrites(delayMs: number): void {
    this.#delayMs = delayMs;
  }

  /** How many times GET answers 404, as the provider may do shortly after a notification. */
  hide(id: string, times: number): void {
    this.#invisible.set(id, times);
  }

  payment(id: string): FakePayment {
    const payment = this.payments.get(id);
    if (payment === undefined) throw new Error(`no payment ${id}`);
    return payment;
  }

  change(id: string, change: Partial<FakePayment>): void {
    Object.assign(this.payment(id), change, { date_last_updated: new Date().toISOString() });
  }

  pay(id: string, reais = this.payment(id).transaction_amount): void {
    const details = { ...this.payment(id).transaction_details, total_paid_amount: reais };
    const date_approved = new Date().toISOString();
    this.change(id, { status: 'approved', status_detail: 'accredited', date_approved, transaction_details: details });
  }

  /** Gives back so much in the panel of the provider. */
  refund(id: string, reais = leftOf(this.payment(id))): void {
    const payment = this.payment(id);
    const refunds = [...payment.refunds, newRefund(payment, reais, 'approved')];
    this.change(id, { ...refundedBy(payment, reais), refunds });
  }

  /** Ends the refunds of a payment that are in contingency. */
  endContingency(id: string, status: 'approved' | 'rejected'): void {
    for (const refund of this.payment(id).refunds.filter((one) => one.status === 'in_process')) {
      refund.status = status;
      this.change(id, status === 'approved' ? refundedBy(this.payment(id), refund.amount) : {});
    }
  }

  /** A notification is built once; a test may send it repeatedly, late and in any order. */
  notification(id: string, options: NotificationOptions = {}): BuiltNotification {
    const payment = this.payment(id);
    const owner = this.accounts.find((account) => account.id === payment.collector_id) ?? this.account;
    return buildNotification(payment, owner.webhookSecret, options);
  }

  /** The status that the receiver answered. */
  notify(id: string, options: NotificationOptions = {}): Promise<number> {
    return sendNotification(this.notification(id, options));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const raw = await text(request).catch(() => '');
    const url = new URL(request.url ?? '/', 'http://fake');
    const method = request.method ?? '';
    const seen = { method, path: url.pathname + url.search, headers: request.headers, body: parse(raw) };
    this.requests.push(seen);
    const fault = this.#faults.shift() ?? this.#lasting.find(({ concerns }) => concerns(seen))?.fault;
    if (fault?.kind === 'hang') return;
    if (fault?.kind === 'answer') {
      response.writeHead(fault.status, fault.headers ?? {}).end(fault.body ?? '');
      return;
    }
    const answer = await this.#answer(method, url, request.headers, raw);
    if (fault?.kind === 'lost_answer') {
      response.destroy();
    } else if (fault?.kind === 'wrong_answer') {
      response.writeHead(fault.status).end(fault.body);
    } else {
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
    }
  }

  async #answer(method: string, url: URL, headers: IncomingMessage['headers'], raw: string): Promise<Answer> {
    const account = this.accounts.find(({ accessToken }) => headers.authorization === `Bearer ${accessToken}`);
    if (account === undefined) return problem(401, 'unauthorized', 5);
    if (method === 'GET') return this.#read(url, account);
    const given = headers['x-idempotency-key'];
    if (typeof given !== 'string') return problem(400, 'bad_request', 1);
    const key = `${account.id} ${given}`;
    const body = `${method} ${url.pathname} ${raw}`;
    const known = this.#keys.get(key);
    if (known !== undefined) return known.body === body ? known.answer : problem(409, 'idempotency_key_already_used');
    if (this.#inFlight.has(key)) return problem(423, 'resource_locked');
    this.#inFlight.add(key);
    if (this.#delayMs > 0) await new Promise((resolve) => setTimeout(resolve, this.#delayMs));
    const answer = this.#write(method, url, headers, parse(raw), account);
    this.#inFlight.delete(key);
    if (answer.status < 400) this.#keys.set(key, { body, answer: structuredClone(answer) });
    return answer;
  }

  #owned(id: string, account: FakeAccount): FakePayment | undefined {
    const payment = this.payments.get(id);
    return payment?.collector_id === account.id ? payment : undefined;
  }

  #read(url: URL, account: FakeAccount): Answer {
    if (url.pathname === '/users/me')
      return { status: 200, body: { id: account.id, site_id: this.#siteId, nickname: 'X' } };
    if (url.pathname === '/v1/payments/search') {
      const wanted = url.searchParams.get('external_reference');
      const results = [...this.payments.values()]
        .filter((one) => one.external_reference === wanted && one.collector_id === account.id)
        .reverse();
      return { status: 200, body: { paging: { total: results.length, limit: 30, offset: 0 }, results } };
    }
    const id = /^\/v1\/payments\/([^/]+)$/.exec(url.pathname)?.[1] ?? '';
    const payment = this.#owned(id, account);
    const hidden = this.#invisible.get(id) ?? 0;
    if (hidden > 0) this.#invisible.set(id, hidden - 1);
    return payment === undefined || hidden > 0 ? problem(404, 'not_found', 2000) : { status: 200, body: payment };
  }

  #write(method: string, url: URL, headers: IncomingMessage['headers'], body: unknown, account: FakeAccount): Answer {
    if (method === 'POST' && url.pathname === '/v1/payments') return this.#create(body, account);
    const [, id = '', refunds] = /^\/v1\/payments\/([^/]+)(\/refunds)?$/.exec(url.pathname) ?? [];
    const payment = this.#owned(id, account);
    if (payment === undefined) return problem(404, 'not_found', 2000);
    if (method === 'PUT' && refunds === undefined) {
      if (!['pending', 'in_process', 'authorized'].includes(payment.status)) return problem(400, 'bad_request', 2018);
      this.change(id, { status: 'cancelled', status_detail: 'by_collector' });
      return { status: 200, body: payment };
    }
    if (method !== 'POST' || refunds === undefined) return problem(404, 'not_found');
    if (payment.status !== 'approved') return problem(400, 'bad_request', 2018);
    const rendersInProcess = headers['x-render-in-process-refunds'] === 'true';
    if (this.refundContingency && !rendersInProcess) return problem(400, 'bad_request', 4040);
    const left = leftOf(payment);
    const amount = Number((body as { amount?: number } | null)?.amount ?? left);
    if (!(amount > 0 && amount <= left)) return problem(400, 'bad_request', 1);
    if (this.refundContingency) {
      this.change(id, { refunds: [...payment.refunds, newRefund(payment, amount, 'in_process')] });
    } else {
      this.refund(id, amount);
    }
    return { status: 201, body: payment.refunds.at(-1) };
  }

  #create(body: unknown, account: FakeAccount): Answer {
    const made = newPayment(this.#nextId, body, { baseUrl: this.baseUrl, collectorId: account.id });
    if ('code' in made) return problem(400, 'bad_request', made.code);
    this.#nextId += 1;
    this.payments.set(String(made.id), made);
    return { status: 201, body: made };
  }
}

function parse(raw: string): unknown {
  try {
    return raw === '' ? null : JSON.parse(raw);
  } catch {
    return null;
  }
}
