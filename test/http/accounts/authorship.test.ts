import { describe, expect, it } from '@jest/globals';
import { startCampaignsApp } from '../../../testing/campaigns-app.ts';
import { debtInputs } from '../../../testing/debts.ts';
import { nextWednesday, offsetTo } from '../../../testing/moments.ts';
import { OFFERS_POLICY } from '../../../testing/offers-policy.ts';
import { opened } from '../../../testing/opened.ts';
import { sendPayments } from '../../../testing/payment-files.ts';
import { paidDebt } from '../../../testing/receipts-harness.ts';
import { addMember, newKey } from './accounts.ts';

const app = await opened(startCampaignsApp());

interface By {
  readonly id: string;
  readonly name: string;
}
interface Written {
  readonly kind: string;
  readonly change?: string;
  readonly to?: string;
  readonly by?: By;
}

const OUTSIDE = { amount: 150.75, paidAt: '2026-11-01', method: 'cash' };

describe('what a member does', () => {
  it('names the member, also after it left', async () => {
    const owner = await app.newClient();
    const { token, member } = await addMember(app, owner.id, 'manager', owner.password);
    const by = { id: member.id, name: member.name };
    const act = async (method: string, path: string, body?: unknown) => {
      const answer = await app.call<never>(method, path, { bearer: token, body });
      expect([path, answer.status < 300, answer.body]).toEqual([path, true, answer.body]);
      return answer.body as Record<string, never>;
    };
    const readTimeline = async (id: string, bearer = owner.token) =>
      (await app.get<{ timeline: Written[] }>(`/api/debts/${id}`, bearer)).body.timeline;

    const { id: campaignId } = await act('POST', '/api/campaigns', { name: 'Mensalidades' });
    await act('POST', `/api/import/json/${campaignId}`, { clientId: owner.id, debts: debtInputs(4) });
    await act('POST', `/api/campaigns/${campaignId}/launch?sandbox=true`);
    expect(await act('GET', `/api/campaigns/${campaignId}`)).toMatchObject({ launchedBy: by });
    expect(await act('GET', '/api/campaigns')).toMatchObject({ items: [{ launchedBy: by }] });
    const { items } = await act('GET', `/api/campaigns/${campaignId}/debts`);
    const [first, second, third, fourth] = (items as unknown as { id: string }[]).map(({ id }) => id);

    expect(await act('POST', `/api/debts/${first}/notes`, { text: 'Ligou' })).toMatchObject({ by });
    await act('PATCH', `/api/debts/${first}`, { dueDate: '2026-10-06' });
    await app.query(`update debts set status = 'DISPUTED' where id = $1`, [first]);
    await act('POST', `/api/debts/${first}/resume`, { note: 'Conferido por telefone com a escola' });
    await act('POST', `/api/debts/${first}/withdraw`);

    await act('POST', `/api/debts/${second}/settle`, OUTSIDE);
    const { items: payments } = await act('GET', `/api/debts/${second}/payments`);
    expect(payments).toMatchObject([{ provider: 'outside', by }]);
    await act('POST', `/api/settlements/${(payments as unknown as { paymentId: string }[])[0]!.paymentId}/undo`);

    await act('PUT', '/api/offers/policy', OFFERS_POLICY);
    const firstDueDate = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    const offer = { discountPercent: 5, instalments: 2, entryPercent: 0, firstDueDate };
    const made = await act('POST', `/api/debts/${third}/offers`, offer);
    expect(made).toMatchObject({ by });
    const { items: offers } = await act('GET', `/api/debts/${third}/offers`);
    expect((offers as unknown as { id: string; by?: By }[]).map(({ id, by: who }) => [id === made['id'], who])).toEqual(
      expect.arrayContaining([
        [true, by],
        [false, undefined],
      ]),
    );
    const agreement = await act('POST', `/api/debts/${third}/offers/${made['id']}/accept`, { note: 'Por telefone' });
    expect(agreement).toMatchObject({ acceptedBy: 'staff', by });
    expect(agreement).not.toHaveProperty('cancelledBy');
    const path = `/api/agreements/${agreement['id']}`;
    expect(await act('POST', `${path}/cancel`, { reason: 'Pediu' })).toMatchObject({ by, cancelledBy: by });

    const file = 'fatura;data do pagamento;valor pago\nFAT-9;20/11/2026;10,00';
    expect((await sendPayments(app, { token }, file)).status).toBe(200);
    expect(await act('GET', '/api/payments/orphans')).toMatchObject({ items: [{ by }] });

    const { debtId } = await paidDebt(app.query, owner.id);
    const refunded = await act('POST', `/api/payments/${debtId}/refund`, { amount: 1, reason: 'Pagou a mais' });
    expect(refunded['refunds']).toMatchObject([{ by }]);

    // Its own clock shows an hour at which people may be written to.
    await app.query('update debts set clock_offset_ms = $2 where id = $1', [fourth, offsetTo(nextWednesday(12))]);
    // The workflow sends what was written: its entry is one of the worker, and names the member of the message.
    const { id: messageId } = await act('POST', `/api/debts/${fourth}/messages`, {
      text: 'Oi, tudo bem?',
      confirm: true,
    });
    await app.query(`update messages set delivery = 'sent' where id = $1`, [messageId]);
    await app.query(
      `insert into debt_events (client_id, debt_id, at, kind, data) values ($1, $2, now(), 'message_sent', $3)`,
      [owner.id, fourth, { messageId, channel: 'sandbox', purpose: 'collection' }],
    );
    await app.query(
      `insert into debt_events (client_id, debt_id, at, kind, data) values ($1, $2, now(), 'charge_created', $3)`,
      [owner.id, fourth, { paymentId: messageId }],
    );

    expect((await owner.call('DELETE', `/api/members/${member.id}`)).status).toBe(204);
    const auditor = await addMember(app, owner.id, 'auditor', owner.password);
    for (const reader of [owner.token, auditor.token]) {
      const said = async (id: string) =>
        (await readTimeline(id, reader)).map(({ kind, change, to, by: who }) => [
          kind === 'status_changed' ? to : (change ?? kind),
          who,
        ]);
      expect(await said(first!)).toEqual(
        expect.arrayContaining([
          ['imported', by],
          ['note', by],
          ['debt_changed', by],
          ['IN_COLLECTION', by],
          ['STOPPED', by],
        ]),
      );
      expect(await said(second!)).toEqual(
        expect.arrayContaining([
          ['PAID', by],
          ['undone', by],
        ]),
      );
      expect(await said(third!)).toEqual(
        expect.arrayContaining([
          ['offer_made', by],
          ['agreement_accepted', by],
          ['cancelled', by],
        ]),
      );
      expect(await said(debtId)).toEqual(expect.arrayContaining([['refund_asked', by]]));
      expect(await said(fourth!)).toEqual(
        expect.arrayContaining([
          ['message_sent', by],
          ['charge_created', undefined],
        ]),
      );
    }
    expect((await owner.call('GET', path)).body).toMatchObject({ by, cancelledBy: by });
    const audit = (await owner.call('GET', '/api/audit?limit=100')).body.items as { action: string; by?: By }[];
    const done = audit.filter(({ by: who }) => who?.id === member.id).map(({ action }) => action);
    expect(done.sort()).toEqual(
      [
        ...['login', 'campaign_created', 'debts_imported', 'campaign_launched', 'debt_note_written', 'debt_changed'],
        ...['debt_resumed', 'debt_withdrawn', 'payment_recorded', 'payment_undone', 'offers_policy_changed'],
        ...[
          'offer_made',
          'agreement_accepted',
          'agreement_cancelled',
          'refund_asked',
          'debt_answered',
          'settlement_file_sent',
        ],
      ].sort(),
    );
    expect(audit.filter(({ by: who }) => who !== undefined).every(({ by: who }) => who!.name !== '')).toBe(true);
    expect(audit.find(({ action }) => action === 'member_removed')?.by?.id).not.toBe(member.id);
  });

  it('names nobody for an API key, and keeps the names of one company from another', async () => {
    const owner = await app.newClient();
    const key = await newKey(app, owner.token);
    const campaignId = await owner.createCampaign();
    await owner.importJson(campaignId, debtInputs(1));
    const { items } = (await owner.call('GET', `/api/campaigns/${campaignId}/debts`)).body;
    const path = `/api/debts/${items[0].id}`;
    const written = await app.call<object>('POST', `${path}/notes`, { bearer: key, body: { text: 'Do sistema' } });
    expect(written.status).toBe(201);
    expect(written.body).not.toHaveProperty('by');
    const { timeline } = (await owner.call('GET', path)).body;
    expect(timeline.at(-1)).not.toHaveProperty('by');
    expect(timeline[0]).toMatchObject({ kind: 'imported', by: { name: expect.any(String) } });
    const byKey = await app.call<object>('POST', `/api/campaigns/${campaignId}/launch?sandbox=true`, { bearer: key });
    expect(byKey.status).toBe(200);
    expect((await owner.call('GET', `/api/campaigns/${campaignId}`)).body).not.toHaveProperty('launchedBy');
    // Also an id of another company's member, which no request can write, shows no name.
    const stranger = await app.newClient();
    await app.query(
      `update debt_events set member_id = (select id from members where client_id = $1) where debt_id = $2`,
      [stranger.id, items[0].id],
    );
    expect((await owner.call('GET', path)).body.timeline.at(-1)).not.toHaveProperty('by');
  });

  it('takes no member from a setting that the process did not sign', async () => {
    const [{ member }] = (await app.query<{ member: string | null }>(
      `select quita_scope('app.member') as member from set_config('app.member', repeat('0', 64) || gen_random_uuid(), false)`,
    )) as [{ member: string | null }];
    expect(member).toBeNull();
  });
});
