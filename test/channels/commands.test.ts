import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { TestClient } from '../../testing/campaigns-app.ts';
import { opened } from '../../testing/opened.ts';
import { startDeployment } from './operator.ts';

const PHONE = '+5511987654321';

const deployment = await opened(startDeployment({ roles: ['api'] }));

async function clientOn(...channels: readonly ('whatsapp' | 'twilio' | 'zenvia' | 'email')[]): Promise<TestClient> {
  const client = await deployment.app.newClient();
  for (const channel of channels) {
    const { code, err } = await deployment.connect(client, channel);
    if (code !== 0) throw new Error(err);
  }
  return client;
}

describe('quita channels templates', () => {
  it('creates the templates of the product once, and shows and stores what WhatsApp says of them', async () => {
    const { app, whatsapp, quita } = deployment;
    const { id } = await clientOn('whatsapp');
    const pushed = await quita(['channels', 'templates', 'push', id]);
    const { all } = whatsapp.templates;
    expect(pushed.err).toBe('');
    expect(pushed.out).toContain(`WhatsApp: 0 of ${all.length} templates are approved\n`);
    expect(all.map(({ name }) => name)).toContain('quita_test_v1');
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    for (const template of all) template.status = 'APPROVED';
    const refused = whatsapp.templates.find('quita_test_v1');
    Object.assign(refused, { status: 'REJECTED', rejected_reason: 'INVALID_FORMAT' });
    // More templates than one page of the answer holds: the status follows the pages.
    for (let other = 0; other < 250; other += 1) whatsapp.templates.all.unshift({ ...refused, name: `other_${other}` });

    const created = whatsapp.templates.all.length;
    await quita(['channels', 'templates', 'push', id]);
    expect(whatsapp.templates.all).toHaveLength(created);

    const { out, code } = await quita(['channels', 'templates', 'status', id.toUpperCase()]);
    expect(code).toBe(0);
    expect(out).toContain(`WhatsApp: ${all.length - 251} of ${all.length - 250} templates are approved\n`);
    expect(out).toMatch(/^quita_test_v1 +rejected +\S*INVALID_FORMAT/m);
    const stored = await app.query<{ name: string; state: string }>(
      'select name, state from channel_templates where client_id = $1 and account_id = $2',
      [id, whatsapp.credentials.accountId],
    );
    expect(stored).toHaveLength(all.length - 250);
    expect(stored.filter(({ state }) => state !== 'approved')).toEqual([{ name: 'quita_test_v1', state: 'rejected' }]);
  });

  it('names a template that WhatsApp refuses to create, and creates the others', async () => {
    const { whatsapp, quita } = deployment;
    const { id } = await clientOn('whatsapp');
    whatsapp.templates.all.length = 0;
    const names = await quita(['channels', 'templates', 'status', id]);
    const count = Number(/of (\d+) templates/.exec(names.out)?.[1]);
    const create = whatsapp.templates.create.bind(whatsapp.templates);
    whatsapp.templates.create = (body) =>
      body['name'] === 'quita_test_v1'
        ? { status: 400, body: { error: { code: 100, error_subcode: 2388040 } } }
        : create(body);
    const { out, code } = await quita(['channels', 'templates', 'push', id]);
    whatsapp.templates.create = create;
    expect(code).toBe(1);
    expect(out).toContain('WhatsApp refuses templates: quita_test_v1 (100/2388040)\n');
    expect(whatsapp.templates.all).toHaveLength(count - 1);
  });

  it('has nothing to do for channels without templates, and says so', async () => {
    const { id } = await clientOn('twilio');
    const { out } = await deployment.quita(['channels', 'templates', 'status', id]);
    expect(out).toBe('No connected channel of this client approves templates: there is nothing to do\n');
  });

  it('works with the sender of the environment on a deployment for one company', async () => {
    const { app, whatsapp, quita } = deployment;
    const { id } = await app.newClient();
    const { senderId, accountId, accessToken } = whatsapp.credentials;
    const env = {
      SINGLE_CLIENT: 'true',
      MERCADOPAGO_ACCESS_TOKEN: 'TEST-token',
      MESSAGING_CHANNEL: 'whatsapp',
      WHATSAPP_TOKEN: accessToken,
      WHATSAPP_PHONE_NUMBER_ID: senderId,
      WHATSAPP_BUSINESS_ACCOUNT_ID: accountId!,
    };
    expect((await quita(['channels', 'templates', 'status', id], { env })).out).toContain('templates are approved');
    const senders = await app.query('select sender_id, checked_at from channel_senders where client_id = $1', [id]);
    expect(senders).toEqual([{ sender_id: senderId, checked_at: null }]);
    // Another number in the environment takes the place of the first, which still receives.
    const changed = { ...env, WHATSAPP_PHONE_NUMBER_ID: '106540352242999' };
    expect((await quita(['channels', 'templates', 'status', id], { env: changed })).code).toBe(0);
    const replaced = await app.query(
      'select sender_id, replaced_at is not null as replaced from channel_senders where client_id = $1 order by created_at',
      [id],
    );
    expect(replaced).toEqual([
      { sender_id: senderId, replaced: true },
      { sender_id: '106540352242999', replaced: false },
    ]);
    const connect = await quita(['clients', 'connect', id, 'whatsapp'], { env });
    expect(connect.err).toContain('With SINGLE_CLIENT=true the environment names the sender');
  });
});

describe('quita channels test', () => {
  it('sends one message that says that it is a test by each connected channel, and prints what came back', async () => {
    const { app, whatsapp, twilio, zenvia, smtp, quita } = deployment;
    const { id } = await clientOn('whatsapp', 'twilio', 'zenvia', 'email');
    if (!whatsapp.templates.all.some(({ name }) => name === 'quita_test_v1')) {
      await quita(['channels', 'templates', 'push', id]);
    }
    whatsapp.templates.find('quita_test_v1').status = 'APPROVED';
    const before = [whatsapp, twilio, zenvia, smtp].map((fake) => fake.taken.length);
    const { out, err, code } = await quita(['channels', 'test', id, PHONE, '--email', 'ana@cliente.example']);
    expect({ out, err, code }).toEqual({
      out: ['WhatsApp', 'Twilio', 'Zenvia', 'e-mail']
        .map((name) => `${name}: accepted: the phone or mailbox shows whether it arrives\n`)
        .join(''),
      err: '',
      code: 0,
    });
    const taken = [whatsapp, twilio, zenvia, smtp].map((fake, index) => fake.taken.slice(before[index]));
    expect(taken.map((messages) => messages.length)).toEqual([1, 1, 1, 1]);
    for (const [message] of taken) {
      expect(message?.text).toMatch(/mensagem de teste de Escola Aurora/);
      expect(message?.text).toMatch(/(não é preciso|nao e preciso) responder nem fazer nada/);
    }
    expect(taken[3]?.[0]?.to).toBe('ana@cliente.example');
    const audit = await app.query(
      `select details ->> 'channel' as channel from audit_log where client_id = $1 and action = 'channel_tested' order by seq`,
      [id],
    );
    expect(audit).toEqual(['whatsapp', 'twilio', 'zenvia', 'email'].map((channel) => ({ channel })));
  });

  it('names the code of a refusal and what it means, never tries twice, and goes on with the next channel', async () => {
    const { twilio, zenvia, quita } = deployment;
    const { id } = await clientOn('twilio', 'zenvia', 'email');
    const before = twilio.taken.length + zenvia.taken.length;
    twilio.next('no_answer');
    zenvia.next('no_permission');
    const { out, code } = await quita(['channels', 'test', id, PHONE]);
    expect(code).toBe(1);
    expect(out).toBe(
      [
        'Twilio: unknown: the answer was lost, so the message may have been sent: look at the phone before you try again',
        'Zenvia: refused 403: the channel refuses the credentials: connect the sender again',
        'e-mail: not tried: give an address with --email',
        '',
      ].join('\n'),
    );
    expect(twilio.taken.length + zenvia.taken.length).toBe(before + 1);
  });

  it.each([
    [[randomUUID(), PHONE], 'There is no client'],
    [[randomUUID(), '+1 202 555 0100'], 'The phone must be a Brazilian number that begins with +55'],
    [[randomUUID(), PHONE, '--email', 'nobody'], 'The value of --email is not an address'],
    [[randomUUID()], 'Usage:'],
    [[randomUUID(), PHONE, '--mail', 'a@b.example'], 'Usage:'],
  ])('refuses %j', async (args, expected) => {
    const { code, err } = await deployment.quita(['channels', 'test', ...args]);
    expect(code).toBe(1);
    expect(err).toContain(expected);
  });

  it('refuses on a deployment that reaches nobody', async () => {
    const env = { PAYMENT_PROVIDER: 'sandbox', MESSAGING_CHANNEL: 'sandbox' };
    const { err } = await deployment.quita(['channels', 'test', randomUUID(), PHONE], { env });
    expect(err).toContain('This deployment reaches nobody');
  });
});
