import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { blockPausing } from '../../src/modules/accounts/queries/pause-locks.ts';
import { contactDebtor } from '../../src/modules/collection/contact/contact-debtor.ts';
import { type NextStep, timerOf } from '../../src/modules/debts/rules/next-step.ts';
import { MessagingError } from '../../src/modules/messaging/ports/messaging-channel.ts';
import { loadPolicy } from '../../src/modules/policy/use-cases/load-policy.ts';
import { DAY, HOUR, type MadeDebt, openEngine, somebody, WEDNESDAY, withoutKnown } from '../../testing/engine.ts';
import { opened } from '../../testing/opened.ts';
import { until } from '../../testing/poll.ts';
import { SOURCE } from '../../testing/source.ts';

const engine = await opened(openEngine());
afterEach(engine.reset);

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
    expect(await engine.gate(one)).toEqual({ kind: 'refused' });
    expect((await engine.verdicts(one)).at(-1)).toMatchObject({ allowed: false, rules: [rule] });
    expect(await engine.deliveries(one)).toEqual([]);
    expect((await engine.ledger(one)).filter(({ kind }) => kind === 'booking')).toEqual([]);
  });

  it('a contact for a company that has changed since the operator checked it, and goes on after the next check', async () => {
    const one = await engine.debt(somebody());
    await set(
      one,
      `update clients set name = 'Banco Alheio' from debts where clients.id = client_id and debts.id = $1`,
    );
    const staff = { clientId: one.clientId, debtId: one.id, text: 'Maria, podemos conversar?', source: SOURCE };
    await expect(
      engine.requests.writeToDebtor({ ...staff, messageId: randomUUID(), confirm: true }),
    ).rejects.toMatchObject({ code: 'contact_blocked', verdict: { rules: ['client_not_verified'] } });
    const sentBefore = engine.sent.length;
    await engine.contact(one);
    expect((await engine.verdicts(one)).at(-1)).toMatchObject({ rules: ['client_not_verified'], notBefore: null });
    expect(engine.sent).toHaveLength(sentBefore);
    // A person who writes is answered by whoever the operator has checked.
    await engine.hear(one, 'quem é você?');
    expect(engine.sent).toHaveLength(sentBefore + 1);
    expect(engine.sent.at(-1)?.text).toContain('Escola Aurora');
    expect(engine.sent.at(-1)?.text).not.toContain('Banco Alheio');
    engine.clock.now += 7 * DAY;
    await engine.contact(one);
    const { woken } = await engine.services.wakePaused();
    await engine.verify(one.clientId);
    expect((await engine.services.wakePaused()).woken).toBe(woken + 1);
    await engine.contact(one);
    expect(engine.sent.at(-1)?.text).toContain('Banco Alheio');
  });

  it('nothing of a simulated debt because of the operator’s check', async () => {
    const one = await engine.debt({ ...somebody(), sandbox: true, verified: false });
    expect(await engine.gate(one)).toMatchObject({ kind: 'allowed' });
  });

  it('a contact before a simulated debtor has said what is due, because no time passes in a simulation', async () => {
    const one = await engine.debt({ ...somebody(), sandbox: true });
    await set(
      one,
      `insert into sandbox_acts (client_id, debt_id, kind, text, due_at)
        select client_id, id, 'say', 'PARAR', quita_now() from debts where id = $1`,
    );
    expect(await engine.gate(one)).toEqual({ kind: 'refused' });
    expect((await engine.verdicts(one)).at(-1)).toMatchObject({ allowed: false, rules: ['inbox'] });
    await set(one, 'update sandbox_acts set done_at = quita_now() where debt_id = $1');
    engine.clock.now += 10 * 60_000;
    expect(await engine.gate(one)).toMatchObject({ kind: 'allowed' });
  });

  it('an evening contact, and names the next morning', async () => {
    const one = await engine.debt(somebody());
    engine.clock.now = WEDNESDAY + 9 * HOUR;
    await engine.gate(one);
    expect(await engine.verdicts(one)).toMatchObject([
      { allowed: false, rules: ['window'], notBefore: '2026-11-19T12:00:00.000Z' },
    ]);
  });
});

describe('another client’s contacts', () => {
  it('block, and the refusal shows only scheduling and the next opening', async () => {
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

  it('do not count in the answer of contact-eligibility', async () => {
    const person = somebody();
    await engine.contact(await engine.debt(person));
    const other = await engine.debt(person);
    const asked = { clientId: other.clientId, debtId: other.id };
    expect(await engine.requests.checkEligibility(asked)).toMatchObject({ allowed: true, notBefore: null });
    await expect(
      engine.requests.checkEligibility({ ...asked, clientId: (await engine.debt(somebody())).clientId }),
    ).rejects.toMatchObject({ code: 'not_found' });
  });

  it('of the same client are shown with their own rule', async () => {
    const person = somebody();
    const first = await engine.debt(person);
    const second = await engine.debt({ ...person, clientId: first.clientId, campaignId: first.campaignId });
    await engine.contact(first);
    const eligibility = await engine.requests.checkEligibility({ clientId: second.clientId, debtId: second.id });
    expect(eligibility).toMatchObject({ allowed: false, rules: ['caps'], notBefore: '2026-11-19T12:00:00.000Z' });
    expect(eligibility.ruleIds).toEqual(['br-cap-day']);
  });

  it('make the answer of contact-eligibility `scheduling` as soon as the gate has planned around them', async () => {
    const person = somebody();
    for (const day of [0, 1]) await engine.contact(await engine.debt(person), WEDNESDAY + day * DAY);
    const other = await engine.debt(person);
    await set(other, 'update debts set score = 100, scored_at = quita_now() where id = $1');
    const { clientId, campaignId } = other;
    const { debts } = await engine.services.planCollection({ clientId, campaignId, after: null });
    expect(debts[0]!.firstAt).toBeGreaterThan(WEDNESDAY + 2 * DAY);
    // The true moment is on Monday. The client sees its own next opening, because the true one would tell when
    // another client wrote.
    expect(await engine.requests.checkEligibility({ clientId, debtId: other.id })).toMatchObject({
      allowed: false,
      rules: ['scheduling'],
      ruleIds: [],
      notBefore: '2026-11-19T12:00:00.000Z',
    });
    await engine.contact(other);
    expect((await engine.verdicts(other)).at(-1) ?? { allowed: false }).not.toMatchObject({ allowed: true });
  });

  it('and a sequence that waits are told apart by contact-eligibility', async () => {
    const one = await engine.debt(somebody());
    await engine.contact(one);
    engine.clock.now = WEDNESDAY + DAY;
    const asked = { clientId: one.clientId, debtId: one.id };
    expect(await engine.requests.checkEligibility(asked)).toMatchObject({ allowed: true });
  });
});

describe('a verdict', () => {
  const dataOf = async (debt: MadeDebt) =>
    (
      await engine.query<{ data: object }>(
        debt,
        `select data from debt_events where debt_id = $1 and kind = 'verdict' order by seq`,
        [debt.id],
      )
    ).map(({ data }) => data);
  const pack = { id: 'br', version: loadPolicy().pack.version };

  it('stores the pack, its version and the rules that allowed the contact', async () => {
    const one = await engine.debt(somebody());
    await engine.contact(one);
    expect(await dataOf(one)).toMatchObject([
      { allowed: true, pack, ruleIds: expect.arrayContaining(['br-hours', 'br-sp-lei-15426-2014', 'br-cap-week']) },
    ]);
  });

  it('stores the rules that blocked it, and eligibility names the same ones', async () => {
    const one = await engine.debt(somebody());
    engine.clock.now = WEDNESDAY + 12 * HOUR;
    const eligibility = await engine.requests.checkEligibility({ clientId: one.clientId, debtId: one.id });
    await engine.gate(one);
    expect(await dataOf(one)).toEqual([eligibility]);
    expect(eligibility).toEqual({
      allowed: false,
      rules: ['window'],
      ruleIds: ['br-hours', 'br-sp-lei-15426-2014'],
      pack,
      notBefore: '2026-11-19T12:00:00.000Z',
    });
  });
});

describe('a reserved slot', () => {
  const holds = async (debt: MadeDebt) => (await engine.ledger(debt)).filter(({ kind }) => kind === 'reservation');

  it('is kept for the next contact of the sequence', async () => {
    const one = await engine.debt(somebody());
    const step = await engine.contact(one);
    expect(await holds(one)).toMatchObject([{ at: new Date(timerOf(step) ?? 0) }]);
  });

  it.each([
    ['an opt-out', 'PARAR'],
    ['a dispute', 'Não reconheço essa dívida'],
    ['a wrong number', 'Esse número não é dessa pessoa'],
  ])('is released after %s', async (_, words) => {
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
  ])('is released once its debt %s and was woken', async (_, end) => {
    const one = await engine.debt(somebody());
    await engine.contact(one);
    await end(one);
    expect(withoutKnown(await engine.contact(one))).toEqual({
      kind: 'finish',
      status: 'STOPPED',
      needsOperator: false,
    });
    expect(await holds(one)).toEqual([]);
  });

  it('is released while the campaign is paused', async () => {
    const one = await engine.debt(somebody());
    const at = timerOf(await engine.contact(one));
    await engine.requests.changeCampaign({ ...one, change: 'pause', source: SOURCE });
    await engine.contact(one, at ?? 0);
    expect(await holds(one)).toEqual([]);
  });
});

describe('a pause', () => {
  it('waits for gates in progress, so that no contact is booked after it', async () => {
    const one = await engine.debt(somebody());
    const deciding = Promise.withResolvers<void>();
    const decided = Promise.withResolvers<void>();
    const gate = engine.db.tenant(one.clientId).transactional(async (tx) => {
      await blockPausing(tx, [one.clientId, one.campaignId]);
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
  it('whose worker died between booking and sending is not repeated, and counts', async () => {
    const person = somebody();
    const one = await engine.debt(person);
    const attempt = randomUUID();
    // The worker died, so nothing was stored after the booking.
    const { channel } = engine;
    const never = { ...channel, send: () => new Promise<never>(() => {}) };
    const sender = { channel: never, credentials: null, id: null, number: null };
    const dying = { ...engine.deps, sendersOf: async () => [sender] };
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
    expect(await engine.gate(await engine.debt(person))).toEqual({ kind: 'refused' });
    expect((await engine.ledger(one)).filter(({ kind }) => kind === 'booking')).toHaveLength(1);
  });

  it('keeps its counted moment when the debtor answers before the channel confirms it', async () => {
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

  it('that certainly failed is removed from the ledger, and the gate decides again', async () => {
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

  it('that certainly failed releases its slot to the first debt that asks', async () => {
    const person = somebody();
    const one = await engine.debt(person);
    engine.failNext(new MessagingError('retryable', 'busy'));
    await engine.contact(one);
    await engine.contact(await engine.debt(person), WEDNESDAY + 60_000);
    await engine.contact(one, WEDNESDAY + 5 * 60_000);
    expect(engine.sent).toHaveLength(1);
    expect((await engine.verdicts(one)).map(({ allowed }) => allowed)).toEqual([true, false]);
  });

  it('with an uncertain outcome counts as made', async () => {
    const person = somebody();
    const one = await engine.debt(person);
    engine.failNext(new MessagingError('unknown_outcome', 'timed out'));
    await engine.contact(one);
    expect(await engine.deliveries(one)).toEqual(['unknown']);
    await engine.contact(await engine.debt(person), WEDNESDAY + 60_000);
    expect(engine.sent).toEqual([]);
  });

  it('of a blocked sender uses up no step and sets NEEDS_OPERATOR', async () => {
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

  const stepOf = (debt: MadeDebt) => engine.query(debt, 'select step from debts where id = $1', [debt.id]);

  it('that this number can never get ends the debt as unreachable when nobody was reached', async () => {
    const one = await engine.debt(somebody());
    engine.failNext(new MessagingError('undeliverable', 'no such number'));
    expect(await engine.contact(one)).toMatchObject({ kind: 'finish', status: 'UNREACHABLE' });
    expect((await engine.ledger(one)).filter(({ kind }) => kind === 'booking')).toEqual([]);
  });

  async function failFiveTimes(debt: MadeDebt, from: number): Promise<NextStep> {
    let at = from;
    for (let n = 0; n < 4; n += 1) {
      engine.failNext(new MessagingError('retryable', 'busy'));
      at = timerOf(await engine.contact(debt, at)) ?? 0;
    }
    engine.failNext(new MessagingError('retryable', 'busy'));
    return engine.contact(debt, at);
  }

  it('that fails five times in a row ends the debt as unreachable when nobody was reached', async () => {
    const one = await engine.debt(somebody());
    expect(await failFiveTimes(one, WEDNESDAY)).toMatchObject({ kind: 'finish', status: 'UNREACHABLE' });
  });

  it('that fails five times in a row gives its step up when an earlier message reached the person', async () => {
    const one = await engine.debt(somebody());
    const next = timerOf(await engine.contact(one)) ?? 0;
    expect(await failFiveTimes(one, next)).toMatchObject({ kind: 'wait' });
    expect(await stepOf(one)).toEqual([{ step: 2 }]);
  });

  it('of a throttled sender never uses up a step, however often it is refused', async () => {
    const one = await engine.debt(somebody());
    let at = WEDNESDAY;
    for (let n = 0; n < 8; n += 1) {
      engine.failNext(new MessagingError('retryable', 'slow down', { scope: 'sender', retryAfterSeconds: 60 }));
      at = timerOf(await engine.contact(one, at)) ?? 0;
    }
    expect(await stepOf(one)).toEqual([{ step: 0 }]);
    expect(await engine.status(one)).toBe('IN_COLLECTION');
    // Nor do its refusals count beside one failure that is about the recipient.
    engine.failNext(new MessagingError('retryable', 'busy'));
    at = timerOf(await engine.contact(one, at)) ?? 0;
    expect(await engine.status(one)).toBe('IN_COLLECTION');
    await engine.contact(one, at);
    expect(await stepOf(one)).toEqual([{ step: 1 }]);
  });

  it('of a debt that is five years old is refused finally, and the debt ends', async () => {
    const one = await engine.debt({ ...somebody(), dueDate: '2020-01-10' });
    expect(await engine.contact(one)).toMatchObject({ kind: 'finish', status: 'EXHAUSTED' });
    expect(await engine.verdicts(one)).toEqual([{ allowed: false, rules: ['prescription'], notBefore: null }]);
  });
});
