import { describe, expect, it } from '@jest/globals';
import { REAL_CHANNELS } from '../../src/kernel/messaging-channels.ts';
import { REAL_CHANNELS as CONFIGURED_CHANNELS } from '../../src/platform/config/schema.ts';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { debtInput } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';

const app = await opened(startCampaignsApp());
const client = await app.newClient();

describe('the channels of a campaign', () => {
  const create = (given: object) => client.call('POST', '/api/campaigns', { name: 'Novembro', ...given });

  it.each([[['email', 'whatsapp']], [['zenvia']], [['twilio', 'email', 'zenvia', 'whatsapp']]])(
    'are answered in their order wherever the campaign is: %j',
    async (channels) => {
      const { status, body } = await create({ channels });
      expect([status, body.channels]).toEqual([201, channels]);
      const path = `/api/campaigns/${body.id}`;
      expect((await client.call('GET', path)).body.channels).toEqual(channels);
      const list = (await client.call('GET', '/api/campaigns')).body.items;
      expect(list.find(({ id }: { id: string }) => id === body.id).channels).toEqual(channels);
      await client.importJson(body.id, [debtInput(1)]);
      await client.call('POST', `${path}/launch`);
      for (const action of ['pause', 'resume', 'archive']) {
        expect((await client.call('POST', `${path}/${action}`)).body.channels).toEqual(channels);
      }
    },
  );

  it.each([[{}], [{ channels: null }]])('are all, and null, without a choice: %j', async (given) => {
    const { status, body } = await create(given);
    expect([status, body.channels]).toEqual([201, null]);
    expect((await client.call('GET', `/api/campaigns/${body.id}`)).body.channels).toBeNull();
  });

  it.each<[unknown, string[]]>([
    [['sms'], ['/channels/0 invalid_value']],
    [
      ['email', 'sandbox', 7],
      ['/channels/1 invalid_value', '/channels/2 invalid_value'],
    ],
    [['WhatsApp'], ['/channels/0 invalid_value']],
    [['email', 'whatsapp', 'email'], ['/channels/2 duplicate']],
    [[], ['/channels too_short']],
    [[...REAL_CHANNELS, 'email'], ['/channels too_long']],
    ['email', ['/channels invalid_type']],
    [{ 0: 'email' }, ['/channels invalid_type']],
  ])('are refused as %j', async (channels, problems) => {
    const { status, body } = await create({ channels });
    expect([status, body.code]).toEqual([400, 'validation_failed']);
    expect(body.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`)).toEqual(
      expect.arrayContaining(problems),
    );
  });

  it('have the names of the configuration', () => {
    expect(REAL_CHANNELS).toEqual(CONFIGURED_CHANNELS);
  });
});
