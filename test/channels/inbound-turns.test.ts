import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestClient } from '../campaigns/support.ts';
import { until } from '../support/poll.ts';
import { FakeWhatsApp } from './fake-whatsapp.ts';
import { type Debtor, type InboundApp, startInboundApp, urlOf } from './inbound-app.ts';
import { messagesChange } from './whatsapp/payloads.ts';

const URL = urlOf('whatsapp');
const meta = new FakeWhatsApp();
let app: InboundApp;
let client: TestClient;
let debtor: Debtor;

beforeAll(async () => {
  await meta.start();
  app = await startInboundApp({
    roles: ['api', 'worker', 'relay'],
    env: { MESSAGING_CHANNEL: 'whatsapp', WHATSAPP_BASE_URL: meta.baseUrl },
  });
  client = await app.newClient();
  await app.connect(client.id, 'whatsapp', meta.credentials);
});
afterAll(async () => {
  await app?.close();
  await meta.close();
});
beforeEach(async () => {
  debtor = await app.newDebtor(client);
});

const send = async (content: Readonly<Record<string, unknown>>): Promise<string> => {
  const id = `wamid.${randomUUID()}`;
  const request = meta.request(URL, messagesChange(meta.sender, { id, from: debtor.phone, content }));
  expect(await app.deliver(request)).toBe(200);
  return id;
};
const answers = () =>
  meta.taken.filter(({ to }) => `+${to}` === debtor.phone || to === debtor.phone).map(({ text }) => text);
const handled = (id: string) =>
  until('the message is handled', async () => {
    const [row] = await app.query<{ intent: string | null }>(
      'select intent from messages where channel_message_id = $1 and handled_at is not null',
      [id],
    );
    return row;
  });
const saidPaid = async (): Promise<boolean> =>
  (
    await app.query<{ said: boolean }>('select said_paid_at is not null as said from debts where id = $1', [debtor.id])
  )[0]!.said;
const inboxOf = async () =>
  (await app.query<{ reason: string }>('select reason from inbox_items where debt_id = $1', [debtor.id])).map(
    ({ reason }) => reason,
  );
const TOLD = 'Recebi o arquivo, Maria. Uma pessoa da Escola Aurora vai ver.';

describe('a file that a debtor sends', () => {
  it('is told to a person, answered once a day, taken for a receipt, and given to the client’s staff', async () => {
    const content = Buffer.from([0xff, 0xd8, 0xff, 0, 1, 2]);
    const image = { type: 'image', image: { id: meta.files.attach('image/jpeg', content), mime_type: 'image/jpeg' } };
    const first = await send(image);
    await until('the answer', () => answers().length === 1);
    expect(answers()[0]).toContain(TOLD);
    expect(await handled(first)).toEqual({ intent: 'already_paid' });
    expect(await inboxOf()).toEqual(['attachment']);
    expect(await saidPaid()).toBe(true);
    await until('the read mark', () => meta.readMarks.includes(first));
    const attachment = await until('the content', async () => {
      const { body } = await client.call('GET', `/api/debts/${debtor.id}`);
      const shown = body.timeline.flatMap((entry: { attachments?: object[] }) => entry.attachments ?? []);
      return shown.find(({ state }: { state: string }) => state === 'stored');
    });
    const path = `/api/debts/${debtor.id}/attachments/${attachment.id}`;
    const given = await fetch(`${app.url}${path}`, { headers: { authorization: `Bearer ${client.token}` } });
    expect([given.status, Buffer.from(await given.arrayBuffer())]).toEqual([200, content]);
    expect(Object.fromEntries(given.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-disposition': `attachment; filename="anexo-${attachment.id.slice(0, 8)}.jpg"`,
      'x-content-type-options': 'nosniff',
    });
    const other = await app.newClient();
    expect((await other.call('GET', path)).status).toBe(404);
    const [row] = await app.query<{ sealed: string }>('select sealed from attachments where id = $1', [attachment.id]);
    expect(row!.sealed).not.toContain(content.toString('base64'));

    await handled(await send(image));
    expect(answers()).toHaveLength(1);
  });

  it('that cannot be a receipt is told to a person and claims no payment', async () => {
    await handled(await send({ type: 'audio', audio: { id: meta.files.attach('audio/ogg', Buffer.from('a')) } }));
    await until('the answer', () => answers().length === 1);
    expect(answers()[0]).toContain(TOLD);
    expect(await inboxOf()).toEqual(['attachment']);
    expect(await saidPaid()).toBe(false);
  });

  it('that the channel does not give keeps nobody waiting', async () => {
    await handled(await send({ type: 'document', document: { id: '404404', mime_type: 'application/pdf' } }));
    await until('the answer', () => answers().length === 1);
    expect(await saidPaid()).toBe(true);
  });

  it('has a text beside it, which is understood as usual', async () => {
    const caption = 'Não me mande mais mensagens';
    await handled(
      await send({ type: 'image', image: { id: meta.files.attach('image/png', Buffer.from('b')), caption } }),
    );
    await until(
      'the end',
      async () => (await client.call('GET', `/api/debts/${debtor.id}`)).body.status === 'OPTED_OUT',
    );
    expect(await inboxOf()).toContain('attachment');
  });
});

describe('a pressed button', () => {
  it('means what it was made for, whatever is written on it', async () => {
    const id = await send({ type: 'button', button: { payload: 'quita:already_paid', text: 'Não sou eu' } });
    expect(await handled(id)).toEqual({ intent: 'already_paid' });
    expect(await saidPaid()).toBe(true);
    expect(await inboxOf()).toEqual([]);
  });

  it('asks for silence like the word', async () => {
    await handled(await send({ type: 'button', button: { payload: 'quita:opt_out', text: 'Parar' } }));
    await until(
      'the end',
      async () => (await client.call('GET', `/api/debts/${debtor.id}`)).body.status === 'OPTED_OUT',
    );
    const [row] = await app.query<{ sender: string }>(
      `select sender from suppressions where client_id = $1 and kind = 'opt_out' order by created_at desc limit 1`,
      [client.id],
    );
    expect(row).toEqual({ sender: meta.credentials.senderId });
  });
});
