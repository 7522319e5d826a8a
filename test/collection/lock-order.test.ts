import { beforeEach, describe, expect, it } from '@jest/globals';
import { queueDebts } from '../../src/modules/debts/queries/campaign-changes.ts';
import type { Tx } from '../../src/platform/database/tx.ts';
import { type MadeDebt, openEngine, somebody } from '../../testing/engine.ts';
import { opened } from '../../testing/opened.ts';
import { until } from '../../testing/poll.ts';
import { runInTransaction } from '../../testing/raw-sql.ts';

const engine = await opened(openEngine());
beforeEach(engine.reset);

/** Two debts of one campaign of which the one that was stored first has the higher id. */
async function inOtherOrder(): Promise<{ readonly high: MadeDebt; readonly low: MadeDebt }> {
  const person = somebody();
  let high = await engine.debt(person);
  for (;;) {
    const { clientId, campaignId } = high;
    const next = await engine.debt({ ...person, clientId, campaignId });
    if (next.id < high.id) return { high, low: next };
    high = next;
  }
}

const lock = (tx: Tx, { id }: MadeDebt) =>
  runInTransaction(tx, 'select id from debts where id = $1 for no key update', [id]);

const isWaiting = async (debt: MadeDebt): Promise<boolean> =>
  (
    await engine.query(
      debt,
      `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
    )
  ).length > 0;

describe('debts of a campaign are locked in the order of their ids, so that nothing of the person deadlocks', () => {
  it.each([
    [
      'by a launch',
      'IMPORTED',
      ({ clientId, campaignId }: MadeDebt) =>
        engine.ofApi.db.tenant(clientId).transactional((tx) => queueDebts(tx, campaignId, false)),
    ],
    ['by scoring', 'QUEUED', (debt: MadeDebt) => engine.services.scoreCampaign(debt, () => {})],
    ['by planning', 'QUEUED', (debt: MadeDebt) => engine.services.planCollection({ ...debt, after: null })],
  ])('%s', async (_, status, work) => {
    const { high, low } = await inOtherOrder();
    // PostgreSQL may find the debts of a client by their names.
    await engine.query(
      high,
      `update debts set name_key = 'maria ' || position, score = 100 - position, scored_at = now(), status = $2
       where campaign_id = $1`,
      [high.campaignId, status],
    );
    let done: Promise<unknown> = Promise.resolve();
    await engine.db.tenant(high.clientId).transactional(async (tx) => {
      await lock(tx, low);
      done = work(high);
      await until('the work waits', () => isWaiting(low));
      await lock(tx, high);
    });
    await expect(done).resolves.not.toThrow();
  });
});
