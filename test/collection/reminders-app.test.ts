import { describe, expect, it } from '@jest/globals';
import { debtInput } from '../../testing/debts.ts';
import { collector, type Debt, sent, startCollectionApp } from '../../testing/engine-harness.ts';
import { opened } from '../../testing/opened.ts';
import { sendPayments } from '../../testing/payment-files.ts';
import { until } from '../../testing/poll.ts';

const app = await opened(startCollectionApp({ env: { SANDBOX_MAX_WAIT: '1500ms' } }));

const DAY = 24 * 3_600_000;
const inDays = (days: number): string => new Date(Date.now() + days * DAY).toISOString().slice(0, 10);
const daysOf = (debt: Debt, purpose: string) => sent(debt, purpose).map(({ at }) => at.slice(0, 10));

/** Launches bills of a campaign with reminders in the sandbox. */
async function launched(reminders: readonly number[], given: readonly object[]) {
  const client = await app.newClient();
  const staff = collector(client);
  const campaignId = await staff.draft(given.map((each, at) => debtInput(at + 1, each)));
  const change = { reminders: { daysBefore: reminders } };
  expect((await client.call('PATCH', `/api/campaigns/${campaignId}`, change)).status).toBe(200);
  const launch = async () => {
    expect((await client.call('POST', `/api/campaigns/${campaignId}/launch?sandbox=true`)).status).toBe(200);
    return staff.allDebts(campaignId);
  };
  return { client, staff, campaignId, launch };
}

describe('a campaign that is launched before its bills are due', () => {
  it('reminds, collects what is not paid, and counts and shows both', async () => {
    const dueDate = inDays(20);
    const { client, staff, campaignId, launch } = await launched(
      [3, 0],
      [
        { dueDate, debtorPhone: '+5511980001000' },
        { dueDate, debtorPhone: '+5511980020001' },
      ],
    );
    const rehearsal = await client.call('POST', `/api/campaigns/${campaignId}/rehearse?sandbox=true&days=60`);
    expect(rehearsal.status).toBe(200);
    const reminders = rehearsal.body.contacts.reduce(
      (sum: number, one: { reminders: number }) => sum + one.reminders,
      0,
    );
    const all = rehearsal.body.contacts.reduce((sum: number, one: { count: number }) => sum + one.count, 0);
    expect(reminders).toBe(4);
    expect(all).toBeGreaterThan(8);
    const purposes = rehearsal.body.examples.map(({ purpose }: { purpose: string }) => purpose);
    expect(new Set(purposes)).toEqual(new Set(['reminder', 'collection']));
    const texts = rehearsal.body.examples.map(({ purpose, text }: { purpose: string; text: string }) => [
      purpose,
      text.includes('lembrar do vencimento'),
    ]);
    for (const [purpose, reminds] of texts) expect(reminds).toBe(purpose === 'reminder');
    expect((await client.call('POST', `/api/campaigns/${campaignId}/rehearse?days=91`)).status).toBe(400);

    const debts = await launch();
    const silent = debts.find(({ invoiceId }) => invoiceId === 'NF-1')!.id;
    const pays = debts.find(({ invoiceId }) => invoiceId === 'NF-2')!.id;
    const paid = await staff.ended(pays);
    expect(paid.status).toBe('PAID');
    expect(sent(paid, 'reminder')).toHaveLength(1);
    expect(sent(paid, 'collection')).toEqual([]);
    const collected = await staff.reaches(silent, 'collected', (debt) => sent(debt, 'collection').length > 0);
    expect(sent(collected, 'reminder')).toHaveLength(2);
    expect(sent(collected, 'reminder')[0]?.['text']).toContain('lembrar do vencimento');
    expect(daysOf(collected, 'reminder').every((day) => day <= dueDate)).toBe(true);
    expect(daysOf(collected, 'collection').every((day) => day > dueDate)).toBe(true);
    const { body } = await client.call('GET', `/api/campaigns/${campaignId}/statistics`);
    expect(body.contacts).toMatchObject({ reminders: 3 });
    const outbox = await staff.outbox(silent);
    expect(outbox.map(({ purpose }: { purpose: string }) => purpose).slice(0, 3)).toEqual([
      'reminder',
      'reminder',
      'collection',
    ]);
  });

  it('sends no reminder of a bill that a settlement file has paid before', async () => {
    const { client, staff, launch } = await launched(
      [3, 0],
      [{ dueDate: inDays(20), invoiceId: 'FAT-1', originalAmount: 100, debtorPhone: '+5511980001111' }],
    );
    const [debt] = await launch();
    const file = `fatura;cpf;data do pagamento;valor pago;forma\nFAT-1;;${inDays(-1).split('-').reverse().join('/')};100,00;Pix`;
    expect((await sendPayments(app, client, file)).body).toMatchObject({ settled: 1 });
    const paid = await staff.ended(debt!.id);
    expect(paid.status).toBe('PAID');
    await staff.reaches(debt!.id, 'the receipt is sent', (one) => sent(one, 'receipt').length > 0);
    expect(sent(await staff.debt(debt!.id), 'reminder')).toEqual([]);
  });

  it('follows days that are added and removed while its bills wait', async () => {
    const { client, staff, campaignId, launch } = await launched(
      [],
      [{ dueDate: inDays(40), debtorPhone: '+5511980001222' }],
    );
    await client.call('PATCH', `/api/campaigns/${campaignId}`, { reminders: { daysBefore: [10, 5, 1] } });
    const [debt] = await launch();
    await staff.reaches(debt!.id, 'reminded once', (one) => sent(one, 'reminder').length === 1);
    await client.call('PATCH', `/api/campaigns/${campaignId}`, { reminders: null });
    const collected = await staff.reaches(debt!.id, 'collected', (one) => sent(one, 'collection').length > 0);
    expect(sent(collected, 'reminder')).toHaveLength(1);
  });
});

it('the example shows reminders', async () => {
  const client = await app.newClient();
  const { body: example } = await client.call('POST', '/api/sandbox/example');
  expect(example.reminders).toEqual({ daysBefore: [3, 0] });
  expect((await client.call('POST', `/api/campaigns/${example.id}/launch`)).status).toBe(200);
  const reminders = await until(
    'reminders are counted',
    async () => {
      const { contacts } = (await client.call('GET', `/api/campaigns/${example.id}/statistics`)).body;
      return contacts.reminders >= 2 ? contacts.reminders : null;
    },
    { timeoutMs: 60_000, everyMs: 200 },
  );
  expect(reminders).toBeGreaterThanOrEqual(2);
});
