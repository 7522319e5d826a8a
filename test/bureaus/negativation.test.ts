import { describe, expect, it } from '@jest/globals';
import { addDays, localDate } from '../../src/kernel/calendar.ts';
import { startCampaignsApp, type TestClient } from '../../testing/campaigns-app.ts';
import { cpfOf, debtInput } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';
import { until } from '../../testing/poll.ts';

const app = await opened(startCampaignsApp({ roles: ['api', 'worker', 'relay'] }));
/** Where the debtors of `debtInput` live. */
const today = localDate(Date.now(), -3);
const ago = (days: number) => addDays(today, -days);

let persons = 510_000_000;

async function lateDebt(more: object = {}) {
  const client = await app.newClient();
  const campaignId = await client.createCampaign();
  persons += 1;
  const debt = debtInput(1, { debtorCpf: cpfOf(persons), dueDate: ago(100), invoiceId: 'N-1', ...more });
  await client.importJson(campaignId, [debt]);
  await client.call('POST', `/api/campaigns/${campaignId}/launch?sandbox=true`);
  const [found] = (await client.call('GET', `/api/campaigns/${campaignId}/debts`)).body.items;
  return { client, campaignId, debtId: found.id as string };
}

const list = (client: TestClient, debtId: string, more: object = {}) =>
  client.call('POST', `/api/debts/${debtId}/negativation`, {
    bureau: 'Bureau A',
    at: ago(2),
    notifiedAt: ago(40),
    ...more,
  });
const removed = (client: TestClient, debtId: string, body: object) =>
  client.call('POST', `/api/debts/${debtId}/negativation/removed`, body);
const report = async (client: TestClient, query = '') =>
  (await client.call('GET', `/api/reports/negativations${query}`)).body.items;
const pay = (client: TestClient, debtId: string) =>
  client.call('POST', `/api/debts/${debtId}/settle`, { amount: 200, paidAt: today, method: 'cash' });
const inboxOf = async (client: TestClient) =>
  (await client.call('GET', '/api/inbox?reason=negativation')).body.items as { dueAt?: string; debt: { id: string } }[];

describe('a listing at a bureau', () => {
  it('is recorded with its notice, once for a bureau, and reported', async () => {
    const { client, debtId } = await lateDebt();
    for (const notifiedAt of [ago(11), null, undefined])
      expect(await list(client, debtId, { notifiedAt })).toMatchObject({
        status: 409,
        body: { code: 'notice_missing' },
      });
    const { status, body } = await list(client, debtId);
    expect([status, body.id]).toEqual([200, debtId]);
    expect((await list(client, debtId, { bureau: 'bureau a' })).body.code).toBe('debt_state');
    expect((await list(client, debtId, { bureau: 'Bureau B' })).status).toBe(200);
    const both = await report(client, '?state=listed');
    expect(both).toEqual([
      expect.objectContaining({ debtId, bureau: 'Bureau B', state: 'listed', dueAt: null, removedAt: null }),
      expect.objectContaining({ debtId, bureau: 'Bureau A', at: ago(2), notifiedAt: ago(40) }),
    ]);
    const [first] = (await client.call('GET', '/api/reports/negativations?limit=1')).body.items;
    expect(first.bureau).toBe('Bureau B');
    const { timeline } = (await client.call('GET', `/api/debts/${debtId}`)).body;
    expect(timeline).toContainEqual(
      expect.objectContaining({
        kind: 'listed',
        bureau: 'Bureau A',
        by: expect.objectContaining({ name: expect.any(String) }),
      }),
    );
  });

  it('may be older than the launch: a debt that is imported alone is judged by its notice', async () => {
    const client = await app.newClient();
    const campaignId = await client.createCampaign();
    persons += 1;
    const debt = debtInput(1, { debtorCpf: cpfOf(persons), debtorPhone: '+5531987650001', dueDate: ago(100) });
    await client.importJson(campaignId, [debt]);
    const [{ id }] = (await client.call('GET', `/api/campaigns/${campaignId}/debts`)).body.items;
    expect((await list(client, id, { notifiedAt: ago(11) })).body.code).toBe('notice_missing');
    expect(await list(client, id, { notifiedAt: ago(12) })).toMatchObject({
      status: 200,
      body: { status: 'IMPORTED' },
    });
    expect(await report(client)).toMatchObject([{ debtId: id, state: 'listed' }]);
    // A listing that was recorded is evidence, so that the debt stays when the draft is emptied.
    await client.call('DELETE', `/api/campaigns/${campaignId}/debts`);
    expect(await report(client)).toHaveLength(1);
    expect((await pay(client, id)).body.status).toBe('PAID');
    await until('the inbox asks for the removal', async () => (await inboxOf(client)).length === 1);
  });

  it('refuses bad days, debts that may not be listed, and those of another company', async () => {
    const { client, debtId } = await lateDebt();
    for (const [bad, pointer] of [
      [{ at: addDays(today, 2) }, '/at'],
      [{ at: 'ontem' }, '/at'],
      [{ notifiedAt: '2026-02-30' }, '/notifiedAt'],
      [{ bureau: '' }, '/bureau'],
      [{ bureau: 'x'.repeat(61) }, '/bureau'],
    ] as const) {
      const { status, body } = await list(client, debtId, bad);
      expect([status, body.errors[0].pointer]).toEqual([400, pointer]);
    }
    expect((await removed(client, debtId, { at: today })).body.code).toBe('debt_state');
    const stranger = await app.newClient();
    expect((await list(stranger, debtId)).status).toBe(404);
    expect((await removed(stranger, debtId, { at: today })).status).toBe(404);
    expect(await report(stranger, `?debtId=${debtId}`)).toEqual([]);
    await client.call('POST', `/api/debts/${debtId}/withdraw`);
    expect((await list(client, debtId)).body.code).toBe('debt_state');
    const old = await lateDebt({ dueDate: addDays(today, -5 * 366) });
    expect((await list(old.client, old.debtId)).body.code).toBe('debt_state');
  });

  it('waits for its removal once the debt is paid, until the removal is recorded', async () => {
    const { client, debtId } = await lateDebt();
    await list(client, debtId);
    await list(client, debtId, { bureau: 'Bureau B' });
    expect((await pay(client, debtId)).body.status).toBe('PAID');
    const item = await until('the inbox asks for the removal', async () => (await inboxOf(client))[0]);
    expect(item).toMatchObject({ debt: { id: debtId }, dueAt: expect.any(String) });
    const states = (await report(client, `?debtId=${debtId}`)).map(({ state }: { state: string }) => state);
    expect(states.every((state: string) => state === 'to_remove' || state === 'late')).toBe(true);

    expect((await removed(client, debtId, { at: ago(3) })).body.errors[0].pointer).toBe('/at');
    expect((await removed(client, debtId, { at: today, bureau: 'BUREAU A' })).status).toBe(200);
    expect(await inboxOf(client)).toHaveLength(1);
    expect((await removed(client, debtId, { at: today })).status).toBe(200);
    expect(await inboxOf(client)).toEqual([]);
    expect((await report(client, '?state=removed')).map(({ removedAt }: { removedAt: string }) => removedAt)).toEqual([
      today,
      today,
    ]);
    expect((await list(client, debtId)).body.code).toBe('debt_state');
  });

  it('asks for nothing any more when the payment was a mistake, and again when the money comes', async () => {
    const { client, debtId } = await lateDebt();
    await list(client, debtId);
    const settled = await pay(client, debtId);
    expect(settled.status).toBe(200);
    await until('the inbox asks for the removal', async () => (await inboxOf(client)).length === 1);
    const [payment] = (await client.call('GET', `/api/debts/${debtId}/payments`)).body.items;
    expect((await client.call('POST', `/api/settlements/${payment.paymentId}/undo`)).status).toBe(200);
    expect(await inboxOf(client)).toEqual([]);
    expect((await report(client))[0]).toMatchObject({ state: 'listed', dueAt: null });
    await pay(client, debtId);
    await until('the inbox asks again', async () => (await inboxOf(client)).length === 1);
  });
});
