import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestClient } from '../../testing/campaigns-app.ts';
import { FakeWhatsApp } from '../../testing/channels/fake-whatsapp.ts';
import { messagesChange } from '../../testing/channels/whatsapp/payloads.ts';
import { until } from '../../testing/poll.ts';
import { type Debtor, type InboundApp, startInboundApp, urlOf } from './inbound-app.ts';

const URL = urlOf('whatsapp');
const meta = new FakeWhatsApp({});
let app: InboundApp;
let client: TestClient;

/** What each debtor sends first. All begin at once, because a real turn waits some seconds for further messages. */
const FIRST = {
  image: () => ({ type: 'image', image: { id: attach('image/jpeg', PICTURE), mime_type: 'image/jpeg' } }),
  audio: () => ({ type: 'audio', audio: { id: attach('audio/ogg', 'a') } }),
  lost: () => ({ type: 'document', document: { id: '404404', mime_type: 'application/pdf' } }),
  caption: () => ({
    type: 'image',
    image: { id: attach('image/png', 'b'), caption: 'Não me mande mais mensagens' },
  }),
  claim: () => ({ type: 'button', button: { payload: 'quita:already_paid', text: 'Não sou eu' } }),
  silence: () => ({ type: 'button', button: { payload: 'quita:opt_out', text: 'Parar' } }),
} satisfies Readonly<Record<string, () => object>>;
type Name = keyof typeof FIRST;
const NAMES = Object.keys(FIRST) as Name[];
const PICTURE = Buffer.from([0xff, 0xd8, 0xff, 0, 1, 2]);
const attach = (contentType: string, content: string | Buffer) => meta.files.attach(contentType, Buffer.from(content));

interface Begun {
  readonly debtor: Debtor;
  readonly messageId: string;
}
const begun = new Map<Name, Begun>();

beforeAll(async () => {
  await meta.start();
  app = await startInboundApp({
    roles: ['api', 'worker', 'relay'],
    env: { MESSAGING_CHANNEL: 'whatsapp', WHATSAPP_BASE_URL: meta.baseUrl },
  });
  client = await app.newClient();
  await app.connect(client.id, 'whatsapp', meta.credentials);
  for (const name of NAMES) {
    const debtor = await app.newDebtor(client);
    begun.set(name, { debtor, messageId: await send(debtor, FIRST[name]()) });
  }
});
afterAll(async () => {
  await app?.close();
  await meta.close();
});

const send = async (debtor: Debtor, content: Readonly<Record<string, unknown>>): Promise<string> => {
  const id = `wamid.${randomUUID()}`;
  const request = meta.request(URL, messagesChange(meta.sender, { id, from: debtor.phone, content }));
  expect(await app.deliver(request)).toBe(200);
  return id;
};
const handled = (id: string) =>
  until('the message is handled', async () => {
    const [row] = await app.query<{ intent: string | null }>(
      'select intent from messages where channel_message_id = $1 and handled_at is not null',
      [id],
    );
    return row;
  });
const answersTo = ({ phone }: Debtor) =>
  meta.taken.filter(({ to }) => to.endsWith(phone.slice(1))).map(({ text }) => text);
const answered = (debtor: Debtor) => until('the answer', () => answersTo(debtor)[0]);
/** Waits until the first turn is handled. */
async function turn(name: Name) {
  const { debtor, messageId } = begun.get(name)!;
  return { debtor, messageId, handled: await handled(messageId) };
}
const saidPaid = async ({ id }: Debtor): Promise<boolean> =>
  (
    await app.query<{ said: boolean }>(
      'select person_requests.said_paid_at is not null as said from debts left join person_requests using (client_id, debtor_tax_id, sandbox) where debts.id = $1',
      [id],
    )
  )[0]!.said;
const inboxOf = async ({ id }: Debtor) =>
  (
    await app.query<{ reason: string }>('select reason from inbox_items where debt_id = $1 and closed_at is null', [id])
  ).map(({ reason }) => reason);
const statusOf = async ({ id }: Debtor) => (await client.call('GET', `/api/debts/${id}`)).body.status;
const TOLD = 'Recebi o arquivo, Maria. Uma pessoa da Escola Aurora vai ver.';

describe('a file that a debtor sends', () => {
  it('is told to a person, answered once a day, taken for a receipt, and given to the client’s staff', async () => {
    const { debtor, messageId, handled: first } = await turn('image');
    expect(await answered(debtor)).toContain(TOLD);
    expect(first).toEqual({ intent: 'already_paid' });
    expect((await inboxOf(debtor)).sort()).toEqual(['attachment', 'said_paid']);
    expect(await saidPaid(debtor)).toBe(true);
    await until('the read mark', () => meta.readMarks.includes(messageId));
    const attachment = await until('the content', async () => {
      const { body } = await client.call('GET', `/api/debts/${debtor.id}`);
      const shown = body.timeline.flatMap((entry: { attachments?: object[] }) => entry.attachments ?? []);
      return shown.find(({ state }: { state: string }) => state === 'stored');
    });
    const path = `/api/debts/${debtor.id}/attachments/${attachment.id}`;
    const given = await fetch(`${app.url}${path}`, { headers: { authorization: `Bearer ${client.token}` } });
    expect([given.status, Buffer.from(await given.arrayBuffer())]).toEqual([200, PICTURE]);
    expect(Object.fromEntries(given.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-disposition': `attachment; filename="anexo-${attachment.id.slice(0, 8)}.jpg"`,
      'x-content-type-options': 'nosniff',
    });
    expect(await inboxOf(debtor)).toEqual(['said_paid']);
    const other = await app.newClient();
    expect((await other.call('GET', path)).status).toBe(404);
    const [row] = await app.query<{ sealed: string }>('select sealed from attachments where id = $1', [attachment.id]);
    expect(row!.sealed).not.toContain(PICTURE.toString('base64'));

    await handled(await send(debtor, FIRST.image()));
    expect(answersTo(debtor)).toHaveLength(1);
  });

  it('that cannot be a receipt is told to a person and claims no payment', async () => {
    const { debtor } = await turn('audio');
    expect(await answered(debtor)).toContain(TOLD);
    expect(await inboxOf(debtor)).toEqual(['attachment']);
    expect(await saidPaid(debtor)).toBe(false);
  });

  it('that the channel does not give keeps nobody waiting', async () => {
    const { debtor } = await turn('lost');
    expect(await answered(debtor)).toContain(TOLD);
    expect(await saidPaid(debtor)).toBe(true);
  });

  it('has a text beside it, which is understood as usual', async () => {
    const { debtor } = await turn('caption');
    await until('the end', async () => (await statusOf(debtor)) === 'OPTED_OUT');
    expect(await inboxOf(debtor)).toContain('attachment');
  });
});

describe('a pressed button', () => {
  it('means what it was made for, whatever is written on it', async () => {
    const { debtor, handled: claim } = await turn('claim');
    expect(claim).toEqual({ intent: 'already_paid' });
    expect(await saidPaid(debtor)).toBe(true);
    // The debt is of a draft, so that no contact comes at whose moment the claim would be checked.
    expect(await inboxOf(debtor)).toEqual(['said_paid']);
  });

  it('asks for silence like the word, for every client that sends from the number', async () => {
    const { debtor } = await turn('silence');
    await until('the end', async () => (await statusOf(debtor)) === 'OPTED_OUT');
    const rows = await app.query<{ sender: string }>(
      `select distinct sender from suppressions where client_id = $1 and kind = 'opt_out'`,
      [client.id],
    );
    expect(rows).toEqual([{ sender: meta.credentials.senderId }]);
  });
});
