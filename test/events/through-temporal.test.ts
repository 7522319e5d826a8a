import { describe, expect, it } from '@jest/globals';
import { debtInput } from '../../testing/debts.ts';
import { collector, startCollectionApp } from '../../testing/engine-harness.ts';
import { opened } from '../../testing/opened.ts';
import { until } from '../../testing/poll.ts';
import { startReceiver, verify } from './receiver.ts';
import { settled } from './settled.ts';

const receiver = await opened(startReceiver());
const app = await opened(startCollectionApp());

describe('a webhook of a running service', () => {
  it('gets what happens to a debt, also after its receiver was down', async () => {
    const client = collector(await app.newClient());
    const types = ['debt.imported', 'debt.contacted', 'payment.approved', 'receipt.issued'];
    const { secret, id } = (await client.call('POST', '/api/webhooks', { url: receiver.url, types })).body;
    let refused = 0;
    receiver.answerWith((response) => {
      refused += 1;
      response.writeHead(500).end();
    });
    const campaignId = await client.draft([debtInput(1, { debtorPhone: '11987650001' })]);
    await until('the receiver was asked and failed', () => refused > 0);
    receiver.answerWith((response) => void response.writeHead(200).end());
    await client.call('POST', `/api/campaigns/${campaignId}/launch?sandbox=true`);
    const delivered = async () => {
      const { items } = (await client.call('GET', `/api/webhooks/${id}/deliveries?state=delivered`)).body;
      return types.every((type) => items.some((item: { type: string }) => item.type === type));
    };
    await until('every event is delivered', delivered, { timeoutMs: 60_000, everyMs: 100 });
    for (const post of receiver.received) expect(verify(secret, post)).toEqual(post.body);
    const ids = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
    expect(receiver.received.length).toBeGreaterThan(ids.size);
    await settled(app);
    const { items } = (await client.call('GET', '/api/events?limit=100')).body;
    const statuses = items.flatMap(({ type, data }: { type: string; data: { status: string } }) =>
      type === 'debt.status_changed' ? [data.status] : [],
    );
    expect(statuses).toEqual(['QUEUED', 'IN_COLLECTION', 'PAID']);
    const timeline = (await client.debt(items[0].debtId)).timeline;
    for (const [type, kind] of [
      ['debt.contacted', 'message_sent'],
      ['payment.approved', 'payment_approved'],
      ['receipt.issued', 'receipt_issued'],
    ]) {
      const event = items.find((item: { type: string }) => item.type === type);
      expect([type, event.at]).toEqual([type, timeline.find((entry) => entry.kind === kind)!.at]);
    }
    const changes = timeline.filter(({ kind, to }) => kind === 'status_changed' && to !== 'QUEUED').map(({ at }) => at);
    const told = items.filter(
      (item: { type: string; data: { status: string } }) => item.type === 'debt.status_changed',
    );
    expect(told.slice(1).map(({ at }: { at: string }) => at)).toEqual(changes);
    // The workflow ends once nothing waits, and the next event starts it again.
    receiver.received.length = 0;
    await client.call('POST', `/api/webhooks/${id}/test`);
    await until('the test event arrives', () => receiver.received.some(({ body }) => body.type === 'webhook.test'));
  });
});
