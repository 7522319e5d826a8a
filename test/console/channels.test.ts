import { expect, it } from '@jest/globals';
import { debtInput } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';
import { CAMPAIGN } from '../../web/src/texts/campaign.ts';
import { USAGE } from '../../web/src/texts/channel-usage.ts';
import { CHANNELS as TEXT } from '../../web/src/texts/channels.ts';
import { fieldText } from '../../web/src/texts/problem-texts.ts';
import { CHANNEL } from '../../web/src/texts/words.ts';
import { startDeployment } from '../channels/operator.ts';
import { focused } from './support/accessibility.ts';
import { openConsole } from './support/console.ts';
import { faultsHere, faultsOf } from './support/faults.ts';

const { app, twilio, whatsapp } = await opened(startDeployment({ roles: ['api'] }));

const NAME = CHANNEL.twilio;

it('connects, tests and disconnects a sender with the keyboard alone, and names what is wrong at its field', async () => {
  const client = await app.newClient();
  const window = await openConsole(app, { client, allowed: ['400 POST /api/channels'] });
  const { page } = window;
  await window.visit('/conta/canais');
  const press = async (name: string) => {
    await page.getByRole('button', { name }).first().waitFor();
    for (let steps = 0; steps < 80; steps += 1) {
      const on = await focused(page);
      if (on.role === 'button' && on.name === name) return page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
    }
    throw new Error(`${name} cannot be reached with the keyboard`);
  };
  const field = async (label: string, value: string) => {
    for (let steps = 0; steps < 40; steps += 1) {
      if ((await focused(page)).name.startsWith(label)) {
        await page.keyboard.press('ControlOrMeta+a');
        return page.keyboard.type(value);
      }
      await page.keyboard.press('Tab');
    }
    throw new Error(`${label} cannot be reached with the keyboard`);
  };
  const { senderId, accountId, accessToken } = twilio.credentials;
  await press(TEXT.connect(NAME));
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  expect(await faultsHere(window, 'connecting a channel')).toEqual([]);
  const [sid, token, from] = TEXT.fieldsOf('twilio').map(({ label }) => label);
  await field(sid!, accountId!);
  await field(token!, 'errado');
  await field(from!, senderId);
  await page.keyboard.press('Enter');
  await dialog.getByText(fieldText('credentials_refused')).waitFor();
  await field(token!, accessToken);
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await page.getByText(senderId).waitFor();

  await press(TEXT.test(NAME));
  await dialog.waitFor();
  expect(await faultsHere(window, 'testing a channel')).toEqual([]);
  await field(TEXT.toPhone, '(11) 98765-4321');
  await page.keyboard.press('Enter');
  await dialog.getByText(TEXT.accepted).waitFor();
  expect(twilio.taken).toHaveLength(1);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  await press(TEXT.disconnect(NAME));
  await dialog.waitFor();
  await press(TEXT.disconnect(NAME));
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: TEXT.connect(NAME) }).waitFor();
});

it('pushes templates, and can be used by everybody in both themes and at both widths', async () => {
  const client = await app.newClient();
  const { senderId, accountId, accessToken, webhookSecret } = whatsapp.credentials;
  const body = {
    channel: 'whatsapp',
    phoneNumberId: senderId,
    businessAccountId: accountId,
    accessToken,
    appSecret: webhookSecret,
  };
  expect((await client.call('POST', '/api/channels', body)).status).toBe(201);
  const window = await openConsole(app, { client });
  await window.visit('/conta/canais');
  await window.page.getByText(TEXT.templateStates.missing).first().waitFor();
  await window.page.getByRole('button', { name: TEXT.push }).click();
  await window.page.getByText(TEXT.templateStates.pending).first().waitFor();
  expect(await faultsOf(window, '/conta/canais')).toEqual([]);
});

it('turns the Pix code in messages on, and says why WhatsApp has refused one', async () => {
  const client = await app.newClient();
  const { senderId, accountId, accessToken, webhookSecret: appSecret } = whatsapp.credentials;
  const body = { channel: 'whatsapp', phoneNumberId: senderId, businessAccountId: accountId, accessToken, appSecret };
  expect((await client.call('POST', '/api/channels', body)).status).toBe(201);
  const window = await openConsole(app, { client });
  const { page } = window;
  await window.visit('/conta/canais');
  await page.getByText(TEXT.pixHelp).waitFor();
  await page.getByRole('button', { name: TEXT.pixTurnOn }).click();
  await page.getByRole('button', { name: TEXT.pixTurnOff }).waitFor();
  await app.query(
    `update channel_senders set pix_codes = false, pix_refusal = 'unauthorized 10' where client_id = $1`,
    [client.id],
  );
  await window.visit('/conta/canais');
  await page.getByText(TEXT.pixRefused('unauthorized 10')).waitFor();
  expect(await faultsOf(window, '/conta/canais')).toEqual([]);
  await page.getByRole('button', { name: TEXT.pixTurnOn }).click();
  await page.getByText(TEXT.pixStates.on, { exact: true }).waitFor();
});

it('shows what a number has used this month and costs, and what is wrong with its payment, in both themes', async () => {
  const client = await app.newClient();
  const { senderId, accountId, accessToken, webhookSecret } = whatsapp.credentials;
  const connection = { phoneNumberId: senderId, businessAccountId: accountId, accessToken, appSecret: webhookSecret };
  expect((await client.call('POST', '/api/channels', { channel: 'whatsapp', ...connection })).status).toBe(201);
  const campaignId = await client.createCampaign('Mensalidades');
  await client.importJson(campaignId, [debtInput(1)]);
  await app.query(
    `with made as (insert into messages (client_id, debt_id, direction, channel, sender_id, purpose, text, delivery, at)
       select $1, (select id from debts where campaign_id = $2), 'out', 'whatsapp', $3, 'reply', 'Olá', 'delivered', now()
       from generate_series(1, 850) returning id)
     insert into counted_messages (message_id, client_id, campaign_id, channel, sender_id, kind, accepted_at, delivered_at)
     select id, $1, $2, 'whatsapp', $3, case when row_number() over () <= 10 then 'utility' else 'service' end, now(), now() from made`,
    [client.id, campaignId, senderId],
  );
  await app.query(
    `insert into campaign_days (campaign_id, client_id, day, slot, recovered_centavos) values ($1, $2, current_date, 0, 19000)`,
    [campaignId, client.id],
  );
  await app.query('update channel_senders set payment_suspected_at = now() where client_id = $1', [client.id]);
  const window = await openConsole(app, { client });
  const { page } = window;
  await window.visit('/conta/canais');
  await page.getByText(USAGE.used(840, 1_000)).waitFor();
  await page.getByText(USAGE.ending).waitFor();
  await page.getByText(USAGE.suspected).waitFor();
  const row = page.getByRole('row').filter({ hasText: USAGE.kinds.utility });
  expect(await row.textContent()).toMatch(/10R\$\s0,38/);
  expect(await faultsOf(window, '/conta/canais')).toEqual([]);

  await window.visit(`/campanhas/${campaignId}`);
  await page.getByText(CAMPAIGN.costNote('R$ 0,38', 'R$ 0,002')).waitFor();
  expect(await faultsOf(window, `/campanhas/${campaignId}`)).toEqual([]);
});
