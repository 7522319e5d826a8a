/** A local bank with the API Pix, over HTTPS with client certificates, that plays the habits of one profile. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { BankAddresses } from '../../src/modules/payments/adapters/pix/profile.ts';
import type { PixCredentials } from '../../src/modules/payments/ports/payment-provider.ts';
import type { BankAnswer, PlayedAccount, SeenRequest } from './account.ts';
import { answerApi } from './api.ts';
import { createAuthority, type TestAuthority, type TestCertificate } from './certificates.ts';
import { type FakeCharge, type FakePix, type FakeReturn, Ledger } from './ledger.ts';
import { type NotificationOptions, notificationOf } from './notifications.ts';
import { type PlayedBank, QUIRKS, type Quirks } from './quirks.ts';

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
  | { readonly kind: 'wrong_answer'; readonly status: number; readonly body: string }
  /** Executes the request, pays the charge and notifies of it, and then answers. */
  | { readonly kind: 'paid_before_answer' };

export const MAINTENANCE: Fault = {
  kind: 'answer',
  status: 200,
  headers: { 'content-type': 'text/html' },
  body: '<html><body>Sistema em manutenção</body></html>',
};

const CLIENT_ID = 'Client_Id_teste';
const KEY = 'financeiro@credora.com.br';
/** One of each for a whole test file, because keys take a while to make. */
let authority: TestAuthority | undefined;
let own: { readonly server: TestCertificate; readonly client: TestCertificate } | undefined;

export class FakeBank implements PlayedAccount {
  readonly name: PlayedBank;
  readonly quirks: Quirks;
  readonly key = KEY;
  readonly clientSecret = `secret-${randomUUID()}`;
  readonly requests: SeenRequest[] = [];
  readonly ledger = new Ledger();
  webhookUrl: string | null = null;
  readonly authority: TestAuthority;
  readonly certificate: TestCertificate;
  tokenSeconds = 3_600;
  /** For whom a bank that names the client of a token says that the token is. */
  tokenIsFor = CLIENT_ID;
  pageSize = 100;
  readonly #tokens = new Set<string>();
  readonly #faults: { readonly concerns: (request: SeenRequest) => boolean; readonly fault: Fault }[] = [];
  readonly #lasting: { readonly concerns: (request: SeenRequest) => boolean; readonly fault: Fault }[] = [];
  readonly #server: ReturnType<typeof createServer>;

  constructor(name: PlayedBank, change: Partial<Quirks> = {}) {
    this.name = name;
    this.quirks = { ...QUIRKS[name], ...change };
    authority ??= createAuthority();
    own ??= { server: authority.issue('localhost'), client: authority.issue('Credora Exemplo Ltda') };
    this.authority = authority;
    this.certificate = own.client;
    this.#server = createServer(
      {
        cert: own.server.certificatePem,
        key: own.server.privateKeyPem,
        ca: authority.certificatePem,
        requestCert: true,
        rejectUnauthorized: true,
      },
      (request, response) => void this.#serve(request, response),
    );
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get origin(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get addresses(): BankAddresses & { readonly caPem: string } {
    return {
      baseUrl: `${this.origin}/pix/v2`,
      tokenUrl: `${this.origin}/oauth/token`,
      caPem: this.authority.certificatePem,
    };
  }

  credentials(change: Partial<PixCredentials> = {}): PixCredentials {
    return {
      kind: 'pix',
      profile: this.name,
      clientId: CLIENT_ID,
      clientSecret: this.clientSecret,
      key: KEY,
      certificate: this.certificate,
      extra: this.quirks.keyInQuery === null ? {} : { developerKey: 'chave-do-aplicativo' },
      custom: null,
      ...change,
    };
  }

  /** The faults of the next requests, one each; requests for a token are not among them. */
  failNext(...faults: readonly Fault[]): void {
    const concerns = ({ path }: SeenRequest) => !path.startsWith('/oauth');
    this.#faults.push(...faults.map((fault) => ({ concerns, fault })));
  }

  failNextWhere(concerns: (request: SeenRequest) => boolean, ...faults: readonly Fault[]): void {
    this.#faults.push(...faults.map((fault) => ({ concerns, fault })));
  }

  /** The fault of every request that `concerns` accepts, until the faults are cleared. */
  failWhere(concerns: (request: SeenRequest) => boolean, fault: Fault): void {
    this.#lasting.push({ concerns, fault });
  }

  clearFaults(): void {
    this.#faults.length = 0;
    this.#lasting.length = 0;
  }

  /** All tokens end at once, as when a bank restarts. */
  revokeTokens(): void {
    this.#tokens.clear();
  }

  get tokensGiven(): number {
    return this.requests.filter(({ path, answer }) => path.startsWith('/oauth') && answer?.status === 200).length;
  }

  charge(txid: string): FakeCharge {
    return this.ledger.charge(txid);
  }

  pay(txid: string, centavos?: number, change: Partial<FakePix> = {}): FakePix {
    const charge = this.charge(txid);
    return this.ledger.receive(KEY, centavos ?? Math.round(Number(charge.valor.original) * 100), { ...change, charge });
  }

  /** A Pix by key, or with the code of a poster. */
  payByKey(centavos: number, change: Partial<FakePix> = {}): FakePix {
    return this.ledger.receive(KEY, centavos, change);
  }

  giveBack(txid: string, centavos?: number, change: Partial<FakeReturn> = {}): FakeReturn {
    const pix = this.charge(txid).pix.at(-1);
    if (pix === undefined) throw new Error('the charge was not paid');
    return this.ledger.giveBack(pix, centavos ?? Math.round(Number(pix.valor) * 100), change);
  }

  /** Ends the returns of a charge that are in process, and returns its payment. */
  endReturns(txid: string, status: 'DEVOLVIDO' | 'NAO_REALIZADO' = 'DEVOLVIDO'): FakePix {
    const pix = this.charge(txid).pix.at(-1);
    if (pix === undefined) throw new Error('the charge was not paid');
    for (const one of pix.devolucoes.filter((made) => made.status === 'EM_PROCESSAMENTO')) {
      one.status = status;
      if (status === 'DEVOLVIDO') one.horario.liquidacao = new Date().toISOString();
    }
    return pix;
  }

  /** The charge was made so long ago that it has ended. */
  expire(txid: string): void {
    this.charge(txid).calendario.criacao = new Date(Date.now() - 100 * 24 * 3_600_000).toISOString();
  }

  /** Returns the status that the receiver answered. The bank puts `/pix` behind the address that was set. */
  async notify(payments: readonly FakePix[], options: NotificationOptions = {}): Promise<number> {
    const url = options.url ?? this.webhookUrl;
    if (url === null) throw new Error('no address for notifications is set');
    const response = await fetch(`${url}/pix`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-ssl-client-verify': options.certificate ?? 'SUCCESS' },
      body: JSON.stringify(notificationOf(payments, this.quirks, options)),
    });
    await response.body?.cancel();
    return response.status;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const raw = await text(request).catch(() => '');
    const url = new URL(request.url ?? '/', this.origin);
    const seen: SeenRequest = {
      method: request.method ?? '',
      path: url.pathname + url.search,
      headers: request.headers,
      body: parse(raw),
      answer: null,
    };
    this.requests.push(seen);
    const next = this.#faults.findIndex(({ concerns }) => concerns(seen));
    const [once] = next === -1 ? [] : this.#faults.splice(next, 1);
    const fault = (once ?? this.#lasting.find(({ concerns }) => concerns(seen)))?.fault;
    if (fault?.kind === 'hang') return;
    if (fault?.kind === 'answer') {
      response.writeHead(fault.status, fault.headers ?? {}).end(fault.body ?? '');
      return;
    }
    const answer = url.pathname === '/oauth/token' ? this.#giveToken(seen, url, raw) : this.#answer(seen, url);
    if (fault?.kind === 'lost_answer') {
      response.destroy();
      return;
    }
    if (fault?.kind === 'wrong_answer') {
      response.writeHead(fault.status).end(fault.body);
      return;
    }
    if (fault?.kind === 'paid_before_answer') {
      const txid = url.pathname.split('/').at(-1) ?? '';
      const pix = this.pay(txid);
      if (this.webhookUrl !== null) await this.notify([pix]);
    }
    seen.answer = structuredClone(answer);
    const type = answer.status < 400 ? 'application/json' : 'application/problem+json';
    response
      .writeHead(answer.status, { 'content-type': type })
      .end(answer.body === null ? '' : JSON.stringify(answer.body));
  }

  #giveToken({ headers, body }: SeenRequest, url: URL, raw: string): BankAnswer {
    const { client, tokenBody, wantsScope, grantInQuery, keyInQuery } = this.quirks;
    const form = new URLSearchParams(raw);
    const given = (name: string) =>
      tokenBody === 'json' ? (body as Record<string, unknown> | null)?.[name] : (form.get(name) ?? undefined);
    const basic = `Basic ${Buffer.from(`${CLIENT_ID}:${this.clientSecret}`).toString('base64')}`;
    const isKnown =
      client === 'basic'
        ? headers.authorization === basic
        : given('client_id') === CLIENT_ID && given('client_secret') === this.clientSecret;
    const isComplete =
      (grantInQuery ? url.searchParams.get('grant_type') : given('grant_type')) === 'client_credentials' &&
      (!wantsScope || String(given('scope')).includes('cob.write')) &&
      (keyInQuery === null || url.searchParams.has(keyInQuery));
    if (!isKnown || !isComplete) return { status: 401, body: { error: 'invalid_client' } };
    const token = randomUUID();
    this.#tokens.add(token);
    const isFor = grantInQuery ? { client_id: this.tokenIsFor } : {};
    return {
      status: 200,
      body: { access_token: token, token_type: 'Bearer', expires_in: this.tokenSeconds, ...isFor },
    };
  }

  #answer(seen: SeenRequest, url: URL): BankAnswer {
    const { keyInQuery, problem } = this.quirks;
    const isOpen = this.#tokens.has(seen.headers.authorization?.slice('Bearer '.length) ?? '');
    if (!isOpen || (keyInQuery !== null && !url.searchParams.has(keyInQuery))) {
      return { status: 401, body: problem(401, 'AcessoNegado', null) };
    }
    return answerApi(this, seen, url);
  }
}

function parse(raw: string): unknown {
  try {
    return raw === '' ? null : JSON.parse(raw);
  } catch {
    return null;
  }
}
