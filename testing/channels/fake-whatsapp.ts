/** A local fake of the WhatsApp Cloud API, which behaves as Meta's documentation says, on bad days too. */
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { canonicalPhone } from '../../src/kernel/phone.ts';
import type { ChannelRequest } from '../../src/modules/messaging/ports/channel-webhook.ts';
import type { ChannelCredentials } from '../../src/modules/messaging/ports/messaging-channel.ts';
import type { BadDay, FakeChannel, TakenMessage } from './fake-channel.ts';
import { type Answer, graphError, LOST_ANSWERS, missingObject, REFUSALS, wrongToken } from './whatsapp/answers.ts';
import { control } from './whatsapp/control.ts';
import { FakeFiles, takeExample } from './whatsapp/files.ts';
import { FakePayments } from './whatsapp/orders.ts';
import {
  type Change,
  messagesChange,
  type Sender,
  type Status,
  signed,
  statusChange,
  userIdOf,
  waIdOf,
  webhookBody,
} from './whatsapp/payloads.ts';
import { cardOf } from './whatsapp/phone-requests.ts';
import { textOfMessage } from './whatsapp/sent-text.ts';
import { FakeTemplates } from './whatsapp/templates.ts';

export interface FakeWhatsAppOptions {
  readonly accessToken?: string;
  readonly appSecret?: string;
  readonly phoneNumberId?: string;
  readonly accountId?: string;
  readonly port?: number;
  /** Where the fake posts delivery states and messages of debtors. Without it a test builds the requests itself. */
  readonly webhookUrl?: string;
}

export interface TakenByWhatsApp extends TakenMessage {
  /** The service's own id, which delivery states repeat. */
  readonly callback: string | null;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Billed {
  readonly at: Date;
  readonly category: string;
  readonly isFree: boolean;
}

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

const DAY_MS = 24 * 3_600_000;

export class FakeWhatsApp implements FakeChannel {
  readonly credentials: ChannelCredentials;
  readonly sender: Sender;
  readonly requests: SeenRequest[] = [];
  readonly templates = new FakeTemplates();
  readonly files = new FakeFiles();
  readonly payments = new FakePayments();
  readonly readMarks: string[] = [];
  /** What Meta charges for: each delivered message once, by its id. */
  readonly bill = new Map<string, Billed>();
  /** Numbers without WhatsApp: the message is taken, and reported as failed. */
  readonly unreachable = new Set<string>();
  /** What the number's own page says. */
  number: Readonly<Record<string, string>> = {
    quality_rating: 'GREEN',
    status: 'CONNECTED',
    whatsapp_business_manager_messaging_limit: 'TIER_2K',
  };
  /** `message_status` in the answer to a template. */
  pacing = 'accepted';
  readonly #options: FakeWhatsAppOptions;
  readonly #taken: TakenByWhatsApp[] = [];
  readonly #days: BadDay[] = [];
  readonly #answers: Answer[] = [];
  /** When each person wrote last: free text is delivered for 24 hours after that. */
  readonly #lastInbound = new Map<string, number>();
  /** The phones to which a message went: WhatsApp tells them from then on. */
  readonly #contactBook = new Set<string>();
  readonly #reports = new Set<Promise<unknown>>();
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  #port = 0;

  constructor(options: FakeWhatsAppOptions) {
    this.#options = options;
    const accountId = options.accountId ?? '102290129340398';
    const senderId = options.phoneNumberId ?? '106540352242922';
    this.sender = { accountId, phoneNumberId: senderId, displayNumber: '551140041234' };
    const accessToken = options.accessToken ?? `EAAJ${randomBytes(20).toString('hex')}`;
    this.credentials = { senderId, accountId, accessToken, webhookSecret: options.appSecret ?? randomUUID() };
  }

  get secret(): string {
    return this.credentials.webhookSecret!;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.#port}/v24.0`;
  }

  /** After a refused connection the fake listens again when a test goes on with `taken` or `next`. */
  get taken(): readonly TakenByWhatsApp[] {
    this.#listen();
    return this.#taken;
  }

  async start(): Promise<this> {
    this.#listen();
    if (!this.#server.listening) await new Promise((resolve) => this.#server.once('listening', resolve));
    this.#port = (this.#server.address() as AddressInfo).port;
    return this;
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#reports);
    this.#refuseConnections();
  }

  next(...days: readonly BadDay[]): void {
    this.#listen();
    this.#days.push(...days);
    this.#refuseIfNext();
  }

  /** The answers to the next requests, whatever they ask. */
  answerNext(...answers: readonly Answer[]): void {
    this.#answers.push(...answers);
  }

  deliveryRequest(
    url: string,
    message: TakenMessage,
    delivery: 'sent' | 'delivered' | 'read' | 'failed',
    code?: number,
  ) {
    return this.request(url, statusChange(this.sender, this.statusOf(message, delivery, { ...(code && { code }) })));
  }

  /** A state of a message that was taken, with its price. What is delivered goes on the bill, once. */
  statusOf(
    { channelMessageId: id, to }: TakenMessage,
    status: 'sent' | 'delivered' | 'read' | 'failed',
    { at = new Date(), ...more }: Pick<Status, 'code' | 'at' | 'priceType'> = {},
  ): Status {
    const taken = this.#taken.find((one) => one.channelMessageId === id);
    const category = taken === undefined ? 'utility' : this.#categoryOf(taken.body);
    if (status === 'delivered' && !this.bill.has(id)) {
      this.bill.set(id, { at, category, isFree: more.priceType === 'free_entry_point' });
    }
    return { id, to, callback: taken?.callback ?? null, status, at, category, ...more };
  }

  #categoryOf({ type, template }: TakenByWhatsApp['body']): string {
    if (type !== 'template') return 'service';
    const { name } = template as { readonly name: string };
    return this.templates.all.find((one) => one.name === name)?.category.toLowerCase() ?? 'utility';
  }

  messageRequest(
    url: string,
    { id, from, text }: { readonly id: string; readonly from: string; readonly text: string },
  ) {
    const content = { type: 'text', text: { body: text } };
    this.#lastInbound.set(personOf(from), Date.now());
    return this.request(url, messagesChange(this.sender, { id, from, userId: userIdOf(personOf(from)), content }));
  }

  request(url: string, ...changes: readonly Change[]): ChannelRequest {
    return signed(url, webhookBody(this.sender.accountId, ...changes), this.secret);
  }

  /** Posts to the service as WhatsApp does, and returns the status of the answer. */
  async post(...changes: readonly Change[]): Promise<number> {
    const url = this.#options.webhookUrl;
    if (url === undefined) throw new Error('The fake has no webhook address');
    const { headers, body } = this.request(url, ...changes);
    const response = await fetch(url, {
      method: 'POST',
      headers: headers as Record<string, string>,
      body: body as never,
    });
    await response.arrayBuffer();
    return response.status;
  }

  /** A debtor writes: `from` is the phone number as people know it. */
  write(from: string, content: Readonly<Record<string, unknown>>, inReplyTo?: string): Promise<number> {
    this.#lastInbound.set(personOf(from), Date.now());
    const id = `wamid.${randomBytes(16).toString('base64')}`;
    const message = { id, from: waIdOf(from), userId: userIdOf(personOf(from)), content };
    return this.post(messagesChange(this.sender, { ...message, ...(inReplyTo === undefined ? {} : { inReplyTo }) }));
  }

  /** Somebody writes who hides the phone, which WhatsApp tells only once a message went to it. */
  writeHidden(phone: string, content: Readonly<Record<string, unknown>>): Promise<number> {
    const userId = userIdOf(personOf(phone));
    this.#lastInbound.set(userId, Date.now());
    const from = this.#contactBook.has(personOf(phone)) ? waIdOf(phone) : null;
    const id = `wamid.${randomBytes(16).toString('base64')}`;
    return this.post(messagesChange(this.sender, { id, from, userId, content }));
  }

  /** Somebody who hides the phone taps the button that asks for it, and may choose another card. */
  shareCard(phone: string, shared = phone): Promise<number> {
    return this.writeHidden(phone, cardOf(shared));
  }

  #listen(): void {
    if (!this.#server.listening) this.#server.listen(this.#port || (this.#options.port ?? 0), '127.0.0.1');
  }

  #refuseConnections(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #refuseIfNext(): void {
    if (this.#days[0] !== 'refused_connection') return;
    this.#days.shift();
    this.#refuseConnections();
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(incoming);
    const url = new URL(incoming.url ?? '/', 'http://fake');
    const path = url.pathname.replace(/^\/v\d+\.\d+/, '').slice(1);
    const { method = 'GET', headers } = incoming;
    const request = { method, path, query: url.searchParams, headers, body };
    // A test that refuses connections must not find one that is still open; a tour needs the open ones for its pace.
    if (this.#options.webhookUrl === undefined) response.setHeader('connection', 'close');
    const controlled = await control(this, request);
    if (controlled !== null) return send(response, controlled);
    this.requests.push(request);
    const day = this.#days.shift();
    const prepared = day === undefined ? this.#answers.shift() : REFUSALS[day];
    const answer = prepared ?? (await this.#answer(request));
    const lost = day === undefined ? undefined : LOST_ANSWERS[day];
    if (lost === null) response.destroy();
    else send(response, lost ?? answer);
    this.#refuseIfNext();
  }

  async #answer(request: SeenRequest): Promise<Answer> {
    const { method, path, query, headers } = request;
    const { accessToken, senderId, accountId } = this.credentials;
    if (!['Bearer', 'OAuth'].some((scheme) => headers.authorization === `${scheme} ${accessToken}`)) return wrongToken;
    const proof = query.get('appsecret_proof');
    if (proof !== null && proof !== createHmac('sha256', this.secret).update(accessToken).digest('hex')) {
      return graphError(100, { type: 'GraphMethodException', details: 'Invalid appsecret_proof' });
    }
    const call = `${method} ${path}`;
    if (call === `POST ${senderId}/messages`) return this.#message(JSON.parse(request.body.toString()));
    if (call === `POST ${senderId}/media`) return this.files.upload(String(headers['content-type']), request.body);
    if (call === `GET ${senderId}`) {
      return { status: 200, body: { id: senderId, display_phone_number: '+55 11 4004-1234', ...this.number } };
    }
    if (call === `GET ${accountId}/phone_numbers`)
      return { status: 200, body: { data: [{ id: senderId }], paging: {} } };
    if (call === `GET ${accountId}/message_templates`) return this.templates.page(query, this.baseUrl);
    if (call === `POST ${accountId}/message_templates`)
      return this.templates.create(JSON.parse(request.body.toString()));
    if (call === 'POST app/uploads') return { status: 200, body: { id: 'upload:MTphdHRhY2htZW50OjEy?sig=ARZq' } };
    if (method === 'POST' && path.startsWith('upload:')) {
      return takeExample(headers['file_offset'], request.body, this.templates.handles);
    }
    return method === 'GET' ? this.files.read(path, this.baseUrl) : missingObject;
  }

  #message(body: Readonly<Record<string, unknown>>): Answer {
    if (body['messaging_product'] !== 'whatsapp') return graphError(100);
    if (body['status'] === 'read') {
      this.readMarks.push(String(body['message_id']));
      return { status: 200, body: { success: true } };
    }
    const to = String(body['to'] ?? body['recipient'] ?? '');
    if (to === '') return graphError(131008);
    // An order or a request outside of the window is refused at once; free text is taken there and reported as failed.
    if (body['type'] === 'interactive' && !this.#hasOpenWindow(to)) return graphError(131047);
    const text = textOfMessage(body, this.templates, this.files, this.payments);
    if (typeof text !== 'string') return text;
    const channelMessageId = `wamid.${randomBytes(24).toString('base64')}`;
    const callback = typeof body['biz_opaque_callback_data'] === 'string' ? body['biz_opaque_callback_data'] : null;
    const taken = { channelMessageId, to, text, callback, body };
    this.#taken.push(taken);
    if ('to' in body) this.#contactBook.add(personOf(to));
    this.#reportLater(taken);
    const contact = 'to' in body ? { input: to, wa_id: waIdOf(to) } : { input: to, user_id: to };
    const status = body['type'] === 'template' ? { message_status: this.pacing } : {};
    const messages = [{ id: channelMessageId, ...status }];
    return { status: 200, body: { messaging_product: 'whatsapp', contacts: [contact], messages } };
  }

  #hasOpenWindow(to: string): boolean {
    const names = [personOf(to), userIdOf(personOf(to))];
    return names.some((name) => Date.now() - (this.#lastInbound.get(name) ?? 0) < DAY_MS);
  }

  /** WhatsApp answers at once, and reports later whether the message arrived. */
  #reportLater(taken: TakenByWhatsApp): void {
    if (this.#options.webhookUrl === undefined) return;
    const { to } = taken;
    const open = this.#hasOpenWindow(to);
    const code = this.unreachable.has(to) ? 131026 : taken.body['type'] === 'template' || open ? null : 131047;
    const states = code === null ? (['sent', 'delivered'] as const) : (['failed'] as const);
    const report = (async () => {
      for (const status of states) {
        await this.post(statusChange(this.sender, this.statusOf(taken, status, code === null ? {} : { code })));
      }
    })().catch(() => undefined);
    this.#reports.add(report);
    void report.finally(() => this.#reports.delete(report));
  }
}

const personOf = (name: string): string => (name.startsWith('BR.') ? name : (canonicalPhone(name) ?? name));

function send(response: ServerResponse, { status, headers = {}, body }: Answer): void {
  const bytes = Buffer.isBuffer(body) || typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(bytes);
}

export const startFakeWhatsApp = (options: FakeWhatsAppOptions = {}): Promise<FakeWhatsApp> =>
  new FakeWhatsApp(options).start();
