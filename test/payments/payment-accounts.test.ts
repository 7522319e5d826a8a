import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { opened } from '../../testing/opened.ts';
import { startRealApp } from './real-provider.ts';

const real = await opened(
  startRealApp({ roles: ['api'], single: false, env: { PAYMENT_PROVIDER: 'mercadopago,pix' } }),
);
const { app, provider } = real;

const token = (accessToken: string) => ({ provider: 'mercadopago', accessToken, webhookSecret: 'segredo-da-conta' });
const accountsOf = async (client: Awaited<ReturnType<typeof app.newClient>>) =>
  (await client.call('GET', '/api/payment-accounts')).body.items;

it('is connected once the provider has accepted it, and no credentials are shown', async () => {
  const client = await app.newClient();
  expect(await accountsOf(client)).toEqual([]);
  const { status, body } = await client.call('POST', '/api/payment-accounts', token(provider.accessToken));
  expect(status).toBe(201);
  expect(body).toMatchObject({ provider: 'mercadopago', profile: null, state: 'ready', reason: null, openCharges: 0 });
  expect(await accountsOf(client)).toEqual([body]);
  expect(JSON.stringify(body)).not.toMatch(/TEST-|segredo-da-conta/);
  expect(await accountsOf(await app.newClient())).toEqual([]);
});

it('takes the place of the one before, which is kept', async () => {
  const client = await app.newClient();
  const first = provider.addAccount({ id: 4242 });
  await client.call('POST', '/api/payment-accounts', token(first.accessToken));
  const { body } = await client.call('POST', '/api/payment-accounts', token(provider.accessToken));
  expect(await accountsOf(client)).toMatchObject([
    { id: body.id, state: 'ready' },
    { account: '4242', state: 'replaced' },
  ]);
  await client.call('POST', '/api/payment-accounts', token(first.accessToken));
  expect(await accountsOf(client)).toMatchObject([
    { account: '4242', state: 'ready' },
    { id: body.id, state: 'replaced' },
  ]);
});

it('is refused at the field that is wrong, and nothing is stored', async () => {
  const client = await app.newClient();
  const refusal = async (body: object) => {
    const answer = await client.call('POST', '/api/payment-accounts', body);
    return [answer.status, ...(answer.body.errors ?? []).map((one: object) => one)];
  };
  expect(await refusal(token('TEST-wrong'))).toEqual([
    400,
    expect.objectContaining({ pointer: '/accessToken', code: 'credentials_refused' }),
  ]);
  const bank = { provider: 'pix', profile: 'efi', clientId: 'a', clientSecret: 'b', key: randomUUID() };
  expect(await refusal({ ...bank, certificate: 'x' })).toEqual([
    400,
    expect.objectContaining({ pointer: '/privateKey', code: 'required' }),
  ]);
  expect(await refusal({ ...bank, pkcs12: 'bm8gcGtjczEy', passphrase: 'segredo' })).toEqual([
    400,
    expect.objectContaining({ pointer: '/pkcs12', code: 'certificate_invalid' }),
  ]);
  expect(await refusal({ ...bank, baseUrl: 'https://bank.example' })).toEqual([
    400,
    expect.objectContaining({ pointer: '/baseUrl', code: 'not_allowed' }),
  ]);
  expect(await refusal({ ...bank, profile: 'custom' })).toEqual([
    400,
    expect.objectContaining({ pointer: '/baseUrl', code: 'required' }),
    expect.objectContaining({ pointer: '/tokenUrl', code: 'required' }),
  ]);
  expect(await refusal({ ...bank, profile: 'bb' })).toEqual([
    400,
    expect.objectContaining({ pointer: '/extra', code: 'required' }),
  ]);
  expect((await refusal({ provider: 'stone' }))[0]).toBe(400);
  expect(await accountsOf(client)).toEqual([]);
});

it('is connected by a person alone, and by nobody without a session', async () => {
  const client = await app.newClient();
  const { apiKey } = (await client.call('POST', '/api/onboarding/me/api-key')).body;
  const byKey = await app.call('POST', '/api/payment-accounts', { body: token(provider.accessToken), bearer: apiKey });
  expect(byKey).toMatchObject({ status: 401, body: { code: 'access_token_required' } });
  expect((await app.call('POST', '/api/payment-accounts', { body: token(provider.accessToken) })).status).toBe(401);
  expect((await app.call('GET', '/api/payment-accounts', { bearer: apiKey })).status).toBe(200);
});

it('has an address of notifications that nobody can guess', async () => {
  const post = (path: string, body: unknown) => app.call('POST', path, { body });
  const body = { pix: [{ endToEndId: `E${'1'.repeat(31)}`, txid: 'a'.repeat(32), valor: '1.00' }] };
  for (const path of [`${randomUUID()}/secret`, `${randomUUID()}/${'a'.repeat(43)}/pix`, 'x/y']) {
    expect(await post(`/api/payments/pix/${path}`, body)).toMatchObject({
      status: 401,
      body: { code: 'signature_invalid' },
    });
  }
});
