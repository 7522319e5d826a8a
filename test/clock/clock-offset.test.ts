import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type App, startApp } from '../../testing/app.ts';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { createRecordingChannel } from '../../testing/engine.ts';
import { collector, ofKind, sent, startCollectionApp, type TimelineEntry } from '../../testing/engine-harness.ts';
import { FakeMercadoPago } from '../../testing/fake-mercadopago.ts';
import { opened } from '../../testing/opened.ts';
import { until } from '../../testing/poll.ts';
import { readPdf } from '../../testing/read-pdf.ts';
import { pathOf } from '../../testing/receipts-harness.ts';
import { verifyCompany } from '../../testing/verified-company.ts';
import { collectionWorkflowId } from '../../workflows/ids.ts';
import { type Debtor, newDebt, notify, readDebt, readPayment } from '../payments/support.ts';
import { eventsOf } from '../workflows/support/history.ts';
import { DAY, HOUR, nextWednesday, offsetTo, type Shifted, startShifted } from './shifted-deployment.ts';

const OPENING = nextWednesday(9);
const MINUTE = 60_000;
const isoDay = (moment: number): string => new Date(moment - 3 * HOUR).toISOString().slice(0, 10);
const DUE = { dueDate: isoDay(OPENING - 40 * DAY) };

const provider = await opened(new FakeMercadoPago({ webhookSecret: 'payment_webhook_secret-of-the-tests' }).start());

describe('a real campaign by a shifted clock', () => {
  let keeper: App;
  let running: Shifted | null;
  let recording: ReturnType<typeof createRecordingChannel>;

  beforeEach(async () => {
    recording = createRecordingChannel();
    running = null;
    keeper = await startApp();
  });
  afterEach(async () => {
    await running?.stop();
    await keeper?.close();
  });

  async function startAt(offsetMs: number): Promise<Shifted> {
    await running?.stop();
    running = null;
    running = await startShifted({ offsetMs, provider, recording, keeper });
    return running;
  }

  async function launched(deployment: Shifted): Promise<Debtor> {
    const client = await deployment.app.newClient();
    await verifyCompany(keeper.query, client.id);
    const debtor = await newDebt(deployment.app, DUE, client);
    await deployment.launch(client, debtor.campaignId);
    return debtor;
  }

  const read = async ({ app }: Shifted, { client, id }: Debtor) =>
    (await app.call<{ timeline: TimelineEntry[]; status: string }>('GET', `/api/debts/${id}`, { bearer: client.token }))
      .body;

  const contacted = (deployment: Shifted, debtor: Debtor): Promise<TimelineEntry> =>
    until('the debtor is contacted', async () => (await read(deployment, debtor)).timeline.find(isContact), {
      timeoutMs: 120_000,
      everyMs: 200,
    });
  const isContact = ({ kind, purpose }: TimelineEntry) => kind === 'message_sent' && purpose !== 'receipt';

  /** The timers of the collection: when each began and when it fires, by the clock of the engine. */
  async function timersOf({ temporal }: Shifted, { id }: Debtor) {
    const events = await eventsOf(temporal, collectionWorkflowId(id)).catch(() => []);
    return events.flatMap(({ eventTime, timerStartedEventAttributes: timer }) => {
      const at = Number(eventTime?.seconds ?? 0) * 1_000;
      return timer ? [{ at, firesAt: at + Number(timer.startToFireTimeout?.seconds ?? 0) * 1_000 }] : [];
    });
  }
  const waiting = (deployment: Shifted, debtor: Debtor) =>
    until('the workflow waits', async () => (await timersOf(deployment, debtor)).at(-1), {
      timeoutMs: 60_000,
      everyMs: 200,
    });

  it('contacts at once at an hour that is open, while the provider lives in real time and the receipt has the shifted date', async () => {
    const from = OPENING + 2 * HOUR;
    const shifted = await startAt(offsetTo(from));
    const debtor = await launched(shifted);
    const { at } = await contacted(shifted, debtor);
    expect(Date.parse(at)).toBeGreaterThanOrEqual(from);
    expect(Date.parse(at)).toBeLessThanOrEqual(shifted.now());
    expect(recording.sent).toHaveLength(1);

    const [charge] = [...provider.payments.values()];
    if (charge === undefined) throw new Error('no charge was made');
    const livesFor = Date.parse(charge.date_of_expiration) - Date.now();
    expect(livesFor).toBeGreaterThan(2 * DAY);
    expect(livesFor).toBeLessThanOrEqual(3 * DAY);
    const payment = await readPayment(debtor);
    expect(Date.parse(payment.expiresAt ?? '')).toBe(Date.parse(charge.date_of_expiration) + shifted.offsetMs);

    provider.pay(String(charge.id));
    expect(await notify(shifted.app, String(charge.id))).toBeLessThan(300);
    const paid = await until(
      'the receipt is issued',
      async () => {
        const debt = await readDebt(debtor);
        return ofKind(debt, 'receipt_issued').length > 0 ? debt : null;
      },
      { timeoutMs: 60_000 },
    );
    expect(paid.status).toBe('PAID');
    const { paidAt } = await readPayment(debtor);
    expect(Date.parse(paidAt ?? '')).toBeGreaterThanOrEqual(from);
    const { body } = await debtor.client.call('POST', `/api/receipts/${debtor.id}`);
    expect(Date.parse(body.issuedAt)).toBeGreaterThanOrEqual(from);
    const file = await fetch(`${shifted.app.url}${pathOf(body.url)}`);
    const { text } = await readPdf(new Uint8Array(await file.arrayBuffer()));
    expect(text).toContain(isoDay(from).split('-').reverse().join('/'));
    expect(text).not.toContain(isoDay(Date.now()).split('-').reverse().join('/'));
  });

  it('waits for the opening of the window by the shifted clock, also over a restart in the middle of the wait', async () => {
    const offset = offsetTo(OPENING - 45_000);
    const first = await startAt(offset);
    const debtor = await launched(first);
    const timer = await waiting(first, debtor);
    expect(Math.abs(timer.firesAt + offset - OPENING)).toBeLessThan(2 * MINUTE);
    const second = await startAt(offset);
    const { at } = await contacted(second, debtor);
    expect(Date.parse(at)).toBeGreaterThanOrEqual(OPENING);
    expect(Date.parse(at)).toBeLessThanOrEqual(second.now());
    expect(recording.sent).toHaveLength(1);
  });

  it('a restart with another offset breaks no workflow: it waits by the new one from its next step on', async () => {
    const first = await startAt(offsetTo(OPENING - 10 * HOUR));
    const debtor = await launched(first);
    await waiting(first, debtor);
    const offset = offsetTo(OPENING + HOUR);
    const second = await startAt(offset);
    await second.temporal.workflow.getHandle(collectionWorkflowId(debtor.id)).signal('stateChanged');
    const { at } = await contacted(second, debtor);
    expect(Date.parse(at)).toBeGreaterThanOrEqual(OPENING + HOUR);
    expect(Date.parse(at)).toBeLessThanOrEqual(second.now());
    const [row] = await keeper.query<{ next: Date }>('select next_contact_at as next from debts where id = $1', [
      debtor.id,
    ]);
    const next = row?.next.getTime() ?? 0;
    expect(next).toBeGreaterThan(OPENING + 12 * HOUR);
    await until('the next wait is right', async () => {
      const timer = (await timersOf(second, debtor)).at(-1);
      return timer !== undefined && Math.abs(timer.firesAt + offset - next) < MINUTE;
    });
  });
});

describe('the sandbox by a shifted clock', () => {
  it('runs a campaign to its end, and every moment that it shows is of the shifted clock', async () => {
    const from = Date.now() - 20 * DAY;
    const app = await startCollectionApp({ env: { CLOCK_OFFSET: '-20d' } });
    try {
      const client = collector(await app.newClient());
      const id = await client.launchOne({ dueDate: isoDay(from - 40 * DAY) });
      const before = await client.debt(id);
      expect(Date.parse(before.timeline[0]?.at ?? '')).toBeLessThan(Date.now() - 19 * DAY);
      const [row] = await app.query<{ stored: Date; offset: string }>(
        'select created_at as stored, clock_offset_ms as offset from debts where id = $1',
        [id],
      );
      expect(row?.stored.getTime()).toBeGreaterThanOrEqual(from - 1_000);
      expect(row?.stored.getTime()).toBeLessThan(Date.now() - 20 * DAY + 1_000);
      const ended = await client.ended(id, 120_000);
      // The clock of the workflow is the shifted one too: by the real one, the first contact would be 20 days later.
      const first = Date.parse(sent(ended, 'collection')[0]?.at ?? '');
      expect(first).toBeGreaterThanOrEqual(from - 1_000);
      expect(first).toBeLessThan(from + 10 * DAY);
      expect(Date.parse(ended.timeline[0]?.at ?? '')).toBeGreaterThanOrEqual(from - 1_000);
      const [clock] = await app.query<{ offset: string }>('select clock_offset_ms as offset from debts where id = $1', [
        id,
      ]);
      expect(Number(clock?.offset)).toBeGreaterThanOrEqual(0);
    } finally {
      await app.close();
    }
  });

  it('keeps sessions, keys and links valid, whatever the offset', async () => {
    for (const CLOCK_OFFSET of ['-300d', '300d']) {
      const app = await startCampaignsApp({ env: { CLOCK_OFFSET } });
      try {
        const client = await app.newClient();
        const shown = await client.call('POST', '/api/campaigns', { name: 'Mensalidades' });
        expect(shown.status).toBe(201);
        const skew = Date.parse(shown.body.createdAt) - Date.now();
        expect(Math.abs(Math.abs(skew) - 300 * DAY)).toBeLessThan(MINUTE);
      } finally {
        await app.close();
      }
    }
  });
});
