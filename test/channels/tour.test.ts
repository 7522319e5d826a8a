import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createWhatsAppChannel } from '../../src/modules/messaging/adapters/whatsapp/whatsapp-channel.ts';
import type { ChannelRequest } from '../../src/modules/messaging/ports/channel-webhook.ts';
import { TEMPLATE_TEXTS } from '../../src/modules/messaging/texts/templates.ts';
import type { App } from '../../testing/app.ts';
import { startApp } from '../../testing/app.ts';
import { type CampaignsApp, startCampaignsApp, type TestClient } from '../../testing/campaigns-app.ts';
import type { FakeChannel, TakenMessage } from '../../testing/channels/fake-channel.ts';
import { type FakeSmtp, startFakeSmtp } from '../../testing/channels/fake-smtp.ts';
import { FakeTwilio } from '../../testing/channels/fake-twilio.ts';
import { type FakeWhatsApp, startFakeWhatsApp } from '../../testing/channels/fake-whatsapp.ts';
import { cpfOf } from '../../testing/debts.ts';
import { FakeMercadoPago } from '../../testing/fake-mercadopago.ts';
import { until } from '../../testing/poll.ts';
import { verifyCompany } from '../../testing/verified-company.ts';
import { nextWednesday, offsetTo } from '../clock/shifted-deployment.ts';
import { notGenuine, receivedForms } from './received-forms.ts';

/** `TOUR_DEBTS=200` runs the campaign of the size that operators try. */
const DEBTS = Number(process.env['TOUR_DEBTS'] ?? 100);
const TIMEOUT = 600_000;
const PUBLIC_URL = 'https://quita.example';
const MAIL_SECRET = 'messaging_webhook_secret-of-the-tests';

/** What the debtor of each number does: the campaign holds as many of each. */
const KINDS = ['pays', 'by_sms', 'by_email', 'says_paid'] as const;
type Kind = (typeof KINDS)[number];
const kindOf = (index: number): Kind => KINDS[index % KINDS.length]!;
const phoneOf = (index: number): string => `+551198${String(7_000_000 + index)}`;
const emailOf = (index: number): string => `devedor${index}@cliente.example`;

let keeper: App;
let provider: FakeMercadoPago;
let whatsapp: FakeWhatsApp;
let twilio: FakeTwilio;
let smtp: FakeSmtp;
let app: CampaignsApp;
let env: Record<string, string>;

const start = (): Promise<CampaignsApp> =>
  startCampaignsApp({
    roles: ['api', 'relay', 'worker'],
    env,
    database: keeper.database,
    taskQueue: keeper.taskQueue,
  });

beforeAll(async () => {
  keeper = await startApp();
  provider = await new FakeMercadoPago({ webhookSecret: 'payment_webhook_secret-of-the-tests' }).start();
  whatsapp = await startFakeWhatsApp({ appSecret: MAIL_SECRET });
  twilio = await FakeTwilio.open();
  smtp = await startFakeSmtp({ secret: MAIL_SECRET });
  whatsapp.templates.firstStatus = 'APPROVED';
  await createWhatsAppChannel({ baseUrl: whatsapp.baseUrl, templates: TEMPLATE_TEXTS }).templates?.push(
    TEMPLATE_TEXTS,
    whatsapp.credentials,
  );
  const opening = nextWednesday(11);
  env = {
    PUBLIC_URL,
    PAYMENT_PROVIDER: 'mercadopago',
    MERCADOPAGO_BASE_URL: provider.baseUrl,
    MERCADOPAGO_ACCESS_TOKEN: provider.accessToken,
    SINGLE_CLIENT: 'true',
    MESSAGING_CHANNEL: 'whatsapp,twilio,email',
    WHATSAPP_BASE_URL: whatsapp.baseUrl,
    WHATSAPP_VERIFY_TOKEN: 'verify-token',
    WHATSAPP_TOKEN: whatsapp.credentials.accessToken,
    WHATSAPP_PHONE_NUMBER_ID: whatsapp.credentials.senderId,
    WHATSAPP_BUSINESS_ACCOUNT_ID: whatsapp.credentials.accountId ?? '',
    TWILIO_BASE_URL: twilio.baseUrl,
    TWILIO_ACCOUNT_SID: twilio.credentials.accountId ?? '',
    TWILIO_AUTH_TOKEN: twilio.credentials.accessToken,
    TWILIO_FROM: twilio.credentials.senderId,
    SMTP_URL: smtp.baseUrl,
    MAIL_FROM: 'Quita <cobranca@quita.example>',
    CLOCK_OFFSET: `${offsetTo(opening)}ms`,
  };
  app = await start();
}, TIMEOUT);
afterAll(async () => {
  await app?.close();
  await Promise.all([whatsapp?.close(), twilio?.close(), smtp?.close(), provider?.stop(), keeper?.close()]);
}, TIMEOUT);

const post = async ({ url, headers, body }: ChannelRequest): Promise<number> => {
  const given = Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  const answer = await fetch(`${app.url}${url.slice(PUBLIC_URL.length)}`, {
    method: 'POST',
    headers: Object.fromEntries(given) as Record<string, string>,
    body: Buffer.from(body),
  });
  return answer.status;
};
const addressOf = (path: string): string => `${PUBLIC_URL}/api/messaging/${path}`;

/** Reports what each channel has taken, once, as the channel would. */
function reporter() {
  const reported = new Set<string>();
  return async (): Promise<void> => {
    const report = async (path: string, fake: FakeChannel, message: TakenMessage, state: 'delivered' | 'failed') => {
      if (reported.has(message.channelMessageId)) return;
      reported.add(message.channelMessageId);
      expect(await post(fake.deliveryRequest(addressOf(path), message, state))).toBe(200);
    };
    for (const message of whatsapp.taken) {
      const kind = kindOf(Number(message.to.slice(-6)) % 1_000_000);
      await report('whatsapp', whatsapp, message, kind === 'by_sms' || kind === 'by_email' ? 'failed' : 'delivered');
    }
    for (const message of twilio.taken) {
      const kind = kindOf(Number(message.to.slice(-6)));
      await report('twilio', twilio, message, kind === 'by_email' ? 'failed' : 'delivered');
    }
    for (const mail of smtp.taken) await report('email-events', smtp, mail, 'delivered');
  };
}

/** Each wait ends before the test does, so that it can tell what is missing. */
const WAITING = {
  timeoutMs: TIMEOUT / 3,
  everyMs: 250,
  explain: () =>
    keeper.query(
      `select debts.status, right(debtor_phone, 6)::int % 4 as kind, purpose, channel, delivery, failure, count(*)::int
       from debts left join messages on debt_id = debts.id and direction = 'out' group by 1, 2, 3, 4, 5, 6 order by 2`,
    ),
};

async function newClient(): Promise<TestClient> {
  const client = await app.newClient();
  await verifyCompany(keeper.query, client.id);
  return client;
}

describe('a campaign over WhatsApp, SMS and e-mail', () => {
  it(
    'reaches each person by the first channel that can, once, and obeys what they answer, over a restart',
    async () => {
      const client = await newClient();
      const campaignId = await client.createCampaign();
      const debts = Array.from({ length: DEBTS }, (_, index) => ({
        debtorName: `Maria Silva ${index}`,
        debtorPhone: phoneOf(index),
        debtorCpf: cpfOf(400_000_000 + index),
        debtorEmail: emailOf(index),
        originalAmount: 100 + index,
        dueDate: '2026-06-01',
        invoiceId: `NF-${index}`,
      }));
      expect((await client.importJson(campaignId, debts)).body).toMatchObject({ imported: DEBTS, skipped: 0 });
      const launch = await client.call('POST', `/api/campaigns/${campaignId}/launch`);
      expect(launch).toMatchObject({ status: 200, body: { queued: DEBTS, sandbox: false } });

      const report = reporter();
      const contacted = async (): Promise<number> => {
        await report();
        const [row] = await keeper.query<{ done: number }>(
          `select count(*)::int as done from messages
           where direction = 'out' and purpose = 'collection' and delivery in ('delivered', 'read')`,
        );
        return row?.done ?? 0;
      };
      await until('half of them are reached', async () => (await contacted()) >= DEBTS / 2, WAITING);
      await app.close();
      app = await start();
      await until('all are reached', async () => (await contacted()) >= DEBTS, WAITING);

      const carried = await keeper.query<{ channel: string; kind: number; messages: number }>(
        `select messages.channel, (right(debtor_phone, 6)::int % 4) as kind, count(*)::int as messages
         from messages join debts on debts.id = messages.debt_id
         where direction = 'out' and purpose = 'collection' and delivery <> 'failed' group by 1, 2 order by 2`,
      );
      expect(carried).toEqual([
        { channel: 'whatsapp', kind: 0, messages: DEBTS / 4 },
        { channel: 'twilio', kind: 1, messages: DEBTS / 4 },
        { channel: 'email', kind: 2, messages: DEBTS / 4 },
        { channel: 'whatsapp', kind: 3, messages: DEBTS / 4 },
      ]);
      const [ledger] = await keeper.query<{ bookings: number; people: number }>(
        `select count(*)::int as bookings, count(distinct person_key)::int as people from contact_ledger where kind = 'booking'`,
      );
      expect(ledger).toEqual({ bookings: DEBTS, people: DEBTS });
      const shortTexts = twilio.taken.filter(({ to }) => kindOf(Number(to.slice(-6))) === 'by_sms');
      for (const { text } of shortTexts) expect(text).toContain(`${PUBLIC_URL}/p/`);

      // Each answers as its kind does.
      for (let index = 0; index < DEBTS; index += 1) await answer(index);
      const obeyed = [
        { kind: 0, status: 'PAID', saidPaid: false, debts: DEBTS / 4 },
        { kind: 1, status: 'OPTED_OUT', saidPaid: false, debts: DEBTS / 4 },
        { kind: 2, status: 'DISPUTED', saidPaid: false, debts: DEBTS / 4 },
        { kind: 3, status: 'ON_HOLD', saidPaid: true, debts: DEBTS / 4 },
      ];
      await until(
        'every answer is obeyed',
        async () => {
          await report();
          const rows = await keeper.query(
            `select (right(debtor_phone, 6)::int % 4) as kind, status, person_requests.said_paid_at is not null as "saidPaid",
               count(*)::int as debts from debts left join person_requests using (client_id, debtor_tax_id, sandbox)
             group by 1, 2, 3 order by 1`,
          );
          return isDeepStrictEqual(rows, obeyed);
        },
        WAITING,
      );

      // Who has paid gets the receipt, by WhatsApp as a document and by e-mail.
      await until(
        'the receipts are sent',
        async () =>
          smtp.taken.filter(({ email }) => email.attachments.length > 0).length >= DEBTS / 4 &&
          whatsapp.taken.filter(({ text }) => text.includes('Pagamento confirmado')).length >= DEBTS / 4,
        WAITING,
      );
      const [doubled] = await keeper.query<{ twice: number }>(
        `select count(*)::int as twice from (select debt_id, text from messages where direction = 'out' and delivery <> 'failed'
         group by 1, 2 having count(*) > 1) as repeated`,
      );
      expect(doubled).toEqual({ twice: 0 });

      // "É verdade?" knows whatever each channel has brought to the first debtor of each kind: an address may ask twenty times.
      const firsts = KINDS.flatMap((_, index) => [phoneOf(index), emailOf(index)]);
      const received = () => receivedForms({ whatsapp, twilio, smtp }, firsts);
      // Every first message, a receipt and an answer; two first messages and an answer; three mails in two forms each.
      const least = { whatsapp: KINDS.length + 2, twilio: 3, email: 6 };
      await until(
        'each channel has brought first messages and answers',
        async () =>
          Object.entries(least).every(
            ([name, count]) => received().filter(({ channel }) => channel === name).length >= count,
          ),
        { ...WAITING, explain: async () => received() },
      );
      expect(await notGenuine(app.url, received())).toEqual([]);
    },
    TIMEOUT,
  );
});

async function answer(index: number): Promise<void> {
  const from = phoneOf(index);
  const kind = kindOf(index);
  if (kind === 'pays') {
    const [charge] = await keeper.query<{ id: string }>(
      'select provider_payment_id as id from charges join debts on debts.id = debt_id where debtor_phone = $1',
      [from],
    );
    provider.pay(String(charge?.id));
    await provider.notify(String(charge?.id), { baseUrl: app.url });
  } else if (kind === 'by_sms') {
    const message = { id: randomUUID(), from, text: 'PARAR' };
    expect(await post(twilio.messageRequest(addressOf('twilio'), message))).toBe(200);
  } else if (kind === 'by_email') {
    const mail = smtp.taken.find(({ to }) => to === emailOf(index));
    const message = { id: randomUUID(), from: emailOf(index), text: 'Não reconheço esta dívida.' };
    expect(mail).toBeDefined();
    expect(await post(replyTo(mail!.email.replyTo?.[0]?.address ?? '', message))).toBe(200);
  } else {
    const message = { id: `wamid.${randomUUID()}`, from, text: 'Já paguei ontem' };
    expect(await post(whatsapp.messageRequest(addressOf('whatsapp'), message))).toBe(200);
  }
}

const replyTo = (to: string, { id, from, text }: { id: string; from: string; text: string }): ChannelRequest =>
  smtp.request(addressOf('email-events'), { type: 'inbound', id, to, from, text });
