import { expect, it } from '@jest/globals';
import { debtInput } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';
import { COMPANY_ADDRESS } from '../../testing/verified-company.ts';
import { type RealApp, startRealApp } from './real-provider.ts';
import { newDebt } from './support.ts';

const single = await opened(startRealApp({ roles: ['api'] }));
const many = await opened(startRealApp({ roles: ['api'], single: false }));

/** Everything that a launch requires of a creditor except its connections. */
async function launchAsFitCreditor({ app }: RealApp) {
  const { client, campaignId } = await newDebt(app);
  const launch = async () => (await client.call('POST', `/api/campaigns/${campaignId}/launch`)).body;
  expect(await launch()).toMatchObject({ status: 409, code: 'email_not_confirmed' });
  await app.query('update clients set email_confirmed_at = now() where id = $1', [client.id]);
  expect(await launch()).toMatchObject({ status: 409, code: 'client_not_verified' });
  await app.query(`update clients set cnpj = '11222333000181', address = $2 where id = $1`, [
    client.id,
    JSON.stringify(COMPANY_ADDRESS),
  ]);
  await app.query('update clients set verified_at = now(), verified_name = name, verified_cnpj = cnpj where id = $1', [
    client.id,
  ]);
  return launch();
}

it('a real launch is refused without own accounts, and then until the channel has approved the templates', async () => {
  const unconnected = await launchAsFitCreditor(many);
  expect(unconnected).toMatchObject({ status: 409, code: 'creditor_incomplete' });
  expect(unconnected.detail).toContain('messaging channel');
  expect(unconnected.detail).toContain('payment provider');
  const connected = await launchAsFitCreditor(single);
  expect(connected).toMatchObject({ status: 409, code: 'channel_not_ready' });
  // WhatsApp cannot be asked, and it has approved nothing before.
  expect(connected.missing).toContainEqual({ channel: 'whatsapp', template: 'quita_receipt_v2', reason: 'missing' });
});

it('an example reaches nobody where the adapters are real: each launch of it is one of the sandbox', async () => {
  const { app } = many;
  const client = await app.newClient();
  const { body: example } = await client.call('POST', '/api/sandbox/example');
  expect(example).toMatchObject({ status: 'DRAFT', sandbox: true });
  // A policy would hold for real debtors too, so nobody states one for the client.
  expect((await client.call('GET', '/api/offers/policy')).body).toBeNull();
  // What is imported into it belongs to the sandbox too.
  expect((await client.importJson(example.id, [debtInput(1)])).body.imported).toBe(1);
  const real = () => app.query('select 1 from debts where campaign_id = $1 and not sandbox', [example.id]);
  expect(await real()).toEqual([]);
  const { status, body } = await client.call('POST', `/api/campaigns/${example.id}/launch?sandbox=false`);
  expect([status, body]).toEqual([200, expect.objectContaining({ sandbox: true })]);
  expect(await real()).toEqual([]);
  expect((await client.call('GET', `/api/campaigns/${example.id}`)).body.sandbox).toBe(true);
});
