import { describe, expect, it } from '@jest/globals';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { debtInput } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';

const step = (kind: string, thenWaitDays: number, tone = 'neutral') => ({ kind, tone, thenWaitDays });
const SETTINGS = {
  name: 'Dezembro',
  channels: ['email'],
  sequence: [step('first', 2, 'friendly'), step('reminder', 90), step('last', 0, 'firm')],
  hours: { from: '09:30', to: '17:00' },
  reminders: { daysBefore: [3, 0] },
  sender: 'Loja da Maria',
};
const DEFAULTS = { channels: null, sequence: null, hours: null, reminders: null, sender: null };

const app = await opened(startCampaignsApp());
const client = await app.newClient();

describe('the settings of a campaign', () => {
  const draft = async (): Promise<string> => {
    const { body } = await client.call('POST', '/api/campaigns', { name: 'Novembro' });
    expect(body).toMatchObject(DEFAULTS);
    return `/api/campaigns/${body.id}`;
  };

  it('change alone or together, are shown everywhere, and return to their defaults', async () => {
    const path = await draft();
    const { status, body } = await client.call('PATCH', path, { ...SETTINGS, unknown: 1 });
    expect([status, body]).toEqual([200, expect.objectContaining(SETTINGS)]);
    expect((await client.call('GET', path)).body).toEqual(body);
    expect((await client.call('GET', '/api/campaigns')).body.items[0]).toMatchObject(SETTINGS);
    const changed = await client.call('PATCH', path, { sender: null });
    expect(changed.body).toMatchObject({ ...SETTINGS, sender: null });
    expect((await client.call('PATCH', path, DEFAULTS)).body).toMatchObject({ ...DEFAULTS, name: 'Dezembro' });
  });

  it('keep reminders in the order of their days, and no days are none', async () => {
    const path = await draft();
    const changed = await client.call('PATCH', path, { reminders: { daysBefore: [0, 10, 3] } });
    expect(changed.body.reminders).toEqual({ daysBefore: [10, 3, 0] });
    expect((await client.call('PATCH', path, { name: 'Outro' })).body.reminders).toEqual({ daysBefore: [10, 3, 0] });
    expect((await client.call('PATCH', path, { reminders: { daysBefore: [] } })).body.reminders).toBeNull();
  });

  it('are refused with all problems at once', async () => {
    const path = await draft();
    const { status, body } = await client.call('PATCH', path, {
      name: '',
      channels: ['sms'],
      sequence: [step('reminder', 0), step('last', 91), step('first', 1, 'rude')],
      hours: { from: '9h', to: '25:00' },
      sender: 'www.golpe.com',
    });
    expect([status, body.code]).toEqual([400, 'validation_failed']);
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(
      expect.arrayContaining([
        '/name',
        '/channels/0',
        '/sequence/1/thenWaitDays',
        '/sequence/2/tone',
        '/hours/from',
        '/hours/to',
        '/sender',
      ]),
    );
    expect((await client.call('GET', path)).body).toMatchObject({ ...DEFAULTS, name: 'Novembro' });
  });

  it.each<[object, string]>([
    [{ sequence: [] }, '/sequence'],
    [{ reminders: { daysBefore: [3, 3] } }, '/reminders/daysBefore/1'],
    [{ reminders: { daysBefore: [11] } }, '/reminders/daysBefore/0'],
    [{ reminders: { daysBefore: [0, -1] } }, '/reminders/daysBefore/1'],
    [{ reminders: { daysBefore: [1.5] } }, '/reminders/daysBefore/0'],
    [{ reminders: { daysBefore: [3, 2, 1, 0] } }, '/reminders/daysBefore'],
    [{ reminders: { daysBefore: ['3'] } }, '/reminders/daysBefore/0'],
    [{ reminders: {} }, '/reminders/daysBefore'],
    [{ reminders: [3] }, '/reminders'],
    [{ sequence: [step('reminder', 1)] }, '/sequence/0/kind'],
    [{ sequence: [step('first', 1), step('first', 1)] }, '/sequence/1/kind'],
    [{ sequence: [step('first', 1), step('last', 1), step('reminder', 1)] }, '/sequence/1/kind'],
    [{ sequence: [step('first', 0), step('last', 0)] }, '/sequence/0/thenWaitDays'],
    [{ sequence: [step('first', 1), ...Array.from({ length: 12 }, () => step('reminder', 1))] }, '/sequence'],
    [{ hours: { from: '10:00', to: '10:30' } }, '/hours'],
    [{ hours: { from: '18:00', to: '10:00' } }, '/hours'],
    [{ hours: { from: '20:00', to: '22:00' } }, '/hours'],
    [{ sender: 'x' }, '/sender'],
    [{ sender: 'Duas\nlinhas' }, '/sender'],
    [{ sender: 'y'.repeat(61) }, '/sender'],
    [{ sender: 'Nome sujo: pague hoje' }, '/sender'],
    [{ sender: 'SERASA EXPERIAN' }, '/sender'],
    [{ name: null }, '/name'],
  ])('are refused as %j at %s', async (given, pointer) => {
    const { status, body } = await client.call('PATCH', await draft(), given);
    expect([status, body.code]).toEqual([400, 'validation_failed']);
    expect(body.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer);
  });

  it('may leave no opening in places where none of its debtors is, and none where one is', async () => {
    const path = await draft();
    const evening = { hours: { from: '18:00', to: '19:00' } };
    const campaignId = path.split('/').at(-1)!;
    await client.importJson(campaignId, [debtInput(1, { debtorPhone: '11988887777' })]);
    expect((await client.call('PATCH', path, evening)).body).toMatchObject(evening);
    await client.call('PATCH', path, { hours: null });
    // In Manaus contacts end at 18:00.
    await client.importJson(campaignId, [debtInput(2, { debtorPhone: '92988887777' })]);
    const refused = await client.call('PATCH', path, evening);
    expect([refused.status, refused.body.errors]).toEqual([
      400,
      [expect.objectContaining({ pointer: '/hours', code: 'hours_empty', message: expect.stringContaining('92') })],
    ]);
    // Somebody with phones in Acre and in Recife may be in either place.
    await client.importJson(campaignId, [
      debtInput(3, { debtorPhone: undefined, debtorPhones: ['68988887777', '81988887777'] }),
    ]);
    const morning = { hours: { from: '10:00', to: '12:00' } };
    expect((await client.call('PATCH', path, morning)).body.errors).toMatchObject([{ pointer: '/hours' }]);
    await client.call('POST', `${path}/archive`);
  });

  it('of the company and of its campaigns are refused when they leave no opening together, in either order', async () => {
    const other = await app.newClient();
    const { body: campaign } = await other.call('POST', '/api/campaigns', { name: 'Novembro' });
    await other.importJson(campaign.id, [debtInput(1, { debtorPhone: '11988887777' })]);
    const own = (hours: object | null) => ({ hours, weekdays: null, caps: [], daysAfterDue: null });
    const [morning, afternoon] = [
      { from: '09:00', to: '12:00' },
      { from: '14:00', to: '18:00' },
    ];
    const campaignHours = (hours: object | null) => other.call('PATCH', `/api/campaigns/${campaign.id}`, { hours });
    expect((await campaignHours(afternoon)).status).toBe(200);
    const refused = await other.call('PUT', '/api/policy/own', own(morning));
    expect([refused.status, refused.body.errors]).toEqual([
      400,
      [
        expect.objectContaining({
          pointer: '/hours',
          code: 'hours_empty',
          message: expect.stringContaining('Novembro'),
        }),
      ],
    ]);
    await campaignHours(null);
    expect((await other.call('PUT', '/api/policy/own', own(morning))).status).toBe(200);
    expect(await campaignHours(afternoon)).toMatchObject({ status: 400, body: { errors: [{ pointer: '/hours' }] } });
  });

  it('of the company that are changed at once are stored one after the other', async () => {
    const other = await app.newClient();
    const answers = await Promise.all(
      [1, 2, 3, 4].map((daysAfterDue) => other.call('PUT', '/api/policy/own', { daysAfterDue })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await other.call('GET', '/api/policy/own')).body.version).toBe(4);
  });

  it.each<[object, string[]]>([
    [{ hours: { from: '9:00', to: '18:00' } }, ['/hours/from invalid_format']],
    [{ hours: { from: '09:00' } }, ['/hours/to required']],
    [{ hours: 9 }, ['/hours invalid_type']],
    [{ from: '9:00', to: '18:00' }, ['/from invalid_format']],
    [{ from: '18:00', to: '18:30', daysAfterDue: -1 }, ['/daysAfterDue too_small', '/to hours_empty']],
    [{ from: '18:00', to: '18:30', daysAfterDue: 'one' }, ['/daysAfterDue invalid_type', '/to hours_empty']],
  ])('of the company are refused as %j with all of its problems and no other one', async (given, problems) => {
    const { status, body } = await client.call('PUT', '/api/policy/own', given);
    expect(status).toBe(400);
    expect(body.errors.map(({ pointer, code }: Record<string, string>) => `${pointer} ${code}`)).toEqual(problems);
  });

  it('of a campaign that has ended stay as they are, but for its name', async () => {
    const path = await draft();
    await client.importJson(path.split('/').at(-1)!, [debtInput(1)]);
    await client.call('POST', `${path}/archive`);
    for (const member of ['channels', 'sequence', 'hours', 'sender'] as const) {
      const { status, body } = await client.call('PATCH', path, { [member]: SETTINGS[member] });
      expect([status, body.code]).toEqual([409, 'campaign_state']);
    }
    expect((await client.call('PATCH', path, { name: 'Outro' })).body).toMatchObject({ ...DEFAULTS, name: 'Outro' });
  });

  it('of another client are not found and stay as they are', async () => {
    const path = await draft();
    const other = await app.newClient();
    expect((await other.call('PATCH', path, SETTINGS)).status).toBe(404);
    expect((await client.call('GET', path)).body).toMatchObject({ ...DEFAULTS, name: 'Novembro' });
  });
});
