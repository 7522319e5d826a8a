import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { INBOX_PATH, INBOX_REASONS } from '../../src/modules/debts/rules/inbox-reasons.ts';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { debtInputs } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';
import { newKey } from './accounts/accounts.ts';

const debts: { readonly id: string }[] = [];

interface Item {
  readonly debt: { readonly id: string };
  readonly reason: string;
  readonly since: string;
}

const app = await opened(startCampaignsApp());
const [client, stranger] = [await app.newClient(), await app.newClient()];
const campaignId = await client.createCampaign();
await client.importJson(campaignId, debtInputs(7));
debts.push(...(await client.call('GET', `/api/campaigns/${campaignId}/debts`)).body.items);
for (const [n, { id }] of debts.entries()) {
  // Two items of one moment are a pair that a cursor could skip or repeat.
  await app.query(
    `insert into inbox_items (client_id, debt_id, reason, since)
     values ($1, $2, $3, timestamptz '2026-11-18 12:00:00Z' + make_interval(mins => $4))`,
    [client.id, id, n % 2 === 0 ? 'disputed' : 'human', Math.floor(n / 2)],
  );
}

const inbox = (query = '', who = client) => who.call('GET', `/api/inbox${query}`);

async function pages(query: string): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await inbox(`?limit=2${query}${cursor}`);
    items.push(...body.items);
    if (body.nextCursor === null) return items;
    cursor = `&cursor=${body.nextCursor}`;
  }
}

describe('GET /api/inbox', () => {
  it('lists each item once over pages, disputes first and then the longest wait, with the counts on each page', async () => {
    const items = await pages('');
    expect(items.map(({ debt }) => debt.id).sort()).toEqual(debts.map(({ id }) => id).sort());
    expect(items.map(({ reason }) => reason)).toEqual([...Array(4).fill('disputed'), ...Array(3).fill('human')]);
    for (const reason of ['disputed', 'human']) {
      const since = items.filter((item) => item.reason === reason).map((item) => item.since);
      expect(since).toEqual(since.toSorted());
    }
    const none = Object.fromEntries(INBOX_REASONS.map((reason) => [reason, 0]));
    expect((await inbox('?limit=1')).body.counts).toEqual({ ...none, disputed: 4, human: 3, open: 7, waiting: 0 });
  });

  it('filters by reason, over pages too, and counts all reasons nevertheless', async () => {
    const items = await pages('&reason=disputed');
    expect(items.map(({ reason }) => reason)).toEqual(Array(4).fill('disputed'));
    expect((await inbox('?reason=human')).body).toMatchObject({ counts: { disputed: 4 }, nextCursor: null });
    expect((await inbox('?reason=attachment')).body.items).toEqual([]);
    expect((await inbox('?reason=&state=')).body.items).toHaveLength(7);
    expect((await inbox('?state=snoozed')).body.items).toEqual([]);
  });

  it('shows the debt as lists do', async () => {
    const { body } = await inbox('?limit=1');
    const [item] = body.items;
    const list = (await client.call('GET', `/api/campaigns/${item.debt.campaignId}/debts`)).body.items;
    expect(list).toContainEqual(item.debt);
    expect(item).toMatchObject({ lastMessage: null, snoozedUntil: null, sandbox: true });
  });

  it('is empty for another client', async () => {
    const { body } = await inbox('', stranger);
    expect(body.items).toEqual([]);
    expect(Object.values(body.counts as Record<string, number>).every((count) => count === 0)).toBe(true);
  });

  it('takes an access token or an API key, and nothing else', async () => {
    const key = await newKey(app, client.token);
    expect((await app.get('/api/inbox', key)).status).toBe(200);
    expect(await app.get('/api/inbox')).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
  });

  it.each([
    ['?reason=paid', 'reason'],
    ['?state=closed', 'state'],
    ['?limit=101', 'limit'],
    ['?cursor=nonsense', 'cursor'],
    [`?cursor=${Buffer.from(JSON.stringify(['x', randomUUID()])).toString('base64url')}`, 'cursor'],
    [`?cursor=${Buffer.from(JSON.stringify([1, 1e300, randomUUID()])).toString('base64url')}`, 'cursor'],
    [`?cursor=${Buffer.from(JSON.stringify([2, 1, randomUUID()])).toString('base64url')}`, 'cursor'],
  ])('refuses %s', async (query, parameter) => {
    expect(await inbox(query)).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', errors: [{ parameter }] },
    });
  });

  it('counts from the index of open items', async () => {
    await app.query(
      `insert into inbox_items (client_id, debt_id, reason, closed_at)
       select $1, $2, 'human', now() from generate_series(1, 20000)`,
      [client.id, debts[0]?.id],
    );
    await app.query('analyze inbox_items');
    const plan = await app.query<{ 'QUERY PLAN': string }>(
      `explain select reason, count(*) from inbox_items where client_id = $1 and closed_at is null
         and (snoozed_until is null or snoozed_until <= now()) group by reason`,
      [client.id],
    );
    expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/inbox_items_(?:reason|order|open)/);
  });
});

describe('the link of a digest', () => {
  it.each([INBOX_PATH, `${INBOX_PATH}?reason=disputed`])('%s leads to the console', async (path) => {
    const answer = await fetch(`${app.url}${path}`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await answer.text()).toContain('<div id="console">');
  });
});
