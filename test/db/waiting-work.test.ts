import { describe, expect, it } from '@jest/globals';
import {
  SENDERS_BY_STATE,
  UNHANDLED_MESSAGES,
  UNHANDLED_NOTIFICATIONS,
  WAITING_DELIVERIES,
} from '../../src/modules/debts/queries/waiting-work.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { debtInputs } from '../../testing/debts.ts';
import { entitiesOf } from '../../testing/entities-of.ts';
import { opened } from '../../testing/opened.ts';

const app = await opened(startCampaignsApp());
const worker = await opened(openDatabase({ url: app.database.url, role: 'quita_worker', poolSize: 1 }));

const NOTHING = { waiting: 0, oldestSeconds: 0 };
const read = async () => ({
  messages: (await worker.runUnscoped(UNHANDLED_MESSAGES, {}))[0],
  notifications: (await worker.runUnscoped(UNHANDLED_NOTIFICATIONS, {}))[0],
  deliveries: (await worker.runUnscoped(WAITING_DELIVERIES, {}))[0],
});

describe('what waits in the database', () => {
  it('is counted over all clients, with the age of the oldest', async () => {
    expect(await read()).toEqual({ messages: NOTHING, notifications: NOTHING, deliveries: NOTHING });
    const clients = [await app.newClient(), await app.newClient()];
    for (const client of clients) {
      await client.call('POST', '/api/webhooks', { url: 'http://127.0.0.1:9/hook', types: ['payment.approved'] });
      const campaignId = await client.createCampaign();
      await client.importJson(campaignId, debtInputs(1));
      await client.call('POST', `/api/campaigns/${campaignId}/launch?sandbox=true`);
      const { body } = await client.call('GET', `/api/campaigns/${campaignId}/debts`);
      const { id } = body.items[0];
      await client.call('POST', `/api/sandbox/debts/${id}/messages`, { text: 'Quero pagar' });
      await app.query(
        `with charge as (
           insert into charges (id, client_id, debt_id, attempt, provider, provider_payment_id, provider_payment_key,
             status, amount_centavos, expires_at)
           values (gen_random_uuid(), $1, $2, 1, 'sandbox', $3, $3, 'PENDING', 15075, now() + interval '1 day')
           returning id
         )
         insert into payment_notifications (client_id, charge_id, request_id) select $1, id, 'r' from charge`,
        [client.id, id, `sbx_${id}`],
      );
    }
    expect((await read()).notifications?.waiting).toBe(2);
    await app.query(`update messages set created_at = created_at - interval '90 seconds' where direction = 'in'`);
    const { messages } = await read();
    expect(messages?.waiting).toBe(2);
    expect(messages?.oldestSeconds).toBeGreaterThanOrEqual(90);
    await app.query('update payment_notifications set handled_at = now()');
    expect((await read()).notifications).toEqual(NOTHING);
  });

  it('is read from indexes that have only what waits', async () => {
    for (const query of [UNHANDLED_MESSAGES, UNHANDLED_NOTIFICATIONS, WAITING_DELIVERIES]) {
      await worker.system().transactional(async (tx) => {
        // The tables of a test are so small that a scan would be cheaper.
        await entitiesOf(tx).execute('set local enable_seqscan = off');
        const plan = JSON.stringify(await entitiesOf(tx).execute(`explain ${query.text}`));
        expect(plan).toMatch(/messages_unhandled|payment_notifications_unhandled|webhook_deliveries_due/);
      });
    }
  });

  it('has the connected senders by channel and state', async () => {
    const client = await app.newClient();
    await app.query(
      `insert into channel_senders (client_id, channel, sender_id, shown_as, state, replaced_at) values
       ($1, 'whatsapp', 'a', 'a', 'failing', null), ($1, 'zenvia', 'b', 'b', 'ready', null),
       ($1, 'zenvia', 'c', 'c', 'failing', now())`,
      [client.id],
    );
    const senders = await worker.runUnscoped(SENDERS_BY_STATE, {});
    expect(senders.toSorted((a, b) => a.channel.localeCompare(b.channel))).toEqual([
      { channel: 'whatsapp', state: 'failing', count: 1 },
      { channel: 'zenvia', state: 'ready', count: 1 },
    ]);
  });
});
