import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { debtInputs } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';

let from = 1;

const app = await opened(startCampaignsApp());
const [client, stranger] = [await app.newClient(), await app.newClient()];

/** Imports debts into a running campaign in which nobody works on them. */
async function debtsIn(status: string, count: number, who = client): Promise<{ campaignId: string; ids: string[] }> {
  const campaignId = await who.createCampaign();
  await who.importJson(campaignId, debtInputs(count, from));
  from += count;
  await app.query(`update debts set status = $2 where campaign_id = $1`, [campaignId, status]);
  await app.query(`update campaigns set status = 'RUNNING', sandbox = true, launched_at = now() where id = $1`, [
    campaignId,
  ]);
  const rows = await app.query<{ id: string }>('select id from debts where campaign_id = $1 order by position', [
    campaignId,
  ]);
  return { campaignId, ids: rows.map(({ id }) => id) };
}

const act = (body: object, who = client) => who.call('POST', '/api/debts/actions', body);
const statusesOf = async (campaignId: string): Promise<string[]> =>
  (
    await app.query<{ status: string }>('select status from debts where campaign_id = $1 order by position', [
      campaignId,
    ])
  ).map(({ status }) => status);

describe('POST /api/debts/actions', () => {
  it('withdraws the named debts, each as by itself, with the reason', async () => {
    const { campaignId, ids } = await debtsIn('DISPUTED', 3);
    const chosen = ids.slice(0, 2);
    const answer = await act({ action: 'withdraw', reason: 'acordo na loja', ids: chosen, expect: 2 });
    expect([answer.status, answer.body]).toEqual([200, { done: 2, skipped: [] }]);
    expect(await statusesOf(campaignId)).toEqual(['STOPPED', 'STOPPED', 'DISPUTED']);
    const { timeline } = (await client.call('GET', `/api/debts/${chosen[0]}`)).body;
    expect(timeline.at(-1)).toMatchObject({
      kind: 'status_changed',
      to: 'STOPPED',
      caller: 'session',
      reason: 'acordo na loja',
    });
    const audit = (await client.call('GET', '/api/audit?limit=3')).body.items;
    expect(audit.map(({ action }: { action: string }) => action).sort()).toEqual([
      'debt_withdrawn',
      'debt_withdrawn',
      'debts_changed',
    ]);
    const woken = await app.query(`select 1 from outbox where workflow_id = $1`, [`collection-${chosen[0]}`]);
    expect(woken.length).toBeGreaterThan(0);
  });

  it('acts on a search, and skips what does not allow it', async () => {
    const { campaignId, ids } = await debtsIn('DISPUTED', 3);
    await app.query(`update debts set status = 'PAID' where id = $1`, [ids[1]]);
    const note = 'Os contratos foram conferidos.';
    const answer = await act({ action: 'resume', note, search: { campaignId }, expect: 3 });
    expect(answer.body).toEqual({ done: 2, skipped: [{ id: ids[1], code: 'debt_state' }] });
    expect(await statusesOf(campaignId)).toEqual(['IN_COLLECTION', 'PAID', 'IN_COLLECTION']);
  });

  it('resumes a disputed debt only with a note of what was checked', async () => {
    const { campaignId, ids } = await debtsIn('DISPUTED', 2);
    await app.query(`update debts set status = 'ON_HOLD' where id = $1`, [ids[1]]);
    const refused = await act({ action: 'resume', note: 'conferido', search: { campaignId }, expect: 2 });
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ pointer: '/note' }] } });
    const answer = await act({ action: 'resume', search: { campaignId }, expect: 2 });
    expect(answer.body).toEqual({ done: 1, skipped: [{ id: ids[0], code: 'note_required' }] });
    expect(await statusesOf(campaignId)).toEqual(['DISPUTED', 'IN_COLLECTION']);
  });

  it('snoozes what waits', async () => {
    const { ids } = await debtsIn('DISPUTED', 2);
    await app.query(`insert into inbox_items (client_id, debt_id, reason) values ($1, $2, 'disputed')`, [
      client.id,
      ids[0],
    ]);
    const until = new Date(Date.now() + 86_400_000).toISOString();
    const answer = await act({ action: 'snooze', until, ids, expect: 2 });
    expect(answer.body).toEqual({ done: 1, skipped: [{ id: ids[1], code: 'debt_state' }] });
    const inbox = (await client.call('GET', '/api/inbox?state=snoozed')).body.items;
    expect(inbox).toMatchObject([{ debt: { id: ids[0] }, snoozedUntil: until }]);
  });

  it.each<[object, string[]]>([
    [{ action: 'resume' }, ['/expect required', '/ids invalid_value']],
    [
      { action: 'withdraw', ids: [], search: {}, expect: -1 },
      ['/ids too_short', '/expect too_small', '/search invalid_value'],
    ],
    [{ action: 'resume', ids: 'all', expect: 1 }, ['/ids invalid_type']],
    [{ action: 'forget', expect: 1 }, ['/action invalid_value']],
  ])('is told all problems of %j at once', async (body, problems) => {
    const answer = await act(body);
    expect(answer.status).toBe(400);
    expect(answer.body.errors.map(({ pointer, code }: Record<string, string>) => `${pointer} ${code}`)).toEqual(
      problems,
    );
  });

  it('does nothing when the selection has another number of debts', async () => {
    const { campaignId, ids } = await debtsIn('ON_HOLD', 2);
    for (const chosen of [{ search: { campaignId } }, { ids }]) {
      const answer = await act({ action: 'withdraw', ...chosen, expect: 3 });
      expect(answer).toMatchObject({ status: 409, body: { code: 'selection_changed' } });
    }
    expect(await statusesOf(campaignId)).toEqual(['ON_HOLD', 'ON_HOLD']);
  });

  it('skips ids that do not exist and those of a stranger alike, and counts a repeated id once', async () => {
    const mine = await debtsIn('ON_HOLD', 1);
    const theirs = await debtsIn('ON_HOLD', 1, stranger);
    const unknown = randomUUID();
    const ids = [mine.ids[0], theirs.ids[0], unknown, mine.ids[0]];
    const { body } = await act({ action: 'withdraw', ids, expect: 3 });
    expect(body.done).toBe(1);
    expect(body.skipped).toEqual([theirs.ids[0], unknown].map((id) => ({ id, code: 'not_found' })));
    expect(await statusesOf(theirs.campaignId)).toEqual(['ON_HOLD']);
  });

  it('gives the first answer again to the same key', async () => {
    const { campaignId } = await debtsIn('ON_HOLD', 2);
    const body = { action: 'resume', search: { campaignId, status: ['ON_HOLD'] }, expect: 2 };
    const headers = { 'Idempotency-Key': randomUUID() };
    const send = () => app.call('POST', '/api/debts/actions', { body, bearer: client.token, headers });
    const first = await send();
    expect(first).toMatchObject({ status: 200, body: { done: 2 } });
    expect((await send()).body).toEqual(first.body);
    expect(await act(body)).toMatchObject({ status: 409, body: { code: 'selection_changed' } });
  });

  it('refuses more than 10,000 debts of a search before it does anything', async () => {
    const many = await app.newClient();
    const campaignId = await many.createCampaign();
    await app.query(
      `insert into debts (client_id, campaign_id, position, debtor_name, debtor_phone, debtor_tax_id,
         original_amount_centavos, due_date, status)
       select $1, $2, n, 'Pessoa', '+5511900000000', lpad(n::text, 11, '0'), 100, '2026-10-05', 'ON_HOLD'
       from generate_series(1, 10001) as n`,
      [many.id, campaignId],
    );
    const answer = await act({ action: 'withdraw', search: {}, expect: 10_001 }, many);
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer: '/search', code: 'too_big' }] } });
    expect(await app.query(`select 1 from debts where client_id = $1 and status = 'STOPPED'`, [many.id])).toEqual([]);
  });

  it.each([
    ['neither ids nor a search', { action: 'resume', expect: 1 }, '/ids'],
    ['both', { action: 'resume', ids: [randomUUID()], search: {}, expect: 1 }, '/search'],
    ['no number', { action: 'resume', search: {} }, '/expect'],
    ['no ids', { action: 'resume', ids: [], expect: 0 }, '/ids'],
    ['1,001 ids', { action: 'resume', ids: Array.from({ length: 1_001 }, () => randomUUID()), expect: 1_001 }, '/ids'],
    ['an id that is none', { action: 'resume', ids: ['x'], expect: 1 }, '/ids/0'],
    ['another action', { action: 'erase', search: {}, expect: 1 }, '/action'],
    ['a snooze without its end', { action: 'snooze', search: {}, expect: 1 }, '/until'],
    ['a search that is none', { action: 'resume', search: { q: '' }, expect: 1 }, '/search/q'],
  ])('refuses %s', async (_, body, pointer) => {
    expect(await act(body)).toMatchObject({ status: 400, body: { code: 'validation_failed', errors: [{ pointer }] } });
  });
});
