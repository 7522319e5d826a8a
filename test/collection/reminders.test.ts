import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MessagingError } from '../../src/modules/messaging/ports/messaging-channel.ts';
import { settleDebt } from '../../src/modules/payments/use-cases/settle-debt.ts';
import { DAY, engineServices, type MadeDebt, openEngine, somebody } from '../../testing/engine.ts';
import { opened } from '../../testing/opened.ts';
import { SOURCE } from '../../testing/source.ts';
import { day, remindersOf, sp } from './reminded.ts';

const engine = await opened(openEngine());
const { clock, sent } = engine;
const { remind, remindedDebt, follow, messagesOf } = remindersOf(engine);

beforeEach(() => engine.reset());
afterEach(() => engine.reset());

const nextAt = async (debt: MadeDebt): Promise<string> =>
  day(
    (
      await engine.query<{ at: Date }>(debt, 'select next_contact_at as at from debts where id = $1', [debt.id])
    )[0]!.at.getTime(),
  );

describe('a bill that is not due yet', () => {
  it('is reminded of on its days and collected from the day after it is due', async () => {
    const debt = await remindedDebt('2026-11-27', [3, 0]);
    await follow(debt, sp('11-27T23:00'));
    expect(await messagesOf(debt)).toEqual(['reminder 11-24', 'reminder 11-27']);
    expect(await engine.status(debt)).toBe('QUEUED');
    for (const { purpose, text } of sent) {
      expect(purpose).toBe('reminder');
      expect(text).toContain('PARAR');
      expect(text).toContain('Escola Aurora');
      expect(text).not.toMatch(/d[ií]vida|d[ée]bito|atras|cobran|pend[êe]nc|em aberto|vencid|credor/i);
      expect(text).not.toMatch(/150,75|27\/11/);
    }
    await follow(debt, sp('12-01T23:00'));
    expect((await messagesOf(debt)).slice(2)).toEqual(['collection 11-30']);
    expect(sent.at(-1)?.text).toMatch(/em aberto/);
    expect(await engine.status(debt)).toBe('IN_COLLECTION');
    const [counted] = await engine.query<{ contacts_sent: number; reminders_sent: number }>(
      debt,
      `select sum(contacts_sent)::int as contacts_sent, sum(reminders_sent)::int as reminders_sent
       from campaign_days where campaign_id = $1`,
      [debt.campaignId],
    );
    expect(counted).toEqual({ contacts_sent: 1, reminders_sent: 2 });
    const allowed = (await engine.verdicts(debt)).filter((verdict) => verdict.allowed);
    expect(allowed.map(({ rules }) => rules.includes('due'))).toEqual([false, false, true]);
  });

  it('of a due date on a Sunday or a holiday is reminded of on the last day before', async () => {
    const sunday = await remindedDebt('2026-11-29', [0]);
    const holiday = await remindedDebt('2026-11-20', [0]);
    await follow(holiday, sp('11-20T23:00'));
    clock.now = sp('11-18T11:00');
    await follow(sunday, sp('11-29T23:00'));
    expect(await messagesOf(holiday)).toEqual(['reminder 11-19']);
    expect(await messagesOf(sunday)).toEqual(['reminder 11-27']);
  });

  it('that is paid elsewhere an hour before is not reminded of', async () => {
    const debt = await remindedDebt('2026-11-27', [3, 0]);
    await follow(debt, sp('11-24T08:00'));
    await pay(debt);
    await follow(debt, sp('11-27T23:00'));
    expect(await messagesOf(debt)).toEqual([]);
  });

  it('that is paid while its text is composed is not reminded of: the gate sees the payment', async () => {
    const debt = await remindedDebt('2026-11-27', [3]);
    await follow(debt, sp('11-24T08:00'));
    clock.now = sp('11-24T15:00');
    const services = engineServices({
      ...engine.deps,
      agent: {
        ...engine.deps.agent,
        compose: async (...given) => {
          await pay(debt);
          return engine.deps.agent.compose(...given);
        },
      },
    });
    await services.contactDebtor(engine.request(debt));
    expect(await engine.status(debt)).toBe('PAID');
    expect([sent.length, await messagesOf(debt)]).toEqual([0, []]);
    expect((await engine.ledger(debt)).filter(({ kind }) => kind === 'booking')).toEqual([]);
  });

  it('is not reminded of again after an opt-out, and not collected', async () => {
    const debt = await remindedDebt('2026-11-27', [3, 0]);
    await follow(debt, sp('11-25T10:00'));
    await engine.hear(debt, 'PARAR', await phoneOf(debt));
    expect(await engine.status(debt)).toBe('OPTED_OUT');
    await follow(debt, sp('12-20T10:00'));
    expect((await messagesOf(debt)).map((message) => message.split(' ')[0])).toEqual([
      'reminder',
      'opt_out_confirmation',
    ]);
  });

  it('that is disputed before it is due is silent', async () => {
    const debt = await remindedDebt('2026-11-27', [3, 0]);
    await follow(debt, sp('11-24T20:00'));
    await engine.hear(debt, 'Não reconheço essa conta, nunca comprei nada aí', await phoneOf(debt));
    expect(await engine.status(debt)).toBe('DISPUTED');
    await follow(debt, sp('12-20T10:00'));
    expect((await messagesOf(debt)).filter((message) => /reminder|collection/.test(message))).toEqual([
      'reminder 11-24',
    ]);
  });

  it('keeps the silence of a promise, and is then collected as one whose promise has passed', async () => {
    const debt = await remindedDebt('2026-11-27', [3, 0]);
    await follow(debt, sp('11-24T20:00'));
    await engine.hear(debt, 'Vou pagar na segunda-feira', await phoneOf(debt));
    expect(await engine.status(debt)).toBe('PROMISED');
    await follow(debt, sp('11-30T23:00'));
    expect((await messagesOf(debt)).filter((message) => /reminder|collection/.test(message))).toEqual([
      'reminder 11-24',
    ]);
    await follow(debt, sp('12-02T20:00'));
    expect((await messagesOf(debt)).at(-1)).toBe('collection 12-01');
    expect(sent.at(-1)?.text).toContain('O dia que você indicou');
  });

  it('counts for the caps, so that another client waits', async () => {
    const person = somebody();
    const debt = await remindedDebt('2026-11-27', [3], person);
    const other = await engine.debt(person);
    await follow(debt, sp('11-24T18:30'));
    expect(await messagesOf(debt)).toEqual(['reminder 11-24']);
    clock.now = sp('11-24T18:40');
    await engine.services.contactDebtor(engine.request(other));
    expect(await messagesOf(other)).toEqual([]);
    expect((await engine.verdicts(other)).at(-1)).toMatchObject({ allowed: false, rules: ['scheduling'] });
  });

  it('whose reminder fails is reminded of again on the same day', async () => {
    const debt = await remindedDebt('2026-11-27', [3]);
    await follow(debt, sp('11-23T12:00'));
    engine.failNext(new MessagingError('retryable', 'later'));
    await follow(debt, sp('11-24T18:00'));
    expect(await messagesOf(debt)).toEqual(['reminder 11-24']);
    expect(await engine.deliveries(debt)).toEqual(['failed', 'sent']);
    expect(await nextAt(debt)).toBe('11-30');
  });
});

describe('several bills of one person', () => {
  it('that have a reminder on one day are in one message, and what is due is in none of it', async () => {
    const person = somebody();
    const debt = await remindedDebt('2026-11-27', [3, 0], person);
    const { clientId, campaignId } = debt;
    const same = await engine.debt({ ...person, clientId, campaignId, dueDate: '2026-11-27' });
    const later = await engine.debt({ ...person, clientId, campaignId, dueDate: '2026-12-10' });
    const due = await engine.debt({ ...person, clientId, campaignId, status: 'IN_COLLECTION' });
    await engine.query(due, `update debts set step = 1, next_contact_at = '2026-12-20' where id = $1`, [due.id]);
    await follow(debt, sp('11-24T18:00'));
    for (const each of [debt, same]) expect(await messagesOf(each)).toEqual(['reminder 11-24']);
    for (const each of [later, due]) expect(await messagesOf(each)).toEqual([]);
    expect(sent).toHaveLength(1);
    expect(sent[0]?.text).toContain('2 contas');
    // Its own workflow wakes up for a reminder that it has had, and waits for the next one.
    clock.now = sp('11-24T18:10');
    await engine.services.contactDebtor(engine.request(same));
    expect(sent).toHaveLength(1);
    expect(await nextAt(same)).toBe('11-27');
  });

  it('are never in a message that collects another one', async () => {
    const person = somebody();
    const bill = await remindedDebt('2026-11-27', [3], person);
    const due = await engine.debt({ ...person, clientId: bill.clientId, campaignId: bill.campaignId });
    clock.now = sp('11-24T10:00');
    await engine.services.contactDebtor(engine.request(due));
    expect(await messagesOf(due)).toEqual(['collection 11-24']);
    expect(await messagesOf(bill)).toEqual([]);
    // The caps decide: the day of the reminder is over with it.
    await follow(bill, sp('11-26T20:00'));
    expect(await messagesOf(bill)).toEqual([]);
    expect(await nextAt(bill)).toBe('11-30');
  });
});

describe('the settings', () => {
  it('take effect for bills that wait already, and wake them', async () => {
    const debt = await engine.debt({ ...somebody(), dueDate: '2026-11-27' });
    await follow(debt, sp('11-18T12:00'));
    expect(await nextAt(debt)).toBe('11-30');
    await remind(debt, [3]);
    const [woken] = await engine.query<{ count: number }>(
      debt,
      `select count(*)::int as count from outbox where payload::text like '%' || $1 || '%'`,
      [debt.campaignId],
    );
    expect(woken?.count).toBeGreaterThan(0);
    await follow(debt, sp('11-18T13:00'));
    expect(await nextAt(debt)).toBe('11-24');
    await remind(debt, null);
    await follow(debt, sp('11-18T14:00'));
    expect(await nextAt(debt)).toBe('11-30');
    await follow(debt, sp('11-27T20:00'));
    expect(await messagesOf(debt)).toEqual([]);
  });

  it('that change on the day of a reminder do not repeat it', async () => {
    const debt = await remindedDebt('2026-11-27', [3]);
    await follow(debt, sp('11-24T12:00'));
    await remind(debt, [3, 1]);
    await follow(debt, sp('11-24T18:00'));
    expect(await messagesOf(debt)).toEqual(['reminder 11-24']);
    expect(await nextAt(debt)).toBe('11-26');
  });

  it.each([
    ['before the gate has decided', 'compose', []],
    ['after the reminder was booked', 'send', ['reminder 11-24']],
  ] as const)('that end the reminders %s', async (_, moment, expected) => {
    const debt = await remindedDebt('2026-11-27', [3, 0]);
    await follow(debt, sp('11-24T08:00'));
    clock.now = sp('11-24T15:00');
    const services = engineServices({
      ...engine.deps,
      agent: {
        ...engine.deps.agent,
        compose: async (...given) => {
          if (moment === 'compose') await remind(debt, null);
          return engine.deps.agent.compose(...given);
        },
      },
    });
    let ended: Promise<unknown> | null = null;
    await services.contactDebtor(engine.request(debt), () => {
      if (moment === 'send') ended = remind(debt, null);
    });
    await ended;
    expect(await messagesOf(debt)).toEqual(expected);
    expect(sent.map(({ purpose }) => purpose)).toEqual(expected.map(() => 'reminder'));
    expect((await engine.ledger(debt)).filter(({ kind }) => kind === 'booking')).toHaveLength(expected.length);
    // Nothing more is reminded of, and the bill is collected when its time has come.
    await follow(debt, sp('11-27T23:00'));
    expect(await messagesOf(debt)).toEqual(expected);
    expect(await nextAt(debt)).toBe('11-30');
    expect(await engine.status(debt)).toBe('QUEUED');
  });

  it('of a paused campaign let no reminder out, and one that was missed is not made up for', async () => {
    const debt = await remindedDebt('2026-11-27', [3, 0]);
    await follow(debt, sp('11-23T12:00'));
    const { clientId, campaignId } = debt;
    await engine.requests.changeCampaign({ clientId, campaignId, change: 'pause', source: SOURCE });
    await follow(debt, sp('11-25T12:00'));
    expect(await messagesOf(debt)).toEqual([]);
    await engine.requests.changeCampaign({ clientId, campaignId, change: 'resume', source: SOURCE });
    await follow(debt, sp('11-27T20:00'));
    expect(await messagesOf(debt)).toEqual(['reminder 11-27']);
  });
});

const phoneOf = async (debt: MadeDebt): Promise<string> =>
  (await engine.query<{ phone: string }>(debt, 'select debtor_phone as phone from debts where id = $1', [debt.id]))[0]!
    .phone;

const pay = (debt: MadeDebt) =>
  settleDebt({ ...engine.deps.payments, db: engine.ofApi.db })({
    clientId: debt.clientId,
    debtId: debt.id,
    paymentId: crypto.randomUUID(),
    amountCentavos: 15_075,
    paidAt: new Date(clock.now - DAY),
    method: 'cash',
    note: null,
    rest: null,
    source: SOURCE,
  });
