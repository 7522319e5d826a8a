import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { DEBT_STATUSES, ENDED_DEBT_STATUSES } from '../../src/kernel/debt-status.ts';
import { TIMELINE_DAYS } from '../../src/kernel/retention-periods.ts';
import { readRetention, setRetention } from '../../src/modules/accounts/use-cases/retention.ts';
import { purgeEndedDebts } from '../../src/modules/privacy/use-cases/purge-ended-debts.ts';
import { ownSuppressions } from '../../src/modules/receipts/queries/receipt-deliveries.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { startCampaignsApp, type TestClient } from '../../testing/campaigns-app.ts';
import { opened } from '../../testing/opened.ts';
import { runInTransaction } from '../../testing/raw-sql.ts';
import { paidDebt, verifyPath } from '../../testing/receipts-harness.ts';
import { type Aged, insert, OPEN_THINGS, storeAged } from './rows.ts';

const OWN_DAYS = 365;
/** Around both retentions, and around the shortest one. */
const AGES = [1, 179, 181, OWN_DAYS - 1, OWN_DAYS + 1, TIMELINE_DAYS - 1, TIMELINE_DAYS + 1];

const notes: string[] = [];
const purge = (alive?: () => void) =>
  purgeEndedDebts({
    db: worker,
    now: () => new Date(),
    note: (message, facts) => void notes.push(`${message} ${JSON.stringify(facts)}`),
  })(alive);

interface Filled {
  readonly client: TestClient;
  readonly campaignId: string;
  readonly days: number;
  readonly debts: readonly Aged[];
}

/** Every status in every age, and every open thing about an ended debt of every age. */
const combinations = (): Aged[] =>
  AGES.flatMap((age) => [
    ...DEBT_STATUSES.map((status): Aged => ({ id: randomUUID(), status, age, open: 'nothing' })),
    ...OPEN_THINGS.slice(1).map((open): Aged => ({ id: randomUUID(), status: 'STOPPED', age, open })),
  ]);

async function fill(days: number | null): Promise<Filled> {
  const client = await app.newClient();
  const campaignId = await client.createCampaign();
  const debts = combinations();
  for (const debt of debts) await storeAged(app.query, { clientId: client.id, campaignId }, debt);
  if (days !== null) await app.query('update clients set retention_days = $2 where id = $1', [client.id, days]);
  return { client, campaignId, days: days ?? TIMELINE_DAYS, debts };
}

const isDue = ({ days }: Filled, { status, age, open }: Aged): boolean =>
  ENDED_DEBT_STATUSES.includes(status) && age > days && open === 'nothing';

interface Stored {
  readonly id: string;
  readonly purged: boolean;
  readonly kinds: string[];
  readonly messages: string[];
  readonly notes: number;
}

const stored = (clientId: string): Promise<Stored[]> =>
  app.query<Stored>(
    `select id, timeline_purged_at is not null as purged,
       array(select kind from debt_events where debt_id = debts.id order by seq) as kinds,
       array(select coalesce(intent, direction) || ':' || text || coalesce(phone, '') from messages
         where debt_id = debts.id order by direction desc) as messages,
       (select count(*)::int from debt_notes where debt_id = debts.id) as notes
     from debts where client_id = $1`,
    [clientId],
  );

/** What nobody may lose by the purge. */
const figures = async ({ client, campaignId }: Filled) => ({
  statistics: (await client.call('GET', `/api/campaigns/${campaignId}/statistics`)).body,
  dashboard: (await client.call('GET', '/api/dashboard?sandbox=true')).body,
  inbox: (await client.call('GET', '/api/inbox')).body.counts,
  charges: await app.query('select * from charges where client_id = $1 order by id', [client.id]),
  receipts: await app.query('select * from receipts where client_id = $1 order by id', [client.id]),
});

const app = await opened(startCampaignsApp());
const worker = await opened(openDatabase({ url: app.database.url, role: 'quita_worker' }));
const clients: Filled[] = [await fill(OWN_DAYS), await fill(null)];
// A debt that was paid long ago, with its receipt.
const [{ client }] = clients as [Filled, Filled];
const paid = await paidDebt(app.query, client.id, { approvedAt: new Date('2020-01-15T12:00:00Z') });
const protocol: string = (await client.call('POST', `/api/receipts/${paid.debtId}`)).body.protocol;
await insert(app.query, 'messages', {
  client_id: client.id,
  debt_id: paid.debtId,
  direction: 'out',
  channel: 'sandbox',
  text: 'Olá, João',
  delivery: 'sent',
  at: new Date('2020-01-01'),
});
await app.query(`update debts set updated_at = '2020-01-15' where id = $1`, [paid.debtId]);
const before = await Promise.all(clients.map(figures));

describe('the purge of ended debts', () => {
  it('cannot be widened: no statement of a worker deletes what is younger than the shortest retention', async () => {
    const [{ client }] = clients as [Filled, Filled];
    const kept = (): Promise<object[]> =>
      app.query(
        `select (select count(*) from debt_events join debts on debts.id = debt_id where debts.updated_at > now() - interval '180 days') as events,
           (select count(*) from messages join debts on debts.id = debt_id where debts.status in ('IN_COLLECTION', 'DISPUTED')) as messages`,
      );
    const was = await kept();
    const events = (await app.query('select from debt_events where client_id = $1', [client.id])).length;
    const undo = new Error('undo');
    const attempt = worker.tenant(client.id).transactional(async (tx) => {
      for (const table of ['debt_events', 'debt_notes', 'messages']) {
        await runInTransaction(
          tx,
          `delete from ${table} where debt_id in (select id from debts where updated_at > now() - interval '180 days'
          or status in ('IN_COLLECTION', 'DISPUTED'))`,
          [],
        );
      }
      const left = await runInTransaction(tx, 'select count(*)::int as left from debt_events where client_id = $1', [
        client.id,
      ]);
      expect(left).toEqual([{ left: events }]);
      throw undo;
    });
    await expect(attempt).rejects.toBe(undo);
    expect(await kept()).toEqual(was);
  });

  it('goes on after a process that was killed between two batches, and leaves nothing half done', async () => {
    let batches = 0;
    const killed = purge(() => {
      batches += 1;
      if (batches === 2) throw new Error('killed');
    });
    await expect(killed).rejects.toThrow('killed');
    const all = (await Promise.all(clients.map(({ client }) => stored(client.id)))).flat();
    expect(all.filter(({ purged }) => purged).length).toBeGreaterThan(0);
    for (const { purged, notes: left } of all) if (purged) expect(left).toBe(0);
    expect((await purge()).debts).toBeGreaterThan(0);
    expect(await purge()).toMatchObject({ debts: 0, messages: 0, events: 0 });
    expect(notes.at(-1)).toMatch(/^timelines and messages of ended debts purged \{"debts":"\d+"/);
  });

  it('purges exactly the ended debts whose retention is over and about which nothing is open', async () => {
    for (const filled of clients) {
      const rows = new Map((await stored(filled.client.id)).map((row) => [row.id, row]));
      for (const debt of filled.debts) {
        const { purged, kinds, messages, notes: left } = rows.get(debt.id)!;
        const where = `${debt.status}, ${debt.age} days, ${debt.open}, retention ${filled.days}`;
        expect([where, purged]).toEqual([where, isDue(filled, debt)]);
        expect(kinds).toHaveLength(purged ? 2 : 7);
        // Of the request not to be contacted the moment stays.
        expect(messages).toHaveLength(purged ? 1 : 2);
        expect(left).toBe(purged ? 0 : 1);
        if (purged) {
          expect(kinds).toEqual(['status_changed', 'payment_changed']);
          expect(messages).toEqual(['opt_out:']);
        }
      }
    }
    // What messages have cost goes with them.
    const counted = await app.query<{ kept: boolean }>(
      'select exists (select from messages where id = message_id) as kept from counted_messages',
    );
    expect(counted.length).toBeGreaterThan(0);
    expect(counted.every(({ kept }) => kept)).toBe(true);
  });

  it('leaves figures, inbox, charges and receipts as they were', async () => {
    expect(await Promise.all(clients.map(figures))).toEqual(before);
  });

  it('leaves a receipt that verifies and can be downloaded', async () => {
    const [{ client }] = clients as [Filled, Filled];
    expect(await app.query('select from messages where debt_id = $1', [paid.debtId])).toHaveLength(0);
    const page = await app.get(verifyPath(protocol));
    expect(page.status).toBe(200);
    expect((await client.call('POST', `/api/receipts/${paid.debtId}`)).status).toBe(200);
  });

  it('still knows who asked not to be contacted', async () => {
    const [filled] = clients as [Filled, Filled];
    const stopped = filled.debts.find((debt) => debt.status === 'STOPPED' && isDue(filled, debt))!;
    const [{ taxId, phone }] = (await app.query<{ taxId: string; phone: string }>(
      'select debtor_tax_id as "taxId", debtor_phone as phone from debts where id = $1',
      [stopped.id],
    )) as [{ taxId: string; phone: string }];
    const found = await worker
      .tenant(filled.client.id)
      .transactional((tx) => ownSuppressions(tx, { taxId, phone, sandbox: false }));
    expect(found.optedOut).toBe(true);
  });

  it('shows what is left of the timeline', async () => {
    const [filled] = clients as [Filled, Filled];
    const debt = filled.debts.find((one) => one.status === 'EXHAUSTED' && isDue(filled, one))!;
    const { status, body } = await filled.client.call('GET', `/api/debts/${debt.id}`);
    expect([status, body.status, body.originalAmount]).toEqual([200, 'EXHAUSTED', 100]);
    expect(body.timeline.map(({ kind }: { kind: string }) => kind)).toEqual([
      'imported',
      'status_changed',
      'payment_changed',
    ]);
  });

  it('begins anew when something happens to a purged debt', async () => {
    const [filled] = clients as [Filled, Filled];
    const debt = filled.debts.find((one) => one.status === 'UNREACHABLE' && isDue(filled, one))!;
    await app.query('update debts set updated_at = now() where id = $1', [debt.id]);
    const from = () => app.query('select retention_from is not null as kept from debts where id = $1', [debt.id]);
    expect(await from()).toEqual([{ kept: true }]);
    await app.query(`update debts set updated_at = now(), status = 'ON_HOLD' where id = $1`, [debt.id]);
    expect(await from()).toEqual([{ kept: false }]);
  });
});

describe('a message that speaks of two debts', () => {
  it('stays until the timelines of both are purged', async () => {
    const client = await app.newClient();
    const campaignId = await client.createCampaign();
    const [first, second] = [
      { id: randomUUID(), status: 'PAID', age: TIMELINE_DAYS + 5, open: 'nothing' },
      { id: randomUUID(), status: 'IN_COLLECTION', age: 3, open: 'nothing' },
    ] as const;
    for (const debt of [first, second]) await storeAged(app.query, { clientId: client.id, campaignId }, debt);
    const messageId = randomUUID();
    await insert(app.query, 'messages', {
      id: messageId,
      client_id: client.id,
      debt_id: first.id,
      also_about: [second.id],
      direction: 'out',
      channel: 'sandbox',
      text: 'Olá',
      delivery: 'sent',
      at: new Date('2020-01-01'),
    });
    const data = JSON.stringify({ messageId, purpose: 'collection' });
    await insert(app.query, 'debt_events', {
      client_id: client.id,
      debt_id: second.id,
      at: new Date('2020-01-01'),
      kind: 'message_sent',
      data,
    });
    const left = async () => (await app.query('select from messages where id = $1', [messageId])).length;
    await app.query(`update debts set updated_at = now() - interval '2000 days' where id = $1`, [first.id]);

    expect(await purge()).toMatchObject({ debts: 1 });
    expect(await left()).toBe(1);
    await app.query(`update debts set status = 'EXHAUSTED', updated_at = now() - interval '2000 days' where id = $1`, [
      second.id,
    ]);
    expect(await purge()).toMatchObject({ debts: 1 });
    expect(await left()).toBe(0);
  });
});

describe('the retention of a client', () => {
  it('is the default until the operator sets it, and its audit entry tells the client', async () => {
    const client = await app.newClient();
    const operator = await openDatabase({ url: app.database.url, role: 'quita_operator' });
    try {
      const read = () => readRetention({ db: operator })(client.id);
      expect(await read()).toEqual({ days: TIMELINE_DAYS, own: false });
      await setRetention({ db: operator })({ clientId: client.id, days: 200 });
      expect(await read()).toEqual({ days: 200, own: true });
      await setRetention({ db: operator })({ clientId: client.id, days: null });
      expect(await read()).toEqual({ days: TIMELINE_DAYS, own: false });
      await expect(setRetention({ db: operator })({ clientId: client.id, days: 179 })).rejects.toThrow();
      const { items } = (await client.call('GET', '/api/audit')).body;
      const changes = items.filter(({ action }: { action: string }) => action === 'retention_changed');
      expect(changes.map(({ actor, details }: { actor: string; details: object }) => [actor, details])).toEqual([
        ['operator', { from: 200, to: null }],
        ['operator', { from: null, to: 200 }],
      ]);
      await expect(readRetention({ db: operator })(randomUUID())).rejects.toMatchObject({ code: 'not_found' });
    } finally {
      await operator.close();
    }
  });
});
