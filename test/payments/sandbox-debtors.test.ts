import { describe, expect, it } from '@jest/globals';
import { Connection, Client as TemporalClient } from '@temporalio/client';
import { pino } from 'pino';
import { composeCollection } from '../../src/app/compose/collection.ts';
import { createUnderstandingThreads } from '../../src/modules/agent/adapters/threads/understanding-threads.ts';
import { launchCampaign } from '../../src/modules/campaigns/use-cases/launch-campaign.ts';
import { loadConfig, SECRET_NAMES } from '../../src/platform/config/index.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { opened } from '../../testing/opened.ts';
import { until } from '../../testing/poll.ts';
import { SOURCE } from '../../testing/source.ts';
import { type Debtor, newDebt, startPaymentsApp, untilStatus } from './support.ts';

/** Longer than a simulated debtor takes to act on a slow machine, so that the next contact comes after the act. */
const WAIT = '4s';

/** One debt of each kind, and one for counting actions; they are collected at once, because each of them waits. */
const STARTED = ['+5511987650001', '+5511987650002', '+5511987650005', '+5511987670001'];
const debtors = new Map<string, Debtor>();

const app = await opened(startPaymentsApp({ env: { SANDBOX_MAX_WAIT: WAIT } }));
const db = await opened(openDatabase({ url: app.database.url, role: 'quita_app' }));
for (const phone of STARTED) await start(phone);

async function start(phone: string): Promise<Debtor> {
  const debtor = await newDebt(app, { debtorPhone: phone });
  debtors.set(phone, debtor);
  await launch(debtor);
  return debtor;
}

async function paid(phone: string): Promise<Debtor> {
  const debtor = debtors.get(phone) ?? (await start(phone));
  await untilStatus(debtor, 'APPROVED', 50_000);
  return debtor;
}

async function launch({ client, campaignId }: Debtor): Promise<void> {
  const secrets = Object.fromEntries(SECRET_NAMES.map((name) => [name, `${name.toLowerCase()}-of-the-tests`]));
  const config = loadConfig({ NODE_ENV: 'test', SANDBOX_MAX_WAIT: WAIT, ...secrets });
  const deps = composeCollection(config, db, pino({ level: 'silent' }), () => null, createUnderstandingThreads());
  await launchCampaign(deps)({ clientId: client.id, campaignId, sandbox: true, source: SOURCE });
}

// The receipt follows at its own time.
const STORY = `
  select concat_ws(' ', e.kind, coalesce(m.intent, m.purpose)) as step
  from debt_events e left join messages m on m.id = (e.data ->> 'messageId')::uuid
  where e.debt_id = $1 and e.kind in ('message_sent', 'message_received', 'payment_approved', 'charge_created')
    and m.purpose is distinct from 'receipt'
  order by e.seq`;

const storyOf = async (debtor: Debtor): Promise<string[]> =>
  (await app.query<{ step: string }>(STORY, [debtor.id])).map(({ step }) => step);

describe('simulated debtors that pay', () => {
  it.each([
    ['0001', ['charge_created', 'message_sent collection', 'payment_approved']],
    [
      '0002',
      [
        'charge_created',
        'message_sent collection',
        'message_received promise',
        'message_sent reply',
        'payment_approved',
      ],
    ],
    [
      '0005',
      [
        'charge_created',
        'message_sent collection',
        'message_received question',
        'message_sent reply',
        'payment_approved',
      ],
    ],
  ])('%s', async (ending, story) => {
    expect(await storyOf(await paid(`+551198765${ending}`))).toEqual(story);
  });
});

describe('the cost of a debt that is paid after its first message', () => {
  /** Counts the billed actions: starts, timers, activities, signals, changes of search attributes. */
  const BILLED =
    /^EVENT_TYPE_(TIMER_STARTED|ACTIVITY_TASK_SCHEDULED|WORKFLOW_EXECUTION_SIGNALED|UPSERT_WORKFLOW_SEARCH)/;
  const CHILD_START = 2;

  const NOTIFIED = `
    select count(*)::int as times from payment_notifications n join charges c on c.id = n.charge_id where c.debt_id = $1`;
  /** On a busy machine the simulated bank notifies twice with different signatures, and the second signal is billed. */
  const notifiedOnce = async ([phone = '', ...others]: readonly string[]): Promise<Debtor> => {
    const debtor = await paid(phone);
    const [notified] = await app.query<{ times: number }>(NOTIFIED, [debtor.id]);
    return notified?.times === 1 || others.length === 0 ? debtor : notifiedOnce(others);
  };
  /** As long as three debtors may take one after the other. */
  const THREE_DEBTORS_MS = 180_000;

  it(
    'is at most 9 actions',
    async () => {
      const debtor = await notifiedOnce(['+5511987670001', '+5511987680001', '+5511987690001']);
      const connection = await Connection.connect({ address: process.env['TEST_TEMPORAL_ADDRESS'] ?? '' });
      try {
        const handle = new TemporalClient({ connection }).workflow.getHandle(`collection-${debtor.id}`);
        await until('the workflow ends', async () => (await handle.describe()).status.name === 'COMPLETED');
        const { events } = await handle.fetchHistory();
        const names = (events ?? []).map(({ eventType }) => eventTypeName(eventType));
        const billed = names.filter((name) => BILLED.test(name));
        expect(CHILD_START + billed.length).toBeLessThanOrEqual(9);
      } finally {
        await connection.close();
      }
    },
    THREE_DEBTORS_MS,
  );
});

const EVENT_TYPES: Readonly<Record<number, string>> = {
  10: 'EVENT_TYPE_ACTIVITY_TASK_SCHEDULED',
  17: 'EVENT_TYPE_TIMER_STARTED',
  26: 'EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED',
  40: 'EVENT_TYPE_UPSERT_WORKFLOW_SEARCH_ATTRIBUTES',
};

const eventTypeName = (type: unknown): string => EVENT_TYPES[Number(type)] ?? String(type);
