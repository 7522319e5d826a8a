import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Mailer } from '../../src/kernel/ports/mailer.ts';
import { createWhatsAppChannel } from '../../src/modules/messaging/adapters/whatsapp/whatsapp-channel.ts';
import { NUMBERS_BY_USAGE, USAGE_OF_DEPLOYMENT } from '../../src/modules/messaging/queries/watched-numbers.ts';
import { countSent } from '../../src/modules/messaging/use-cases/count-message.ts';
import { loadPrices } from '../../src/modules/messaging/use-cases/load-prices.ts';
import { watchNumbers } from '../../src/modules/messaging/use-cases/watch-numbers.ts';
import { sendAccountMail } from '../../src/modules/staff-mail/use-cases/send-account-mail.ts';
import { createCollectionWorkflows } from '../../src/platform/temporal/collection-workflows.ts';
import type { TestClient } from '../../testing/campaigns-app.ts';
import { startFakeWhatsApp, type TakenByWhatsApp } from '../../testing/channels/fake-whatsapp.ts';
import { type Status, statusChange } from '../../testing/channels/whatsapp/payloads.ts';
import { opened } from '../../testing/opened.ts';
import { type Debtor, startInboundApp, urlOf } from './inbound-app.ts';

const FREE = 1_000;
const MINUTE = 60_000;
const URL = urlOf('whatsapp');
const meta = await opened(startFakeWhatsApp());
const app = await opened(
  startInboundApp({ env: { MESSAGING_CHANNEL: 'whatsapp,email', WHATSAPP_BASE_URL: meta.baseUrl } }),
);
const channel = createWhatsAppChannel({ baseUrl: meta.baseUrl, templates: [] });
meta.templates.add('quita_first_neutral_v3', 'Olá. Veja a sua fatura na página que indicamos.');
meta.templates.add('quita_last_firm_v3', 'Olá. Veja a sua fatura na página que indicamos.', { category: 'MARKETING' });

const { senderId } = meta.credentials;
const noNews = { workflows: createCollectionWorkflows({ sandboxMaxWaitMs: 300 }), note: () => {} };
const watchAt = (at: Date) => watchNumbers({ db: app.worker, now: () => at, prices: loadPrices(), ...noNews })();

/** The first moment of this month in São Paulo, written apart from how the service computes it. */
const monthBegan = (): Date =>
  new Date(`${new Date(Date.now() - 3 * 3_600_000).toISOString().slice(0, 7)}-01T03:00:00Z`);

async function newSender(debts = 1) {
  const client = await app.newClient();
  await app.connect(client.id, 'whatsapp', meta.credentials);
  const debtors: Debtor[] = [];
  for (let made = 0; made < debts; made += 1) debtors.push(await app.newDebtor(client));
  return { client, debtors };
}

/** Sends one message by the adapter, as the worker does, and returns what the fake has taken. */
async function send({ id: debtId, client, phone }: Debtor, at: Date, template?: string): Promise<TakenByWhatsApp> {
  const id = randomUUID();
  const purpose = template === undefined ? 'reply' : 'collection';
  const text = 'Olá.';
  const [debt] = await app.query<{ campaignId: string }>(
    `with made as (insert into messages (id, client_id, debt_id, direction, channel, sender_id, phone, purpose, text, delivery, at, created_at)
       values ($1, $2, $3, 'out', 'whatsapp', $4, $5, $6, $7, 'sent', $8, $8))
     select campaign_id as "campaignId" from debts where id = $3`,
    [id, client.id, debtId, senderId, phone, purpose, text, at],
  );
  const { channelMessageId } = await channel.send({
    id,
    to: { phone },
    text,
    ...(template === undefined ? {} : { template: { name: template, language: 'pt_BR', parameters: [] } }),
    context: { clientId: client.id, debtId, purpose, at },
    credentials: meta.credentials,
  });
  await app.query('update messages set channel_message_id = $2 where id = $1', [id, channelMessageId]);
  await app.worker.tenant(client.id).transactional((tx) =>
    countSent(
      tx,
      { now: () => at },
      {
        messageId: id,
        clientId: client.id,
        campaignId: debt!.campaignId,
        channel: 'whatsapp',
        senderId,
        byTemplate: template !== undefined,
        text,
      },
    ),
  );
  return meta.taken.find((one) => one.channelMessageId === channelMessageId)!;
}

const report = async (...statuses: readonly Status[]): Promise<void> => {
  for (let from = 0; from < statuses.length; from += 200) {
    const change = statusChange(meta.sender, ...statuses.slice(from, from + 200));
    expect(await app.deliver(meta.request(URL, change))).toBe(200);
  }
};
const whatsappOf = async (client: TestClient) => {
  const { body } = await client.call('GET', '/api/channels');
  return body.items.find((item: { channel: string }) => item.channel === 'whatsapp');
};
const kindsOf = (usage: { messages: { kind: string; free: number; paid: number }[] }) =>
  Object.fromEntries(usage.messages.map(({ kind, free, paid }) => [kind, [free, paid]]));
const mailsOf = (client: TestClient, kind: string) =>
  app.query<{ workflow_id: string }>(
    `select workflow_id from outbox where payload ->> 'kind' = $1 and payload ->> 'clientId' = $2`,
    [kind, client.id],
  );
/** Service messages of before, whose states the fake has reported already. */
const seed = async ({ client, id }: Debtor, count: number, at: Date): Promise<void> => {
  await app.query(
    `with made as (insert into messages (client_id, debt_id, direction, channel, sender_id, purpose, text, delivery, at, created_at)
       select $1, $2, 'out', 'whatsapp', $3, 'reply', 'Olá', 'delivered', $5, $5 from generate_series(1, $4) returning id)
     insert into counted_messages (message_id, client_id, campaign_id, channel, sender_id, kind, accepted_at, reported_at, delivered_at)
     select made.id, $1, (select campaign_id from debts where id = $2), 'whatsapp', $3, 'service', $5, $5, $5 from made`,
    [client.id, id, senderId, count, at],
  );
};

describe('a month of messages', () => {
  it('counts as the bill does that is added up from what the channel has delivered', async () => {
    const { client, debtors } = await newSender(3);
    const began = monthBegan();
    const passed = Date.now() - began.getTime();
    const during = (share: number) => new Date(began.getTime() + Math.floor(passed * share));
    meta.bill.clear();
    const answers: TakenByWhatsApp[] = [];
    for (let part = 0; part < 4; part += 1) {
      const some = Array.from({ length: 15 }, (_, index) => send(debtors[index % 3]!, during(part / 60)));
      answers.push(...(await Promise.all(some)));
    }
    for (const [index, debtor] of debtors.entries()) {
      const at = during(0.3 + index / 5);
      await seed(debtor, 330, at);
      for (let seeded = 0; seeded < 330; seeded += 1) {
        meta.bill.set(`seeded-${index}-${seeded}`, { at, category: 'service', isFree: false });
      }
    }
    const templates = await Promise.all(
      Array.from({ length: 30 }, (_, index) => send(debtors[index % 3]!, during(0.3), 'quita_first_neutral_v3')),
    );
    const moved = await Promise.all(
      Array.from({ length: 7 }, (_, index) => send(debtors[index % 3]!, during(0.4), 'quita_last_firm_v3')),
    );
    // The last second of the month before, and the first of this one.
    const before = await send(debtors[0]!, new Date(began.getTime() - 5_000));
    const first = await send(debtors[0]!, new Date(began.getTime() - 5_000));

    const lost = answers.splice(0, 9);
    const silent = answers.splice(0, 4);
    const byAdvertisement = answers.splice(0, 5);
    const statuses = [
      ...lost.map((one) => meta.statusOf(one, 'failed', { code: 131026, at: during(0.5) })),
      ...silent.map((one) => meta.statusOf(one, 'sent', { at: during(0.5) })),
      ...byAdvertisement.map((one) =>
        meta.statusOf(one, 'delivered', { at: during(0.1), priceType: 'free_entry_point' }),
      ),
      // Meta writes whole seconds, so several are delivered at once.
      ...answers.map((one, index) => meta.statusOf(one, 'delivered', { at: during(0.2 + (index % 10) / 20) })),
      ...[...templates, ...moved].flatMap((one) => [
        meta.statusOf(one, 'delivered', { at: during(0.6) }),
        meta.statusOf(one, 'sent', { at: during(0.6) }),
      ]),
      meta.statusOf(before, 'delivered', { at: new Date(began.getTime() - 1_000) }),
      meta.statusOf(first, 'delivered', { at: began }),
    ];
    await report(...statuses);
    // Everything comes twice, some of it late, and `read` after it.
    await report(...statuses.toReversed());
    await report(...answers.slice(0, 20).map((one) => meta.statusOf(one, 'read', { at: during(0.9) })));
    await report(meta.statusOf(before, 'read', { at: during(0.9) }));
    await report({ id: 'wamid.of-another-program', to: '+5511987654321', callback: null, status: 'delivered' });

    const month = (at: Date) =>
      new Intl.DateTimeFormat('en-CA', { year: 'numeric', month: '2-digit', timeZone: 'America/Sao_Paulo' }).format(at);
    const bill = [...meta.bill.values()].filter(({ at }) => month(at) === month(began));
    const count = (category: string, isFree: boolean) =>
      bill.filter((one) => one.category === category && one.isFree === isFree).length;
    const service = count('service', false);
    expect(service).toBeGreaterThan(FREE);

    const { usage } = await whatsappOf(client);
    expect(kindsOf(usage)).toEqual({
      service: [count('service', true) + FREE, service - FREE],
      utility: [0, count('utility', false)],
      marketing: [0, count('marketing', false)],
      authentication: [0, 0],
    });
    expect(usage.month).toBe(month(began));
    expect(usage.freeMessages).toEqual({ eachMonth: FREE, used: FREE, isEnding: true });
    const paid = (service - FREE + count('utility', false)) * 37_400 + count('marketing', false) * 343_750;
    expect(usage.total).toBe(Math.ceil(paid / 10_000) / 100);

    // The free messages of a number are given once, however many campaigns it works for; the month before had its own.
    const costs = await Promise.all(
      (await client.call('GET', '/api/campaigns')).body.items.map(
        async ({ id }: { id: string }) =>
          (await client.call('GET', `/api/campaigns/${id}/statistics?include=cost`)).body.cost,
      ),
    );
    expect(costs).toHaveLength(3);
    const sum = (kind: string, part: 'free' | 'paid') =>
      costs
        .flatMap(({ messages }) => messages)
        .filter((one: { kind: string }) => one.kind === kind)
        .reduce((total: number, one: Record<string, number>) => total + one[part]!, 0);
    expect([sum('service', 'free'), sum('service', 'paid')]).toEqual([FREE + 5 + 1, service - FREE]);
    expect([sum('utility', 'paid'), sum('marketing', 'paid')]).toEqual([30, 7]);
    expect(costs.map(({ perRecoveredReal }) => perRecoveredReal)).toEqual([null, null, null]);
  });

  it('goes by the form of a message and not by what Meta calls its price, and by Meta for a template', async () => {
    const { client, debtors } = await newSender();
    const now = new Date();
    const answer = await send(debtors[0]!, now);
    const template = await send(debtors[0]!, now, 'quita_first_neutral_v3');
    await report(
      { ...meta.statusOf(answer, 'delivered'), category: 'utility' },
      { ...meta.statusOf(template, 'delivered'), category: 'marketing_lite' },
    );
    expect(kindsOf((await whatsappOf(client)).usage)).toMatchObject({
      service: [1, 0],
      utility: [0, 0],
      marketing: [0, 1],
    });
  });

  it('is what a company has sent itself, also by a number that another one shares', async () => {
    const mine = await newSender();
    const theirs = await newSender();
    await report(meta.statusOf(await send(mine.debtors[0]!, new Date()), 'delivered'));
    expect(kindsOf((await whatsappOf(mine.client)).usage)['service']).toEqual([1, 0]);
    expect(kindsOf((await whatsappOf(theirs.client)).usage)['service']).toEqual([0, 0]);
    const details = (await theirs.client.call('GET', '/api/channels/whatsapp')).body;
    expect(kindsOf(details.usage)['service']).toEqual([0, 0]);
  });

  it('tells what a recovered real has cost', async () => {
    const { client, debtors } = await newSender();
    for (let sent = 0; sent < 3; sent += 1) {
      await report(meta.statusOf(await send(debtors[0]!, new Date(), 'quita_first_neutral_v3'), 'delivered'));
    }
    const [{ campaign_id: campaignId } = { campaign_id: '' }] = await app.query<{ campaign_id: string }>(
      'select campaign_id from debts where id = $1',
      [debtors[0]!.id],
    );
    await app.query(
      `insert into campaign_days (campaign_id, client_id, day, slot, recovered_centavos) values ($1, $2, current_date, 0, 1200)`,
      [campaignId, client.id],
    );
    const { cost } = (await client.call('GET', `/api/campaigns/${campaignId}/statistics?include=cost`)).body;
    expect(cost).toEqual({
      messages: [{ channel: 'whatsapp', kind: 'utility', free: 0, paid: 3, total: 0.12 }],
      total: 0.12,
      perRecoveredReal: 0.01,
    });
  });

  it('lets a rehearsal estimate the answers by those that debtors have needed', async () => {
    const { client, debtors } = await newSender();
    const rehearse = async () => {
      const [{ id }] = (await client.call('GET', '/api/campaigns')).body.items;
      const { cost } = (await client.call('POST', `/api/campaigns/${id}/rehearse`)).body;
      return cost.find((item: { channel: string }) => item.channel === 'whatsapp');
    };
    expect((await rehearse()).answers).toEqual({
      messages: null,
      free: null,
      unit: 0.0374,
      freeEachMonth: FREE,
      total: null,
    });
    const yesterday = new Date(Date.now() - 60 * MINUTE);
    await seed(debtors[0]!, 200, yesterday);
    await app.query(
      `update counted_messages set kind = 'utility' where message_id in
         (select message_id from counted_messages where client_id = $1 limit 100)`,
      [client.id],
    );
    const { messages, answers } = await rehearse();
    expect(answers).toMatchObject({ messages, free: messages, total: 0 });
  });
});

/** What the mail about a number says, or nothing when it is not due any more. */
async function mailAbout(client: TestClient, kind: 'free_messages_ending' | 'payment_suspected' | 'sender_paused') {
  const sent: { readonly to: string; readonly text: string }[] = [];
  const mailer = {
    send: async (mail: { readonly to: string; readonly text: string }) => void sent.push(mail),
  } as unknown as Mailer;
  const [sender] = await app.query<{ id: string }>('select id from channel_senders where client_id = $1', [client.id]);
  const deps = { db: app.worker, mailer, publicUrl: 'https://quita.example', now: () => new Date() };
  await sendAccountMail(deps)({ clientId: client.id, requestId: randomUUID(), kind, about: sender!.id });
  return sent.map(({ text }) => text);
}

describe('the watch of a number', () => {
  it('tells a client once a month that its free messages end, and every client of the number', async () => {
    await app.query('update channel_senders set replaced_at = now()');
    await app.query('delete from counted_messages');
    const mine = await newSender();
    const theirs = await newSender();
    const now = new Date();
    await seed(mine.debtors[0]!, 450, now);
    await seed(theirs.debtors[0]!, 349, now);
    await watchAt(now);
    expect(await mailsOf(mine.client, 'free_messages_ending')).toEqual([]);
    await seed(theirs.debtors[0]!, 1, now);
    await watchAt(now);
    await watchAt(now);
    expect(await mailsOf(mine.client, 'free_messages_ending')).toHaveLength(1);
    expect(await mailsOf(theirs.client, 'free_messages_ending')).toHaveLength(1);
    // The metrics of the deployment count a shared number once, and name none.
    expect(await app.worker.runUnscoped(USAGE_OF_DEPLOYMENT, { freeEachMonth: 700 })).toEqual([
      { kind: 'service', free: 700, paid: 100 },
    ]);
    const numbers = await app.worker.runUnscoped(NUMBERS_BY_USAGE, {});
    expect(numbers).toEqual([{ all: 2, nearEnd: 2, paymentSuspected: 0 }]);
    const [mail] = await mailAbout(mine.client, 'free_messages_ending');
    expect(mail).toContain(senderId);
    // Of what others have sent by the number, nobody is told more than that the free messages end.
    expect(mail).not.toMatch(/\b(350|450|800)\b/);
    expect(await mailAbout(mine.client, 'payment_suspected')).toEqual([]);
    // Each sees its own part alone.
    expect((await whatsappOf(mine.client)).usage.freeMessages).toEqual({ eachMonth: FREE, used: 450, isEnding: false });

    const inNextMonth = new Date(monthBegan().getTime() + 40 * 24 * 60 * MINUTE);
    await watchAt(inNextMonth);
    expect(await mailsOf(mine.client, 'free_messages_ending')).toHaveLength(1);
    await seed(mine.debtors[0]!, 800, inNextMonth);
    await watchAt(inNextMonth);
    expect(await mailsOf(mine.client, 'free_messages_ending')).toHaveLength(2);
  });

  it('suspects a missing payment method when nothing is heard of messages that cost, until something is', async () => {
    await app.query('update channel_senders set replaced_at = now()');
    await app.query('delete from counted_messages');
    const { client, debtors } = await newSender();
    const now = monthBegan().getTime() + 10 * 24 * 60 * MINUTE;
    const suspected = async () => (await whatsappOf(client)).reason;
    const silent = await Promise.all([1, 2, 3].map(() => send(debtors[0]!, new Date(now - 50 * MINUTE))));
    // Within the free messages silence has another cause.
    await watchAt(new Date(now));
    expect(await suspected()).toBeNull();

    // One report of a free message was lost.
    await seed(debtors[0]!, FREE - 1, new Date(now - 30 * 60 * MINUTE));
    await watchAt(new Date(now - 25 * MINUTE));
    expect(await suspected()).toBeNull();
    await watchAt(new Date(now));
    await watchAt(new Date(now));
    expect(await whatsappOf(client)).toMatchObject({ state: 'ready', reason: 'payment_suspected' });
    expect(await mailsOf(client, 'payment_suspected')).toHaveLength(1);

    expect((await mailAbout(client, 'payment_suspected'))[0]).toContain('forma de pagamento');

    // The phone is off: Meta says that it has sent the message, and not yet that it came.
    await report(meta.statusOf(silent[0]!, 'sent'));
    await watchAt(new Date(now));
    expect(await suspected()).toBeNull();
    await watchAt(new Date(now));
    expect(await mailsOf(client, 'payment_suspected')).toHaveLength(1);
    expect(await mailAbout(client, 'payment_suspected')).toEqual([]);
  });

  it('pauses the number when Meta says that the payment method is missing, once for a repeated report', async () => {
    const { client, debtors } = await newSender();
    const taken = await send(debtors[0]!, new Date());
    const failed = meta.statusOf(taken, 'failed', { code: 131042 });
    await report(failed);
    expect(await whatsappOf(client)).toMatchObject({ state: 'paused', reason: 'suspended 131042' });
    expect(await mailsOf(client, 'sender_paused')).toHaveLength(1);
    const [mail] = await mailAbout(client, 'sender_paused');
    for (const part of [senderId, 'forma de pagamento', '131042']) expect(mail).toContain(part);
    // Nobody has complained, so nothing is said of complaints.
    expect(mail).not.toMatch(/queixa|recusou o acesso/);
    await app.query(`update channel_senders set state = 'ready', reason = null where client_id = $1`, [client.id]);
    await report(failed);
    expect(await whatsappOf(client)).toMatchObject({ state: 'ready', reason: null });
    expect(await mailAbout(client, 'sender_paused')).toEqual([]);
  });
});
