import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { blockPausing } from '../../src/db/queries/pause-locks.ts';
import { timerOf } from '../../src/domain/next-step.ts';
import { MessagingError } from '../../src/ports/messaging-channel.ts';
import { contactDebtor } from '../../src/services/collection/contact-debtor.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { until } from '../support/poll.ts';
import { SOURCE } from '../support/source.ts';
import { DAY, type Engine, HOUR, type MadeDebt, openEngine, WEDNESDAY } from './engine.ts';

let database: TestDatabase;
let engine: Engine;
let people = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  engine = await openEngine(database.url);
});
afterAll(async () => {
  await engine.close();
  await database.drop();
});
afterEach(() => {
  engine.clock.now = WEDNESDAY;
  engine.sent.length = 0;
});

/** Somebody whom no other test contacts. */
const somebody = () => {
  people += 1;
  return { cpf: String(10_000_000_000 + people), phone: `+55119${String(70_000_000 + people)}` };
};

const set = (debt: MadeDebt, text: string) => engine.query(debt, text, [debt.id]);

describe('the gate refuses', () => {
  const campaign = (status: string) => `update campaigns set status = '${status}' from debts
    where debts.campaign_id = campaigns.id and debts.id = $1`;
  const client = (status: string) => `update clients set status = '${status}' from debts
    where debts.client_id = clients.id and debts.id = $1`;
  const debt = (status: string) => `update debts set status = '${status}' where id = $1`;
  it.each([
    ['a paused campaign', campaign('PAUSED'), 'paused'],
    ['an archived campaign', campaign('ARCHIVED'), 'stopped'],
    ['a paused client', client('PAUSED'), 'client_inactive'],
    ['a cancelled client', client('CANCELLED'), 'client_inactive'],
    ['a debt that was paid', debt('PAID'), 'paid'],
    ['a dispute', debt('DISPUTED'), 'dispute'],
    ['a debt on hold', debt('ON_HOLD'), 'hold'],
    ['an opt-out', debt('OPTED_OUT'), 'opt_out'],
    ['a withdrawn debt', debt('STOPPED'), 'stopped'],
    ['a debt older than five years', `update debts set due_date = '2021-11-01' where id = $1`, 'prescription'],
    ['a debt that is not due', `update debts set due_date = '2026-11-18' where id = $1`, 'due'],
  ])('%s', async (_, change, rule) => {
    const one = await engine.debt(somebody());
    await set(one, change);
    expect(await engine.gate(one)).toEqual({ allowed: false });
    expect((await engine.verdicts(one)).at(-1)).toMatchObject({ allowed: false, rules: [rule] });
    expect(await engine.deliveries(one)).toEqual([]);
    expect((await engine.ledger(one)).filter(({ kind }) => kind === 'booking')).toEqual([]);
  });

  it('an evening, and names the next morning', async () => {
    const one = await engine.debt(somebody());
    engine.clock.now = WEDNESDAY + 9 * HOUR;
    await engine.gate(one);
    expect(await engine.verdicts(one)).toMatchObject([
      { allowed: false, rules: ['window'], notBefore: '2026-11-19T12:00:00.000Z' },
    ]);
  });
});

describe('another client’s contacts', () => {
  it('block, and are shown as scheduling with the next opening only', async () => {
    const person = somebody();
    await engine.contact(await engine.debt(person));
    const other = await engine.debt(person);
    const step = await engine.contact(other);
    expect(engine.sent).toHaveLength(1);
    expect(await engine.verdicts(other)).toMatchObject([
      { allowed: false, rules: ['scheduling'], notBefore: '2026-11-19T12:00:00.000Z' },
    ]);
    expect(timerOf(step)).not.toBeNull();
  });

  it('do not count in what eligibility tells', async () => {
    const person = somebody();
    await engine.contact(await engine.debt(person));
    const other = await engine.debt(person);
    const asked = { clientId: other.clientId, debtId: other.id };
    expect(await engine.requests.checkEligibility(asked)).toMatchObject({ allowed: true, notBefore: null });
    await expect(
      engine.requests.checkEligibility({ ...asked, clientId: (await engine.debt(somebody())).clientId }),
    ).rejects.toMatchObject({ code: 'not_found' });
  });

  it('of the same client are called by their name', async () => {
    const person = somebody();
    const first = await engine.debt(person);
    const second = await engine.debt({ ...person, clientId: first.clientId, campaignId: first.campaignId });
    await engine.contact(first);
    await engine.contact(second);
    expect(await engine.verdicts(second)).toMatchObject([{ allowed: false, rules: ['caps'] }]);
    const eligibility = await engine.requests.checkEligibility({ clientId: second.clientId, debtId: second.id });
    expect(eligibility).toEqual({ allowed: false, rules: ['caps'], notBefore: '2026-11-19T12:00:00.000Z' });
  });
});

describe('a held slot', () => {
  const holds = async (debt: MadeDebt) => (await engine.ledger(debt)).filter(({ kind }) => kind === 'hold');

  it('is kept for the next contact of the sequence', async () => {
    const one = await engine.debt(somebody());
    const step = await engine.contact(one);
    expect(await holds(one)).toMatchObject([{ at: new Date(timerOf(step) ?? 0) }]);
  });

  it.each([
    ['an opt-out', 'PARAR'],
    ['a dispute', 'Não reconheço essa dívida'],
    ['a wrong number', 'Esse número não é dessa pessoa'],
  ])('is free again after %s', async (_, words) => {
    const one = await engine.debt(somebody());
    await engine.contact(one);
    await engine.hear(one, words);
    expect(await holds(one)).toEqual([]);
  });

  it.each([
    [
      'is withdrawn',
      (debt: MadeDebt) => engine.requests.withdrawDebt({ clientId: debt.clientId, debtId: debt.id, source: SOURCE }),
    ],
    [
      'is archived with its campaign',
      (debt: MadeDebt) => engine.requests.changeCampaign({ ...debt, change: 'archive', source: SOURCE }),
    ],
  ])('is free again once its debt %s and was woken', async (_, end) => {
    const one = await engine.debt(somebody());
    await engine.contact(one);
    await end(one);
    expect(await engine.contact(one)).toEqual({ kind: 'finish', status: 'STOPPED', needsOperator: false });
    expect(await holds(one)).toEqual([]);
  });

  it('is free again while the campaign is paused', async () => {
    const one = await engine.debt(somebody());
    const at = timerOf(await engine.contact(one));
    await engine.requests.changeCampaign({ ...one, change: 'pause', source: SOURCE });
    await engine.contact(one, at ?? 0);
    expect(await holds(one)).toEqual([]);
  });
});

describe('a pause', () => {
  it('waits for the gates that are deciding, so that no contact is booked after it', async () => {
    const one = await engine.debt(somebody());
    const deciding = Promise.withResolvers<void>();
    const decided = Promise.withResolvers<void>();
    const gate = engine.db.tenant(one.clientId).transactional(async (em) => {
      await blockPausing(em, one);
      deciding.resolve();
      await decided.promise;
    });
    await deciding.promise;
    let paused = false;
    const pause = engine.requests.changeCampaign({ ...one, change: 'pause', source: SOURCE }).then(() => {
      paused = true;
    });
    await until('the pause waits for the gate', async () => {
      const { rows } = await engine.db.pool.query(
        `select 1 from pg_locks where locktype = 'advisory' and not granted
           and database = (select oid from pg_database where datname = current_database())`,
      );
      return rows.length > 0;
    });
    expect(paused).toBe(false);
    decided.resolve();
    await Promise.all([gate, pause]);
    expect(paused).toBe(true);
  });
});

describe('a contact', () => {
  it('whose worker died between booking and sending is never repeated, and counts', async () => {
    const person = somebody();
    const one = await engine.debt(person);
    const attempt = randomUUID();
    // The worker died: nothing after the booking was written.
    const { channel } = engine;
    const never = { ...channel, send: () => new Promise<never>(() => {}) };
    const dying = { ...engine.deps, senderOf: async () => ({ channel: never, credentials: null, number: null }) };
    void contactDebtor(dying)(engine.request(one, WEDNESDAY, attempt));
    await until('it is booked', async () => (await engine.deliveries(one)).length > 0);

    const step = await engine.contact(one, WEDNESDAY, attempt);
    expect(engine.sent).toEqual([]);
    expect(await engine.deliveries(one)).toEqual(['unknown']);
    expect(timerOf(step)).toBeGreaterThan(WEDNESDAY + 2 * DAY);
    const [counted] = await engine.query<{ sent: number }>(
      one,
      'select sum(contacts_sent)::int as sent from campaign_days where campaign_id = $1',
      [one.campaignId],
    );
    expect(counted).toEqual({ sent: 1 });
    expect(await engine.gate(await engine.debt(person))).toEqual({ allowed: false });
    expect((await engine.ledger(one)).filter(({ kind }) => kind === 'booking')).toHaveLength(1);
  });

  it('stands where it was counted, though its answer came before the channel had confirmed it', async () => {
    const one = await engine.debt(somebody());
    const { send } = engine.channel;
    engine.channel.send = async (message) => {
      await set(one, `update debts set last_event_at = '${new Date(WEDNESDAY + 3_000).toISOString()}' where id = $1`);
      return send(message);
    };
    try {
      await engine.contact(one);
    } finally {
      engine.channel.send = send;
    }
    const events = await set(one, `select at from debt_events where debt_id = $1 and kind = 'message_sent'`);
    expect(events).toEqual([{ at: new Date(WEDNESDAY) }]);
  });

  it('that surely failed is taken out of the book, and asks the gate again', async () => {
    const person = somebody();
    const one = await engine.debt(person);
    engine.failNext(new MessagingError('retryable', 'busy'));
    const step = await engine.contact(one);
    expect(timerOf(step)).toBe(WEDNESDAY + 5 * 60_000);
    expect((await engine.ledger(one)).filter(({ kind }) => kind === 'booking')).toEqual([]);
    await engine.contact(one, WEDNESDAY + 5 * 60_000);
    expect(await engine.deliveries(one)).toEqual(['failed', 'sent']);
    expect((await engine.verdicts(one)).map(({ allowed }) => allowed)).toEqual([true, true]);
  });

  it('that surely failed gives its place to whoever comes first', async () => {
    const person = somebody();
    const one = await engine.debt(person);
    engine.failNext(new MessagingError('retryable', 'busy'));
    await engine.contact(one);
    await engine.contact(await engine.debt(person), WEDNESDAY + 60_000);
    await engine.contact(one, WEDNESDAY + 5 * 60_000);
    expect(engine.sent).toHaveLength(1);
    expect((await engine.verdicts(one)).map(({ allowed }) => allowed)).toEqual([true, false]);
  });

  it('whose sending is uncertain counts as made', async () => {
    const person = somebody();
    const one = await engine.debt(person);
    engine.failNext(new MessagingError('unknown_outcome', 'timed out'));
    await engine.contact(one);
    expect(await engine.deliveries(one)).toEqual(['unknown']);
    await engine.contact(await engine.debt(person), WEDNESDAY + 60_000);
    expect(engine.sent).toEqual([]);
  });

  it('of a sender that is blocked uses up no step and calls an operator', async () => {
    const one = await engine.debt(somebody());
    let at = WEDNESDAY;
    for (let n = 0; n < 7; n += 1) {
      engine.failNext(new MessagingError('suspended', 'quality'));
      const step = await engine.contact(one, at);
      expect(step.needsOperator).toBe(true);
      at = timerOf(step) ?? 0;
    }
    expect(await engine.query(one, 'select step from debts where id = $1', [one.id])).toEqual([{ step: 0 }]);
    const mended = await engine.contact(one, at);
    expect(mended.needsOperator).toBe(false);
    expect(engine.sent).toHaveLength(1);
  });

  it('that this number can never get counts as a step', async () => {
    const one = await engine.debt(somebody());
    engine.failNext(new MessagingError('undeliverable', 'no such number'));
    const step = await engine.contact(one);
    expect(timerOf(step)).toBeGreaterThan(WEDNESDAY + 2 * DAY);
    expect((await engine.ledger(one)).filter(({ kind }) => kind === 'booking')).toEqual([]);
  });

  it('that fails five times in a row gives its step up', async () => {
    const one = await engine.debt(somebody());
    let at: number | null = WEDNESDAY;
    for (let n = 0; n < 5; n += 1) {
      engine.failNext(new MessagingError('retryable', 'busy'));
      at = timerOf(await engine.contact(one, at ?? 0));
    }
    expect(await engine.query(one, 'select step from debts where id = $1', [one.id])).toEqual([{ step: 1 }]);
  });

  it('of a debt that is five years old is refused for ever, and the debt ends', async () => {
    const one = await engine.debt({ ...somebody(), dueDate: '2020-01-10' });
    expect(await engine.contact(one)).toMatchObject({ kind: 'finish', status: 'EXHAUSTED' });
    expect(await engine.verdicts(one)).toEqual([{ allowed: false, rules: ['prescription'], notBefore: null }]);
  });
});
