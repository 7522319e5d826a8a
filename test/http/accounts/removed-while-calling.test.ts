import { expect, it } from '@jest/globals';
import { opened } from '../../../testing/opened.ts';
import { until } from '../../../testing/poll.ts';
import { waitingSessions } from '../../../testing/waiting-sessions.ts';
import { startRealApp } from '../../payments/real-provider.ts';
import { addMember } from './accounts.ts';

const { app, provider } = await opened(startRealApp({ roles: ['api'], single: false }));

const whatsapp = { channel: 'whatsapp', phoneNumberId: '1', businessAccountId: '2', accessToken: 'a', appSecret: 'b' };

it.each([
  [
    'connects no account',
    'POST',
    '/api/payment-accounts',
    { provider: 'mercadopago', accessToken: provider.accessToken, webhookSecret: 'segredo-da-conta' },
  ],
  ['connects no sender', 'POST', '/api/channels', whatsapp],
  ['disconnects no sender', 'DELETE', '/api/channels/whatsapp', undefined],
  ['adds no webhook', 'POST', '/api/webhooks', { url: 'https://example.com/hook' }],
  ['revokes no key', 'DELETE', '/api/onboarding/me/api-key', undefined],
] as const)('an owner who is removed while its call is under way %s', async (_, method, path, body) => {
  const client = await app.newClient();
  const removed = await addMember(app, client.id, 'owner', client.password);
  const countEntries = async () => (await app.query('select from audit_log where client_id = $1', [client.id])).length;
  const before = await countEntries();
  // The call has been let in when the other owner removes its member.
  await app.query('begin');
  await app.query('select from clients where id = $1 for update', [client.id]);
  const calling = app.call(method, path, { body, bearer: removed.token });
  await until('the call waits', async () => (await waitingSessions(app)) > 0);
  await app.query('update members set left_at = now(), password_hash = null where id = $1', [removed.member.id]);
  await app.query('update sessions set ended_at = now() where member_id = $1', [removed.member.id]);
  await app.query('commit');
  expect(await calling).toMatchObject({ status: 401, body: { code: 'token_invalid' } });
  expect(await app.query('select from client_credentials where client_id = $1', [client.id])).toEqual([]);
  expect(await app.query('select from webhooks where client_id = $1', [client.id])).toEqual([]);
  expect(await countEntries()).toBe(before);
});

it('an API key that is revoked while its call is under way adds no webhook', async () => {
  const client = await app.newClient();
  const { apiKey } = (await client.call('POST', '/api/onboarding/me/api-key')).body;
  await app.query('begin');
  await app.query('select from clients where id = $1 for update', [client.id]);
  const calling = app.call('POST', '/api/webhooks', { body: { url: 'https://example.com/hook' }, bearer: apiKey });
  await until('the call waits', async () => (await waitingSessions(app)) > 0);
  await app.query('update api_keys set revoked_at = now() where client_id = $1', [client.id]);
  await app.query('commit');
  expect(await calling).toMatchObject({ status: 401, body: { code: 'token_invalid' } });
  expect(await app.query('select from webhooks where client_id = $1', [client.id])).toEqual([]);
});
