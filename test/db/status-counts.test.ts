import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DEBT_STATUSES, type DebtStatus, OPEN_DEBT_STATUSES } from '../../src/kernel/debt-status.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import type { Tx } from '../../src/platform/database/tx.ts';
import { ask, createTestDatabase } from '../../testing/database.ts';
import { createClient } from '../../testing/factories.ts';
import { opened } from '../../testing/opened.ts';
import { readRaw, runInTransaction } from '../../testing/raw-sql.ts';

const WRITERS = 4;
/** Over so many rows the counts of a campaign are spread: see `count-debts.ts`. */
const SLOTS = 16;
/** Each writer has its own debts, so that the writers only share the counts. */
const SPAN = 1_000;

type Write =
  | { readonly kind: 'insert'; readonly debts: number; readonly centavos: number; readonly status: DebtStatus }
  | { readonly kind: 'status'; readonly every: number; readonly status: DebtStatus }
  | { readonly kind: 'amount'; readonly centavos: number }
  | { readonly kind: 'due'; readonly days: number }
  | { readonly kind: 'step' }
  | { readonly kind: 'delete'; readonly every: number };

interface Transaction {
  readonly campaign: 0 | 1;
  readonly writes: readonly Write[];
  readonly kept: boolean;
}

const status = fc.constantFrom(...DEBT_STATUSES);
const centavos = fc.integer({ min: 1, max: 9_999_999_999 });
const every = fc.integer({ min: 1, max: 3 });
const write = fc.oneof(
  fc.record({ kind: fc.constant('insert' as const), debts: fc.integer({ min: 0, max: 9 }), centavos, status }),
  fc.record({ kind: fc.constant('status' as const), every, status }),
  fc.record({ kind: fc.constant('amount' as const), centavos }),
  fc.record({ kind: fc.constant('due' as const), days: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ kind: fc.constant('step' as const) }),
  fc.record({ kind: fc.constant('delete' as const), every }),
);
const transaction: fc.Arbitrary<Transaction> = fc.record({
  campaign: fc.constantFrom(0 as const, 1 as const),
  writes: fc.array(write, { minLength: 1, maxLength: 4 }),
  kept: fc.boolean(),
});
const work = fc.array(fc.array(transaction, { maxLength: 5 }), { minLength: WRITERS, maxLength: WRITERS });

const database = await opened(createTestDatabase());
// The worker deletes no debt and may not; the API deletes those of drafts.
await ask(database.url, 'grant delete on debts to quita_worker');
const db = await opened(openDatabase({ url: database.url, role: 'quita_worker', poolSize: SLOTS + 1 }));

describe('the counts by status and by due date', () => {
  async function newCampaigns(): Promise<{ clientId: string; campaigns: [string, string] }> {
    const { id: clientId } = await createClient(db);
    const campaigns: [string, string] = [randomUUID(), randomUUID()];
    await db
      .tenant(clientId)
      .transactional((tx) =>
        runInTransaction(
          tx,
          `insert into campaigns (id, client_id, name, status) select id, $1, 'A', 'DRAFT' from unnest($2::uuid[]) id`,
          [clientId, campaigns],
        ),
      );
    return { clientId, campaigns };
  }

  const insert = (tx: Tx, clientId: string, campaignId: string, from: number, given: Write) => {
    if (given.kind !== 'insert') throw new Error('Only for inserts');
    return runInTransaction(
      tx,
      `insert into debts (client_id, campaign_id, position, debtor_name, debtor_phone, debtor_tax_id,
        original_amount_centavos, due_date, status)
       select $1, $2, $3::int + n, 'Ana Lima', '+5511987654321', '52998224725', $5, date '2026-01-01' + n % 3, $6
       from generate_series(1, $4::int) n`,
      [clientId, campaignId, from, given.debts, given.centavos, given.status],
    );
  };

  const change = (tx: Tx, campaignId: string, from: number, given: Write) => {
    const mine = `campaign_id = $1 and position > ${from} and position <= ${from + SPAN}`;
    if (given.kind === 'status') {
      const text = `update debts set status = $2 where ${mine} and position % $3::int = 0`;
      return runInTransaction(tx, text, [campaignId, given.status, given.every]);
    }
    if (given.kind === 'amount') {
      const text = `update debts set original_amount_centavos = $2 where ${mine}`;
      return runInTransaction(tx, text, [campaignId, given.centavos]);
    }
    if (given.kind === 'due') {
      return runInTransaction(tx, `update debts set due_date = due_date + $2::int where ${mine}`, [
        campaignId,
        given.days,
      ]);
    }
    if (given.kind === 'delete') {
      return runInTransaction(tx, `delete from debts where ${mine} and position % $2::int = 0`, [
        campaignId,
        given.every,
      ]);
    }
    return runInTransaction(tx, `update debts set step = step + 1 where ${mine}`, [campaignId]);
  };

  const taken = new Error('taken back');

  async function run(clientId: string, campaigns: [string, string], writer: number, list: readonly Transaction[]) {
    let from = writer * SPAN;
    for (const { campaign, writes, kept } of list) {
      const all = db.tenant(clientId).transactional(async (tx) => {
        for (const given of writes) {
          from += 10;
          if (given.kind === 'insert') await insert(tx, clientId, campaigns[campaign], from, given);
          else await change(tx, campaigns[campaign], writer * SPAN, given);
        }
        if (!kept) throw taken;
      });
      await all.catch((error: unknown) => {
        if (error !== taken) throw error;
      });
    }
  }

  const figures = (clientId: string, text: string) =>
    readRaw<object>(db, { clientId }, { name: `counts_${text.length}`, text }, [clientId]);
  const KEPT = `select campaign_id, status, sum(debts)::int as debts, sum(amount_centavos)::bigint as centavos
    from campaign_status_counts where client_id = $1 group by 1, 2 having sum(debts) <> 0 or sum(amount_centavos) <> 0
    order by 1, 2`;
  const COUNTED = `select campaign_id, status, count(*)::int as debts, sum(original_amount_centavos)::bigint as centavos
    from debts where client_id = $1 group by 1, 2 order by 1, 2`;

  const KEPT_OPEN = `select campaign_id, due_date, sum(debts)::int as debts, sum(amount_centavos)::bigint as centavos
    from campaign_due_counts where client_id = $1 group by 1, 2 having sum(debts) <> 0 or sum(amount_centavos) <> 0
    order by 1, 2`;
  const COUNTED_OPEN = `select campaign_id, due_date, count(*)::int as debts,
    sum(original_amount_centavos)::bigint as centavos from debts
    where client_id = $1 and status in (${OPEN_DEBT_STATUSES.map((each) => `'${each}'`).join(', ')})
    group by 1, 2 order by 1, 2`;

  it('equal a count of the debts after any concurrent writes', async () => {
    await fc.assert(
      fc.asyncProperty(work, async (lists) => {
        const { clientId, campaigns } = await newCampaigns();
        await Promise.all(lists.map((list, writer) => run(clientId, campaigns, writer, list)));
        expect(await figures(clientId, KEPT)).toEqual(await figures(clientId, COUNTED));
        expect(await figures(clientId, KEPT_OPEN)).toEqual(await figures(clientId, COUNTED_OPEN));
      }),
      { numRuns: 25 },
    );
  });

  it('do not make one writer wait for another', async () => {
    const { clientId, campaigns } = await newCampaigns();
    const one = { kind: 'insert', debts: 1, centavos: 100, status: 'QUEUED' } as const;
    const nested = (left: number): Promise<unknown> =>
      db.tenant(clientId).transactional(async (tx) => {
        // A writer that waits for another waits forever here, so the limit may be as long as a busy machine needs.
        await runInTransaction(tx, `set local lock_timeout = '30s'`);
        await insert(tx, clientId, campaigns[0], left, one);
        if (left > 1) await nested(left - 1);
      });
    await nested(WRITERS);
    expect(await figures(clientId, KEPT)).toMatchObject([{ status: 'QUEUED', debts: WRITERS }]);
  });

  it('do not make writers wait whose connections begin with the same slot', async () => {
    const { clientId, campaigns } = await newCampaigns();
    const begun = new Map<number, Tx>();
    const put = async (tx: Tx, at: number): Promise<void> => {
      const one = { kind: 'insert', debts: 1, centavos: 100, status: 'QUEUED' } as const;
      await runInTransaction(tx, `set local lock_timeout = '30s'`);
      await insert(tx, clientId, campaigns[0], at, one);
    };
    // Among one connection more than there are slots two begin with the same one.
    const next = (): Promise<unknown> =>
      db.tenant(clientId).transactional(async (tx) => {
        const [connection] = await runInTransaction<{ slot: number }>(tx, `select pg_backend_pid() % ${SLOTS} as slot`);
        const slot = connection?.slot ?? 0;
        const other = begun.get(slot);
        if (other === undefined) {
          begun.set(slot, tx);
          await next();
          return;
        }
        await put(other, 0);
        await put(tx, 1);
      });
    await next();
    expect(await figures(clientId, KEPT)).toMatchObject([{ status: 'QUEUED', debts: 2 }]);
  });

  it('are not visible to another client', async () => {
    const { clientId, campaigns } = await newCampaigns();
    const other = await newCampaigns();
    await db
      .tenant(clientId)
      .transactional((tx) =>
        insert(tx, clientId, campaigns[0], 0, { kind: 'insert', debts: 2, centavos: 5, status: 'QUEUED' }),
      );
    for (const table of ['campaign_status_counts', 'campaign_due_counts']) {
      const text = `select campaign_id from ${table}`;
      const asked = await readRaw<object>(db, { clientId: other.clientId }, { name: `${table}_of_others`, text });
      expect(asked).toEqual([]);
    }
  });
});
