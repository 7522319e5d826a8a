import { describe, expect, it } from '@jest/globals';
import { DEBT_STATUSES } from '../../src/kernel/debt-status.ts';
import { readDashboard } from '../../src/modules/campaigns/use-cases/read-dashboard.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { startCampaignsApp, type TestClient } from '../../testing/campaigns-app.ts';
import { debtInputs } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';

const app = await opened(startCampaignsApp());
const db = await opened(openDatabase({ url: app.database.url, role: 'quita_app' }));

describe('statistics and dashboard', () => {
  let client: TestClient;

  const campaignWith = async (count: number, from: number, sandbox: boolean | null): Promise<string> => {
    const id = await client.createCampaign();
    await client.importJson(id, debtInputs(count, from));
    await app.query('update campaigns set sandbox = $2 where id = $1', [id, sandbox]);
    return id;
  };
  const count = (campaignId: string, day: string, [sent, approved, recovered]: [number, number, number], slot = 0) =>
    app.query(
      `insert into campaign_days (campaign_id, client_id, day, slot, contacts_sent, contacts_blocked, messages_received,
        payments_approved, recovered_centavos) values ($1, $2, $3, $4, $5, 2, 1, $6, $7)`,
      [campaignId, client.id, day, slot, sent, approved, recovered],
    );

  it('are zero at first', async () => {
    client = await app.newClient();
    const id = await client.createCampaign();
    const zeros = {
      debts: { total: 0, byStatus: Object.fromEntries(DEBT_STATUSES.map((status) => [status, 0])) },
      amount: { total: 0, recovered: 0 },
      charged: { fine: 0, interest: 0, correction: 0 },
      recoveredBy: { principal: 0, fine: 0, interest: 0, correction: 0 },
      recoveryRate: 0,
      contacts: { sent: 0, reminders: 0, blocked: 0, received: 0 },
      payments: { approved: 0 },
      agreements: { open: 0, kept: 0, broken: 0, recovered: 0, byAge: expect.any(Array) },
    };
    expect((await client.call('GET', `/api/campaigns/${id}/statistics`)).body).toEqual({
      ...zeros,
    });
    const { daily, aging, open, promises, waiting, ...figures } = (await client.call('GET', '/api/dashboard')).body;
    expect(figures).toEqual(zeros);
    expect([promises, waiting]).toEqual([{ open: 0, kept: 0, broken: 0 }, 0]);
    expect(open).toEqual({ debts: 0, amount: 0, outsideSequence: { debts: 0, amount: 0 } });
    expect(aging.map(({ debts, amount }: Record<string, number>) => [debts, amount])).toEqual(Array(5).fill([0, 0]));
    expect(daily).toHaveLength(30);
  });

  it('sum the days and slots of one campaign', async () => {
    client = await app.newClient();
    const id = await campaignWith(4, 1, true);
    await campaignWith(3, 100, true);
    await app.query("update debts set status = 'PAID' where campaign_id = $1 and position <= 2", [id]);
    await count(id, '2026-01-02', [3, 1, 15075], 0);
    await count(id, '2026-01-02', [2, 1, 15075], 1);
    await count(id, '2026-03-04', [5, 0, -15075]);
    const { body } = await client.call('GET', `/api/campaigns/${id}/statistics`);
    expect(body).toMatchObject({
      debts: { total: 4, byStatus: { PAID: 2, IMPORTED: 2, QUEUED: 0 } },
      amount: { total: 603, recovered: 150.75 },
      recoveryRate: 0.25,
      contacts: { sent: 10, blocked: 6, received: 3 },
      payments: { approved: 2 },
    });
  });

  it('tell what late payment added, and what the money was credited to', async () => {
    client = await app.newClient();
    const id = await campaignWith(1, 1, true);
    // A settlement adds these.
    for (const [day, slot] of [
      ['2026-01-02', 0],
      ['2026-01-03', 1],
    ]) {
      await app.query(
        `insert into campaign_days (campaign_id, client_id, day, slot, recovered_centavos, recovered_fine_centavos,
          recovered_interest_centavos, recovered_correction_centavos, charged_fine_centavos,
          charged_interest_centavos, charged_correction_centavos)
        values ($1, $2, $3, $4, 10350, 150, 101, 30, 200, 111, 33)`,
        [id, client.id, day, slot],
      );
    }
    const expected = {
      amount: { recovered: 207 },
      charged: { fine: 4, interest: 2.22, correction: 0.66 },
      recoveredBy: { principal: 201.38, fine: 3, interest: 2.02, correction: 0.6 },
    };
    const { cost, ...body } = (await client.call('GET', `/api/campaigns/${id}/statistics?include=cost`)).body;
    expect(cost.total).toBe(0);
    expect(body).toMatchObject(expected);
    expect((await client.call('GET', '/api/dashboard?sandbox=true')).body).toMatchObject(expected);
    const { items } = (await client.call('GET', '/api/campaigns?include=statistics')).body;
    expect(items[0].statistics).toEqual(body);
  });

  it('separate sandbox and real campaigns; a draft counts where its launch would put it', async () => {
    client = await app.newClient();
    await campaignWith(1, 1, true);
    await campaignWith(2, 100, false);
    await campaignWith(4, 200, null);
    const total = async (sandboxOnly: boolean, sandbox: boolean) =>
      (await readDashboard({ db, now: () => new Date(), sandboxOnly })({ clientId: client.id, sandbox })).debts.total;
    expect(await total(true, true)).toBe(5);
    expect(await total(true, false)).toBe(2);
    expect(await total(false, true)).toBe(1);
    expect(await total(false, false)).toBe(6);
    expect((await client.call('GET', '/api/dashboard?sandbox=true')).body.debts.total).toBe(5);
  });

  it('show 30 days of São Paulo, oldest first, including days without events', async () => {
    client = await app.newClient();
    const id = await campaignWith(1, 1, false);
    await count(id, '2026-11-20', [7, 2, 5000]);
    await count(id, '2026-10-22', [1, 0, 0]);
    await count(id, '2026-10-21', [9, 9, 9]);
    // Half past two in the morning of the 21st in UTC is still the 20th in São Paulo.
    const now = () => new Date('2026-11-21T02:30:00Z');
    const { daily } = await readDashboard({ db, now, sandboxOnly: false })({ clientId: client.id, sandbox: false });
    expect(daily).toHaveLength(30);
    expect(daily[0]).toEqual({ date: '2026-10-22', contacts: 1, payments: 0, recovered: 0 });
    expect(daily[1]).toEqual({ date: '2026-10-23', contacts: 0, payments: 0, recovered: 0 });
    expect(daily.at(-1)).toEqual({ date: '2026-11-20', contacts: 7, payments: 2, recovered: 50 });
    const later = () => new Date('2026-11-21T03:00:00Z');
    const next = await readDashboard({ db, now: later, sandboxOnly: false })({ clientId: client.id, sandbox: false });
    expect(next.daily.at(-1)?.date).toBe('2026-11-21');
  });
});
