import { describe, expect, it } from '@jest/globals';
import { addDays, localDate } from '../../src/kernel/calendar.ts';
import { startAgreements } from '../../testing/agreements.ts';
import { startCampaignsApp, type TestClient } from '../../testing/campaigns-app.ts';
import { opened } from '../../testing/opened.ts';

const app = await opened(startCampaignsApp());
const agreements = await startAgreements(app);
const today = localDate(Date.now(), -3);
const daysAgo = (days: number): string => addDays(today, -days);

const statisticsOf = async (client: TestClient, campaignId: string) =>
  (await client.call('GET', `/api/campaigns/${campaignId}/statistics`)).body;
const dashboardOf = async (client: TestClient, sandbox = true) =>
  (await client.call('GET', `/api/dashboard?sandbox=${sandbox}`)).body;
const counts = ({ byAge: _, ...figures }: Record<string, unknown>) => figures;
const ages = ({ byAge }: { byAge: { fromDays: number; debts: number; amount: number }[] }) =>
  byAge.flatMap(({ fromDays, debts, amount }) => (debts === 0 ? [] : [[fromDays, debts, amount]]));

describe('figures of agreements', () => {
  it('count an agreement once in each campaign that has one of its debts, and once on the dashboard', async () => {
    const client = await app.newClient();
    const both = await agreements.newPerson(client, [
      [{ dueDate: daysAgo(40) }, { dueDate: daysAgo(41), originalAmount: 500 }],
      [{ dueDate: daysAgo(400), originalAmount: 250.5 }],
    ]);
    const active = await agreements.agree(client, both);
    await agreements.pay(active, { centavos: 30_000, refundedCentavos: 5_000 });
    await agreements.pay(active, { centavos: 1_050, instalment: null });
    const one = { open: 1, kept: 0, broken: 0, recovered: 260.5 };
    const first = (await statisticsOf(client, both.campaignIds[0]!)).agreements;
    expect([counts(first), ages(first)]).toEqual([one, [[31, 2, 1500]]]);
    const second = (await statisticsOf(client, both.campaignIds[1]!)).agreements;
    expect([counts(second), ages(second)]).toEqual([one, [[366, 1, 250.5]]]);
    const { agreements: all, aging, debts } = await dashboardOf(client);
    expect([counts(all), ages(all)]).toEqual([
      one,
      [
        [31, 2, 1500],
        [366, 1, 250.5],
      ],
    ]);
    // The debts of an active agreement are open, and due by their own due dates.
    expect([all.byAge, debts.byStatus.AGREEMENT]).toEqual([aging, 3]);
    const { items } = (await client.call('GET', '/api/campaigns?include=statistics')).body;
    expect(items.map(({ statistics }: { statistics: { agreements: unknown } }) => statistics.agreements)).toEqual([
      second,
      first,
    ]);
  });

  it('tell open, kept and broken ones apart, and count no cancelled one', async () => {
    const client = await app.newClient();
    const { campaignIds } = await agreements.newPerson(client);
    for (const [status, centavos] of [
      ['COMPLETED', 70_000],
      ['COMPLETED', 70_000],
      ['BROKEN', 10_000],
      ['CANCELLED', 20_000],
    ] as const) {
      const person = await agreements.newPerson(client);
      const agreementId = await agreements.agree(client, person);
      const paymentId = await agreements.pay(agreementId, { centavos });
      await agreements.end(agreementId, status);
      // What the debt gets of the money is the same money.
      await agreements.credit(paymentId, person.ids[0]!, centavos);
    }
    const { agreements: all } = await dashboardOf(client);
    expect([counts(all), ages(all)]).toEqual([{ open: 0, kept: 2, broken: 1, recovered: 1500 }, []]);
    expect(counts((await statisticsOf(client, campaignIds[0]!)).agreements)).toEqual({
      open: 0,
      kept: 0,
      broken: 0,
      recovered: 0,
    });
  });

  it('have no money that was charged back, and keep the sandbox apart', async () => {
    const client = await app.newClient();
    const agreementId = await agreements.agree(client, await agreements.newPerson(client));
    const paymentId = await agreements.pay(agreementId, { centavos: 70_000 });
    await app.query('update charges set charged_back_at = now() where id = $1', [paymentId]);
    expect(counts((await dashboardOf(client)).agreements)).toEqual({ open: 1, kept: 0, broken: 0, recovered: 0 });
    const { open, aging, agreements: real } = await dashboardOf(client, false);
    expect([open.debts, counts(real)]).toEqual([0, { open: 0, kept: 0, broken: 0, recovered: 0 }]);
    expect(aging).toEqual(real.byAge);
  });
});
