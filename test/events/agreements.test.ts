import { describe, expect, it } from '@jest/globals';
import { startAgreements } from '../../testing/agreements.ts';
import { startCampaignsApp, type TestClient } from '../../testing/campaigns-app.ts';
import { opened } from '../../testing/opened.ts';
import { settled } from './settled.ts';

const app = await opened(startCampaignsApp());
const agreements = await startAgreements(app);

// biome-ignore lint/suspicious/noExplicitAny: what an event holds is what the tests are about
type Item = any;

async function eventsOf(client: TestClient): Promise<Item[]> {
  await settled(app);
  const { body } = await client.call('GET', '/api/events?limit=100');
  return body.items.filter(({ type }: Item) => type.startsWith('agreement.'));
}

/** Writes an entry to the timeline of every debt of an agreement, as each of its changes does. */
const tell = (agreementId: string, kind: string, data: object) =>
  app.query(
    `insert into debt_events (client_id, debt_id, at, kind, data)
     select one.client_id, one.debt_id, '2026-11-26T15:00:00Z', $2,
       jsonb_build_object('agreementId', agreements.id, 'protocol', agreements.protocol) || $3
     from agreement_debts as one join agreements on agreements.id = one.agreement_id
     where agreements.id = $1 order by one.position desc`,
    [agreementId, kind, JSON.stringify(data)],
  );

describe('events about agreements', () => {
  it('are told once, by the first of the debts, with all debts and what happened', async () => {
    const client = await app.newClient();
    const person = await agreements.newPerson(client, [[{ dueDate: '2026-01-10' }, {}], [{ dueDate: '2026-02-10' }]]);
    const agreementId = await agreements.agree(client, person, 2);
    const [first] = (await client.call('GET', `/api/agreements/${agreementId}`)).body.debtIds;
    expect(first).toBe(person.ids[0]);
    const paymentId = '00000000-0000-4000-8000-000000000001';
    await tell(agreementId, 'instalment_paid', { paymentId, instalment: 1, amount: 700.5 });
    await tell(agreementId, 'instalment_paid', { paymentId, instalment: null, amount: 20 });
    await tell(agreementId, 'agreement_changed', { change: 'stopped', because: 'dispute' });
    await tell(agreementId, 'agreement_broken', { paid: 720.5, afterBreach: 'keep' });
    await tell(agreementId, 'agreement_completed', { paid: 2700 });

    const { body: shown } = await client.call('GET', `/api/agreements/${agreementId}`);
    const { protocol, debtIds } = shown;
    expect([...debtIds].sort()).toEqual([...person.ids].sort());
    const items = await eventsOf(client);
    const own = ({ type, data: { invoiceId: _, sequence, ...data } }: Item) => [type, data];
    const common = { debtId: first, campaignId: person.campaignIds[0], sandbox: true, agreementId, protocol, debtIds };
    expect(items.map(own)).toEqual([
      [
        'agreement.accepted',
        { ...common, total: shown.total, discount: shown.discount, instalments: shown.instalments.length },
      ],
      ['agreement.instalment_paid', { ...common, paymentId, instalment: 1, amount: 700.5 }],
      ['agreement.instalment_paid', { ...common, paymentId, instalment: null, amount: 20 }],
      // biome-ignore lint/suspicious/noThenProperty: the contract names it so, and nobody awaits an event.
      ['agreement.broken', { ...common, paid: 720.5, then: 'keep' }],
      ['agreement.completed', { ...common, paid: 2700 }],
    ]);
    const sequences = items.map(({ data }) => data.sequence);
    expect(sequences).toEqual(sequences.toSorted((left, right) => left - right));
    expect(new Set(sequences).size).toBe(5);
  });

  it('are told when the current row of the first debt is another one by now', async () => {
    const client = await app.newClient();
    const person = await agreements.newPerson(client);
    const agreementId = await agreements.agree(client, person);
    const other = await agreements.newPerson(client);
    await app.query(`update debts set status = 'STOPPED', continued_by = $2 where id = $1`, [
      person.ids[0],
      other.ids[0],
    ]);
    await app.query('update debts set identity_id = (select identity_id from debts where id = $2) where id = $1', [
      other.ids[0],
      person.ids[0],
    ]);
    await app.query(
      `insert into debt_events (client_id, debt_id, at, kind, data) values ($1, $2, now(), 'agreement_completed', $3)`,
      [client.id, other.ids[0], { agreementId, protocol: 'AC-2026-00000000000', paid: 700 }],
    );
    expect((await eventsOf(client)).map(({ type, debtId }) => [type, debtId])).toEqual([
      ['agreement.accepted', person.ids[0]],
      ['agreement.completed', other.ids[0]],
    ]);
  });

  it('reach the webhooks that ask for them, and no other', async () => {
    const client = await app.newClient();
    const hook = async (types: string[]) =>
      (await client.call('POST', '/api/webhooks', { url: 'https://receiver.example/quita', types })).body.id;
    const [asking, other] = [await hook(['agreement.accepted', 'agreement.broken']), await hook(['receipt.issued'])];
    const agreementId = await agreements.agree(client, await agreements.newPerson(client, [[{}, {}]]));
    await tell(agreementId, 'agreement_completed', { paid: 1400 });
    await tell(agreementId, 'agreement_broken', { paid: 0, afterBreach: 'restore' });
    const deliveriesTo = async (id: string) =>
      (await client.call('GET', `/api/webhooks/${id}/deliveries`)).body.items.map(({ type }: Item) => type).sort();
    expect(await deliveriesTo(asking)).toEqual(['agreement.accepted', 'agreement.broken']);
    expect(await deliveriesTo(other)).toEqual([]);
  });

  it('tell of a notice about an instalment as of a contact', async () => {
    const client = await app.newClient();
    const { ids } = await agreements.newPerson(client);
    const messageId = '00000000-0000-4000-8000-000000000002';
    await app.query(
      `insert into debt_events (client_id, debt_id, at, kind, data) values ($1, $2, now(), 'message_sent', $3)`,
      [client.id, ids[0], { messageId, channel: 'sandbox', purpose: 'agreement' }],
    );
    await settled(app);
    const { items } = (await client.call('GET', '/api/events?last=1')).body;
    expect(items[0]).toMatchObject({ type: 'debt.contacted', debtId: ids[0], data: { messageId } });
  });
});
