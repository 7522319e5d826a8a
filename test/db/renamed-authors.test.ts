import { expect, it } from '@jest/globals';
import { Migration20261127225938_more_authorship as MoreAuthorship } from '../../src/platform/database/migrations/Migration20261127225938_more_authorship.ts';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { ask } from '../../testing/database.ts';
import { debtInput } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';

const app = await opened(startCampaignsApp({ roles: ['api'] }));

/** What the migration does to timelines. The columns that it adds are there already. */
async function statementsOfTimelines(): Promise<string> {
  const migration = new MoreAuthorship(undefined as never, undefined as never);
  await migration.up();
  const statements = migration.getQueries().map(String);
  return statements.filter((statement) => statement.includes('"debt_events"')).join('\n');
}

/** Writes a debt of a new company, with entries from before the migration. Returns a look at its entries. */
async function debtOfBefore(entries: readonly (readonly [kind: string, data: object])[]) {
  const client = await app.newClient();
  const campaignId = await client.createCampaign();
  await client.importJson(campaignId, [debtInput(1)]);
  const [debt] = (await client.call('GET', `/api/campaigns/${campaignId}/debts`)).body.items;
  for (const [kind, data] of entries) {
    await app.query(
      `insert into debt_events (client_id, debt_id, at, kind, data) values ($1, $2, date_trunc('milliseconds', now()), $3, $4)`,
      [client.id, debt.id, kind, data],
    );
  }
  return () => app.query('select kind, data from debt_events where debt_id = $1 order by seq', [debt.id]);
}

it('timelines from before members were named say who made and accepted an offer by the new words, of every company', async () => {
  const offerId = '6f1f7c4e-7a53-4a7e-9d0c-6b3d4c3c2a10';
  const agreementId = '0c7a1d52-0c7b-4f7e-8a8f-1f8f3f7a9b11';
  const one = await debtOfBefore([
    ['offer_made', { offerId, by: 'staff', total: 12_000 }],
    ['agreement_accepted', { agreementId, offerId, by: 'page' }],
    ['agreement_broken', { agreementId, by: 'untouched' }],
  ]);
  const other = await debtOfBefore([
    ['offer_made', { offerId, by: 'debtor' }],
    // An entry without the word gets none.
    ['agreement_accepted', { agreementId }],
  ]);
  // The owner of a real database sees the rows of no company.
  await app.query('drop policy test_owner on debt_events');
  await ask(app.database.url, await statementsOfTimelines());
  const [table] = await app.query(
    `select relforcerowsecurity as forced from pg_class where oid = 'debt_events'::regclass`,
  );
  expect(table).toEqual({ forced: true });
  expect(await one()).toEqual([]);
  await app.query('create policy test_owner on debt_events to current_user using (true) with check (true)');
  expect(await one()).toEqual([
    { kind: 'offer_made', data: { offerId, madeBy: 'staff', total: 12_000 } },
    { kind: 'agreement_accepted', data: { agreementId, offerId, acceptedBy: 'page' } },
    { kind: 'agreement_broken', data: { agreementId, by: 'untouched' } },
  ]);
  expect(await other()).toEqual([
    { kind: 'offer_made', data: { offerId, madeBy: 'debtor' } },
    { kind: 'agreement_accepted', data: { agreementId } },
  ]);
});
