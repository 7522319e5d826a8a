import { describe, expect, it } from '@jest/globals';
import { SECRETS, startApp } from '../../testing/app.ts';
import { FakeWhatsApp } from '../../testing/channels/fake-whatsapp.ts';
import { opened } from '../../testing/opened.ts';
import { pathOf, receivedOf, startInboundApp, unmatchedOf, urlOf } from './inbound-app.ts';

const CHANNELS = ['whatsapp', 'twilio', 'zenvia', 'email'] as const;

const bare = await opened(startApp());
const meta = new FakeWhatsApp({ appSecret: SECRETS['MESSAGING_WEBHOOK_SECRET']! });
const url = urlOf('whatsapp');
const app = await opened(
  startInboundApp({
    env: {
      MESSAGING_CHANNEL: 'whatsapp',
      SINGLE_CLIENT: 'true',
      MERCADOPAGO_ACCESS_TOKEN: 'a-token',
      WHATSAPP_TOKEN: meta.credentials.accessToken,
      WHATSAPP_PHONE_NUMBER_ID: meta.credentials.senderId,
      WHATSAPP_BUSINESS_ACCOUNT_ID: meta.credentials.accountId!,
    },
  }),
);

describe('a deployment without real channels', () => {
  it.each(CHANNELS.map(pathOf))('believes nobody who posts to %s', async (path) => {
    expect(await bare.post(path, {})).toMatchObject({ status: 401, body: { code: 'signature_invalid' } });
  });

  it('answers no subscription and no unsubscription', async () => {
    const [question, click] = [
      await bare.get('/api/messaging/whatsapp?hub.mode=subscribe&hub.challenge=1&hub.verify_token='),
      await bare.get('/api/messaging/email-unsubscribe'),
    ];
    expect([question.status, click.status]).toEqual([401, 404]);
  });
});

describe('the deployment of one company', () => {
  it('verifies with the secret of its environment, and stores nothing for a sender that has sent nothing yet', async () => {
    const client = await app.newClient();
    const debtor = await app.newDebtor(client);
    const request = (id: string) => meta.messageRequest(url, { id, from: debtor.phone, text: 'oi' });
    expect(await app.deliver(request('wamid.early'))).toBe(200);
    expect(await receivedOf(app, client.id)).toEqual([]);
    expect(await unmatchedOf(app, client.id)).toEqual([]);
    await app.query(
      `insert into channel_senders (client_id, channel, sender_id, account_id, shown_as) values ($1, 'whatsapp', $2, $3, $2)`,
      [client.id, meta.credentials.senderId, meta.credentials.accountId],
    );
    expect(await app.deliver(request('wamid.late'))).toBe(200);
    expect(await app.deliver({ ...request('wamid.bad'), headers: {} })).toBe(401);
    expect((await receivedOf(app, client.id)).map((row) => row.channel_message_id)).toEqual(['wamid.late']);
  });
});
