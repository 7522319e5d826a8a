import { createHmac, randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { createEmailAddresses } from '../../src/modules/messaging/adapters/email/addresses.ts';
import { createUnsubscribeLinks } from '../../src/modules/messaging/use-cases/unsubscribe.ts';
import { SECRETS } from '../../testing/app.ts';
import type { TestClient } from '../../testing/campaigns-app.ts';
import { opened } from '../../testing/opened.ts';
import {
  type Debtor,
  deliveryOf,
  FROM,
  PUBLIC_URL,
  receivedOf,
  recipientsOf,
  sentTo,
  startInboundApp,
  unmatchedOf,
  urlOf,
  wakesOf,
} from './inbound-app.ts';

const SECRET = SECRETS['MESSAGING_WEBHOOK_SECRET']!;
const LINKS = [SECRETS['RECEIPT_SECRET']!];
const addresses = createEmailAddresses({ secrets: LINKS, returnDomain: 'quita.example', fromDomain: 'quita.example' });
const links = createUnsubscribeLinks({ secrets: LINKS, publicUrl: PUBLIC_URL });

let client: TestClient;
let debtor: Debtor;
let email: string;

const post = (event: unknown, secret = SECRET) => {
  const body = Buffer.from(JSON.stringify(event));
  const t = Math.floor(Date.now() / 1_000);
  const v1 = createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex');
  const headers = { 'content-type': 'application/json', 'x-quita-signature': `t=${t},v1=${v1}` };
  return app.deliver({ url: urlOf('email'), headers, body });
};
const inbound = (given: object) => ({
  type: 'inbound',
  id: randomUUID(),
  to: 'x@quita.example',
  from: email,
  text: 'oi',
  ...given,
});
const connectEmail = (clientId: string) =>
  app.connect(clientId, 'email', { senderId: FROM, accountId: null, accessToken: 'none', webhookSecret: null });

const app = await opened(startInboundApp());
beforeEach(async () => {
  // All clients send from the address of the deployment.
  await app.query(`delete from channel_senders where channel = 'email'`);
  client = await app.newClient();
  await connectEmail(client.id);
  email = `ana-${randomUUID().slice(0, 8)}@cliente.example`;
  debtor = await app.newDebtor(client, { debtorEmail: email });
});

describe('what the mail server posts', () => {
  it('is refused with another secret, and nothing is stored', async () => {
    expect(await post(inbound({}), 'another secret')).toBe(401);
    expect(await receivedOf(app, client.id)).toEqual([]);
  });

  it('is stored for the client whose message is answered, though all clients have one address', async () => {
    const other = await app.newClient();
    await connectEmail(other.id);
    await app.newDebtor(other, { debtorEmail: email });
    const { id } = await sentTo(app, debtor, 'email');
    const answer = inbound({ to: addresses.reply(id), from: 'a-friend@cliente.example', text: 'Já paguei\n\n> Olá' });
    for (let time = 0; time < 2; time += 1) expect(await post(answer)).toBe(200);
    expect(await receivedOf(app, client.id)).toMatchObject([{ debt_id: debtor.id, phone: debtor.phone }]);
    expect(await receivedOf(app, other.id)).toEqual([]);
    expect(await recipientsOf(app, debtor.id)).toMatchObject([{ channel: 'email' }]);
  });

  it('counts for a debtor by a signed address alone: a forged sender changes nothing and is kept aside', async () => {
    await sentTo(app, debtor, 'email');
    const unsigned = ['x@quita.example', `reply+${'0a'.repeat(26)}@quita.example`];
    for (const to of unsigned) {
      expect(await post(inbound({ to, text: 'Foi engano, não conheço essa pessoa. PARAR' }))).toBe(200);
    }
    expect(await receivedOf(app, client.id)).toEqual([]);
    expect(await wakesOf(app, debtor.id)).toEqual([]);
    expect(await unmatchedOf(app, client.id)).toHaveLength(unsigned.length);
  });

  it('undoes a message that came back', async () => {
    const { id } = await sentTo(app, debtor, 'email');
    expect(await post([{ type: 'bounce', message: addresses.bounce(id), status: '5.1.1' }, 7, null].slice(0, 1))).toBe(
      200,
    );
    expect(await deliveryOf(app, id)).toMatchObject({
      delivery: 'failed',
      is_undo_due: true,
      failure: 'undeliverable 5.1.1',
    });
    expect(await wakesOf(app, debtor.id)).toEqual([{ signal: 'stateChanged' }]);
  });

  it('takes a complaint for a request for silence, once', async () => {
    const { id } = await sentTo(app, debtor, 'email');
    for (let time = 0; time < 2; time += 1) {
      expect(await post({ type: 'complaint', message: addresses.bounce(id) })).toBe(200);
    }
    expect(await receivedOf(app, client.id)).toMatchObject([{ debt_id: debtor.id, button: 'opt_out' }]);
  });

  it('has to be readable', async () => {
    expect(await post('text')).toBe(400);
  });
});

describe('the link of List-Unsubscribe', () => {
  it('ends the messages by one post', async () => {
    const { id } = await sentTo(app, debtor, 'email');
    const path = links.url({ messageId: id, debtId: debtor.id }).slice(PUBLIC_URL.length);
    const click = () =>
      app.call('POST', path, {
        body: 'List-Unsubscribe=One-Click',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
    expect([(await click()).status, (await click()).status]).toEqual([200, 200]);
    expect(await receivedOf(app, client.id)).toMatchObject([{ debt_id: debtor.id }]);
    expect((await app.call('POST', `${path}x`, { body: '' })).status).toBe(401);
  });
});
