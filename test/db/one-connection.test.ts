import { expect, it } from '@jest/globals';
import { openDatabase } from '../../src/platform/database/database.ts';
import { debtInput } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';
import { watchSecondConnections } from '../../testing/second-connections.ts';
import { verifyCompany } from '../../testing/verified-company.ts';
import { startDeployment } from '../channels/operator.ts';

// The pools keep the way to connect that there is when they are opened.
const watched = await opened(watchSecondConnections());
const { app, whatsapp, provider } = await opened(startDeployment({ roles: ['api'] }));

it('a second connection is seen in a transaction alone', async () => {
  const before = watched.taken.length;
  const db = await openDatabase({ url: app.database.url, role: 'quita_worker' });
  try {
    await db.ping();
    await db.system().transactional(async () => {});
    await db.ping();
    expect(watched.taken).toHaveLength(before);
    await db.system().transactional(() => db.ping());
    expect(watched.taken).toHaveLength(before + 1);
  } finally {
    await db.close();
  }
});

it('a company connects what a launch needs, launches and imports, and each request has one connection at a time', async () => {
  const before = watched.taken.length;
  const client = await app.newClient();
  await verifyCompany(app.query, client.id);
  const { credentials } = whatsapp;
  const sender = {
    channel: 'whatsapp',
    phoneNumberId: credentials.senderId,
    businessAccountId: credentials.accountId,
    accessToken: credentials.accessToken,
    appSecret: credentials.webhookSecret,
  };
  // The second time there are credentials to replace.
  for (const given of [sender, sender, { channel: 'email' }]) {
    expect((await client.call('POST', '/api/channels', given)).status).toBe(201);
  }
  const account = { provider: 'mercadopago', accessToken: provider.accessToken, webhookSecret: 'segredo-da-conta' };
  expect((await client.call('POST', '/api/payment-accounts', account)).status).toBe(201);
  expect((await client.call('GET', '/api/onboarding/me')).body).toMatchObject({ missing: [] });

  const campaignId = await client.createCampaign();
  expect((await client.call('PATCH', `/api/campaigns/${campaignId}`, { channels: ['email'] })).status).toBe(200);
  expect((await client.importJson(campaignId, [debtInput(1)])).status).toBe(200);
  expect((await client.call('POST', `/api/campaigns/${campaignId}/rehearse`)).status).toBe(200);
  const launched = await client.call('POST', `/api/campaigns/${campaignId}/launch`);
  expect([launched.status, launched.body]).toEqual([200, expect.objectContaining({ sandbox: false })]);
  const imported = await client.importJson(campaignId, [debtInput(2)]);
  expect([imported.status, imported.body]).toEqual([200, expect.objectContaining({ imported: 1 })]);
  expect(watched.taken.slice(before)).toEqual([]);
});
