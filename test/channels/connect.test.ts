import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { opened } from '../../testing/opened.ts';
import { MAIL_FROM, startDeployment } from './operator.ts';

const deployment = await opened(startDeployment({ roles: ['api'] }));

const senders = (clientId: string) =>
  deployment.app.query<{ channel: string; shown_as: string; state: string; replaced: boolean; limit: number | null }>(
    `select channel, shown_as, state, replaced_at is not null as replaced, people_per_day as "limit"
     from channel_senders where client_id = $1 order by created_at`,
    [clientId],
  );
const sealed = (clientId: string) =>
  deployment.app.query<{ purpose: string; sealed: string; account_id: string }>(
    'select purpose, sealed, account_id from client_credentials where client_id = $1',
    [clientId],
  );

describe('quita clients connect ID whatsapp', () => {
  it('asks WhatsApp, stores the sender encrypted, and says what debtors see', async () => {
    const { app, whatsapp, quita } = deployment;
    const { id } = await app.newClient();
    const { senderId, accountId, accessToken, webhookSecret } = whatsapp.credentials;
    const input = [senderId, accountId, accessToken, webhookSecret].join('\n');
    const { out, err, code } = await quita(['clients', 'connect', id, 'whatsapp'], { input: `${input}\n` });
    expect({ code, out }).toEqual({
      code: 0,
      out: `${id} is connected to WhatsApp: debtors see +55 11 4004-1234, and it may reach 2,000 people in 24 hours\nNext: quita channels templates push ${id}\n`,
    });
    for (const secret of [accessToken, webhookSecret!]) expect(out + err).not.toContain(secret);
    expect(await senders(id)).toEqual([
      { channel: 'whatsapp', shown_as: '+55 11 4004-1234', state: 'ready', replaced: false, limit: 2_000 },
    ]);
    const [row] = await sealed(id);
    expect(row).toMatchObject({ purpose: 'whatsapp', account_id: senderId });
    expect(row?.sealed).not.toContain(accessToken);
    const audit = await app.query(
      `select actor, details from audit_log where client_id = $1 and action = 'client_connected'`,
      [id],
    );
    expect(audit).toEqual([{ actor: 'operator', details: { channel: 'whatsapp', senderId } }]);
  });

  it.each([
    ['a wrong token', { accessToken: 'EAAJ-a-wrong-token' }],
    ['a wrong app secret', { appSecret: 'a-wrong-app-secret' }],
    ['a number of another business account', { businessAccountId: '999000111' }],
    ['an id that is none', { phoneNumberId: '+55 11 4004-1234' }],
  ])('stores nothing with %s, and repeats no value', async (_what, given) => {
    const client = await deployment.app.newClient();
    const { code, out, err } = await deployment.connect(client, 'whatsapp', given);
    expect(code).toBe(1);
    for (const value of Object.values(given)) expect(out + err).not.toContain(value);
    expect(await senders(client.id)).toEqual([]);
    expect(await sealed(client.id)).toEqual([]);
  });
});

describe('quita clients connect ID', () => {
  it('connects Twilio, and keeps a sender that is replaced for what still arrives', async () => {
    const { app, twilio, connect } = deployment;
    const client = await app.newClient();
    const first = await connect(client, 'twilio');
    expect(first.out).toBe(
      `${client.id} is connected to Twilio: debtors see ${twilio.credentials.senderId}, and the channel names no limit of people in 24 hours\n`,
    );
    await app.query(
      `update channel_senders set sender_id = '+5511900000000', shown_as = '+5511900000000' where client_id = $1`,
      [client.id],
    );
    expect((await connect(client, 'twilio')).out).toContain(
      'Its sender before, +5511900000000, sends no more and still receives',
    );
    expect((await senders(client.id)).map(({ shown_as, replaced }) => [shown_as, replaced])).toEqual([
      ['+5511900000000', true],
      [twilio.credentials.senderId, false],
    ]);
  });

  it('makes Zenvia post to this service with a secret of its own, and keeps that secret when it is run again', async () => {
    const { app, zenvia, connect } = deployment;
    const client = await app.newClient();
    expect((await connect(client, 'zenvia')).code).toBe(0);
    const posted = () =>
      zenvia.subscriptions.map(({ eventType, webhook }) => [eventType, webhook.url, webhook.headers]);
    const made = posted();
    expect(made.map(([type, url]) => [type, url])).toEqual([
      ['MESSAGE', 'https://quita.example/api/messaging/zenvia?sender=escola.azul'],
      ['MESSAGE_STATUS', 'https://quita.example/api/messaging/zenvia?sender=escola.azul'],
    ]);
    expect(JSON.stringify(made[0])).toMatch(/[\w-]{43}/);
    expect((await connect(client, 'zenvia')).code).toBe(0);
    expect(posted()).toEqual(made);
  });

  it('connects e-mail without credentials, after the mail server has accepted the login', async () => {
    const { app, connect, quita, smtp } = deployment;
    const client = await app.newClient();
    const env = { SMTP_URL: smtp.baseUrl.replace('right-password', 'wrong-password') };
    const refused = await quita(['clients', 'connect', client.id, 'email'], { env });
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('nothing was stored') });
    expect(await senders(client.id)).toEqual([]);
    expect((await connect(client, 'email')).out).toContain(`debtors see ${MAIL_FROM}`);
    expect((await sealed(client.id)).map(({ purpose, account_id }) => [purpose, account_id])).toEqual([
      ['email', MAIL_FROM],
    ]);
  });

  it('refuses a channel that the deployment does not use, and a client that does not exist', async () => {
    const { app, quita, connect } = deployment;
    const { id } = await app.newClient();
    const unused = await quita(['clients', 'connect', id, 'zenvia'], { env: { MESSAGING_CHANNEL: 'twilio' } });
    expect(unused).toEqual({
      code: 1,
      out: '',
      err: 'This deployment does not use Zenvia: MESSAGING_CHANNEL must name zenvia\n',
    });
    expect((await connect({ id: randomUUID() }, 'twilio')).err).toContain('There is no client');
  });
});
