import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { AppError } from '../../src/kernel/errors.ts';
import { writeToDebtor } from '../../src/modules/collection/staff/write-to-debtor.ts';
import { timerOf } from '../../src/modules/debts/rules/next-step.ts';
import { readDebt } from '../../src/modules/debts/use-cases/read-debt.ts';
import { type MessagingChannel, MessagingError } from '../../src/modules/messaging/ports/messaging-channel.ts';
import type { Sender } from '../../src/modules/messaging/use-cases/deps.ts';
import type { Database } from '../../src/platform/database/database.ts';
import {
  DAY,
  engineServices,
  type GivenDebt,
  HOUR,
  type MadeDebt,
  openEngine,
  somebody,
  WEDNESDAY,
} from '../../testing/engine.ts';
import { opened } from '../../testing/opened.ts';
import { SOURCE } from '../../testing/source.ts';

const engine = await opened(openEngine());
afterEach(engine.reset);

const newDebt = (given: GivenDebt = {}) => engine.debt({ ...somebody(), ...given });
const alsoOf = (debt: MadeDebt) => ({ clientId: debt.clientId, campaignId: debt.campaignId });
const asked = (debt: MadeDebt) => ({ clientId: debt.clientId, debtId: debt.id, source: SOURCE });
const TEXT = 'Oi, Maria. Aqui fala a Ana, da escola: como posso ajudar?';

const write = (debt: MadeDebt, text = TEXT, confirm = false, messageId: string = randomUUID()) =>
  engine.requests.writeToDebtor({ ...asked(debt), messageId, text, confirm });
const work = (debt: MadeDebt) => engine.services.answerDebtor(engine.request(debt));
const refusal = (debt: MadeDebt, text = TEXT, confirm = false): Promise<AppError> =>
  write(debt, text, confirm).then(
    () => Promise.reject(new Error('It was taken')),
    (error: AppError) => error,
  );
const rulesOf = async (debt: MadeDebt) => (await refusal(debt)).verdict?.rules;
const codesOf = async (debt: MadeDebt, text: string, confirm = false) =>
  (await refusal(debt, text, confirm)).errors?.map(({ code }) => code);
const timelineOf = async ({ clientId, id: debtId }: MadeDebt) =>
  (await readDebt(engine.ofApi)({ clientId, debtId })).timeline;
const ofStaff = async (debt: MadeDebt) => (await timelineOf(debt)).filter((entry) => 'author' in entry);
const inboxOf = async (debt: MadeDebt) =>
  (
    await engine.query<{ reason: string }>(
      debt,
      'select reason from inbox_items where debt_id = $1 and closed_at is null order by reason',
      [debt.id],
    )
  ).map(({ reason }) => reason);
const purposes = () => engine.sent.map(({ purpose }) => purpose);
const bookings = async (debt: MadeDebt) => (await engine.ledger(debt)).filter(({ kind }) => kind === 'booking');

describe('a person answers', () => {
  it('the debtor who waits is answered at any hour, the agent is silent, and speaks again after hand-back', async () => {
    engine.clock.now = WEDNESDAY + 12 * HOUR;
    const one = await newDebt();
    const other = await newDebt({ ...alsoOf(one) });
    await engine.hear(one, 'Quero falar com um atendente');
    expect(await engine.status(one)).toBe('ON_HOLD');
    // The agent's note that a person will answer is no answer; so staff may answer days later.
    engine.clock.now += 5 * DAY;
    expect(await write(one)).toMatchObject({ purpose: 'reply', channel: 'sandbox' });
    await work(one);
    expect(engine.sent.at(-1)).toMatchObject({ purpose: 'reply', text: TEXT });
    expect(await ofStaff(one)).toMatchObject([
      { kind: 'message_sent', channel: 'sandbox', purpose: 'reply', text: TEXT, delivery: 'sent', author: 'staff' },
    ]);
    expect(await bookings(one)).toEqual([]);

    const before = engine.sent.length;
    await engine.hear(one, 'Quanto eu devo?');
    expect(engine.sent).toHaveLength(before);
    const answered = await engine.query<{ intent: string }>(
      one,
      `select intent from messages where direction = 'in' and debt_id = $1 order by created_at`,
      [one.id],
    );
    expect(answered.at(-1)?.intent).toBe('question');

    await engine.requests.handBack(asked(one));
    await engine.hear(one, 'E quando venceu?');
    expect(engine.sent).toHaveLength(before + 1);
    await expect(engine.requests.handBack(asked(one))).rejects.toMatchObject({ code: 'debt_state' });
    await expect(engine.requests.handBack(asked(other))).rejects.toMatchObject({ code: 'debt_state' });
  });

  it('all debts of the person share the conversation, the inbox tells what the debtor writes, and an answer ends that', async () => {
    const one = await newDebt({ cpf: '52998224725', phone: '+5511980001000' });
    const two = await engine.debt({ ...alsoOf(one), cpf: '52998224725', phone: '+5511980001000' });
    await engine.hear(one, 'Quanto eu devo?');
    await write(one);
    await work(one);
    const before = engine.sent.length;
    await engine.hear(two, 'E esta outra conta, de quanto é?');
    expect(engine.sent).toHaveLength(before);
    expect(await inboxOf(two)).toEqual(['human']);
    await write(two, 'Maria, é a mensalidade.');
    await work(two);
    expect(await inboxOf(two)).toEqual([]);
  });

  it('two business days later the agent answers and collects again', async () => {
    const one = await newDebt();
    await engine.contact(one);
    await engine.hear(one, 'Quanto eu devo?');
    await write(one);
    const step = await work(one);
    // Friday is a holiday, so the days are Thursday and Monday.
    expect(timerOf(step)).toBeGreaterThanOrEqual(Date.UTC(2026, 10, 24, 12));
    await engine.query(one, 'update debts set next_contact_at = null where id = $1', [one.id]);
    await engine.contact(one, Date.UTC(2026, 10, 23, 15));
    expect((await engine.verdicts(one)).at(-1)).toMatchObject({ allowed: false, rules: ['person_answering'] });
    engine.clock.now = Date.UTC(2026, 10, 24, 15);
    const before = engine.sent.length;
    await engine.hear(one, 'E quando venceu?');
    expect(engine.sent).toHaveLength(before + 1);
    await engine.contact(one, Date.UTC(2026, 10, 30, 15));
    expect(purposes().filter((purpose) => purpose === 'collection')).toHaveLength(2);
  });

  it('an opt-out is obeyed and confirmed, and the message that staff had written is not sent', async () => {
    const one = await newDebt();
    await engine.hear(one, 'Quanto eu devo?');
    await write(one);
    await engine.hear(one, 'PARAR');
    expect(await engine.status(one)).toBe('OPTED_OUT');
    expect(purposes()).toEqual(['reply', 'opt_out_confirmation']);
    expect(await ofStaff(one)).toMatchObject([
      { kind: 'message_sent', delivery: 'failed', reason: 'contact_blocked', rules: ['opt_out'], text: TEXT },
    ]);
    expect(await inboxOf(one)).toContain('undelivered');
    expect(await rulesOf(one)).toEqual(['opt_out']);
    await engine.hear(one, 'Quanto eu devo mesmo?');
    expect((await refusal(one)).verdict).toMatchObject({ rules: ['opt_out'], ruleIds: ['br-opt-out'] });
  });

  it('nobody writes to a wrong person', async () => {
    const one = await newDebt();
    await engine.hear(one, 'Esse número não é dessa pessoa');
    expect(await rulesOf(one)).toEqual(['wrong_person', 'stopped']);
  });
});

describe('staff open the conversation', () => {
  it('the message is a contact for every cap, carries identity, link and opt-out, and keeps the step', async () => {
    const person = somebody();
    const one = await engine.debt(person);
    const elsewhere = await engine.debt(person);
    expect(await write(one)).toMatchObject({ purpose: 'collection' });
    await work(one);
    expect(purposes()).toEqual(['collection']);
    expect(engine.sent[0]?.text).toContain(TEXT);
    expect(engine.sent[0]?.text).toMatch(
      /\nhttps:\/\/quita\.example\/p\/[\w-]{23}\n\nCredor: Escola Aurora · CNPJ 11\.222\.333\/0001-81\nPara não receber mais mensagens/,
    );
    expect(await bookings(one)).toHaveLength(1);
    expect(await engine.status(one)).toBe('IN_COLLECTION');
    const [row] = await engine.query<{ step: number; next: Date }>(
      one,
      'select step, next_contact_at as next from debts where id = $1',
      [one.id],
    );
    expect(row?.step).toBe(0);
    expect(row?.next.getTime()).toBeGreaterThan(WEDNESDAY + DAY);
    const [verdict, message] = (await timelineOf(one)).filter(
      (entry) => entry.kind === 'verdict' || entry.kind === 'message_sent',
    );
    expect(verdict).toMatchObject({ allowed: true });
    expect(message).toMatchObject({ purpose: 'collection', author: 'staff', messageId: verdict?.messageId });
    // The day of the person is used up, for the agent, for staff and for other clients, which learn no reason.
    await engine.requests.handBack(asked(one));
    expect(await engine.gate(one)).toEqual({ kind: 'refused' });
    expect(await rulesOf(one)).toEqual(['caps']);
    expect(await write(elsewhere)).toMatchObject({ purpose: 'collection' });
    await work(elsewhere);
    expect(await ofStaff(elsewhere)).toMatchObject([{ delivery: 'failed', rules: ['scheduling'] }]);
    expect(engine.sent).toHaveLength(1);
  });

  it('outside the window, on hold, paid or before the launch it is refused with its rules', async () => {
    const [open, held, paid, draft] = [
      await newDebt(),
      await newDebt({ status: 'ON_HOLD' }),
      await newDebt({ status: 'PAID' }),
      await newDebt({ status: 'IMPORTED' }),
    ];
    expect(await rulesOf(held)).toEqual(['hold']);
    expect(await rulesOf(paid)).toEqual(['paid']);
    expect(await rulesOf(draft)).toEqual(['not_launched']);
    engine.clock.now = WEDNESDAY + 12 * HOUR;
    const error = await refusal(open);
    expect(error).toMatchObject({
      code: 'contact_blocked',
      verdict: { allowed: false, rules: ['window'], pack: { id: 'br' }, notBefore: '2026-11-19T12:00:00.000Z' },
    });
    await engine.hear(draft, 'Que conta é essa?');
    expect(await write(draft)).toMatchObject({ purpose: 'reply' });
  });

  it('the window that closes before the sending stops it, and the debt waits in the inbox', async () => {
    const one = await newDebt();
    await write(one);
    engine.clock.now = WEDNESDAY + 12 * HOUR;
    await work(one);
    expect(engine.sent).toEqual([]);
    expect(await ofStaff(one)).toMatchObject([{ delivery: 'failed', rules: ['window'] }]);
    expect(await inboxOf(one)).toEqual(['undelivered']);
    expect(await bookings(one)).toEqual([]);
  });

  it('a process that stands still after the decision does not send it at night, and the writer is told', async () => {
    const one = await newDebt();
    await write(one);
    // The text is kept for "É verdade?" after the decision, and the machine sleeps there until 23:00.
    const standsStill = new Proxy(engine.deps.textHashes, {
      get: (target, name) => {
        engine.clock.now = WEDNESDAY + 12 * HOUR;
        return Reflect.get(target, name);
      },
    });
    const slow = engineServices({ ...engine.deps, textHashes: standsStill });
    await slow.answerDebtor(engine.request(one));
    expect(engine.sent).toEqual([]);
    expect(await ofStaff(one)).toMatchObject([{ delivery: 'failed' }]);
    expect(await inboxOf(one)).toEqual(['undelivered']);
    expect(await bookings(one)).toEqual([]);
    // It says nothing of the phone, which is given up after five failures.
    const failed = 'select failure, sender_failed as apart from messages where debt_id = $1';
    expect(await engine.query(one, failed, [one.id])).toEqual([{ failure: 'late', apart: true }]);
  });
});

describe('a message of staff is sent once', () => {
  it('however often it is asked for and worked on', async () => {
    const one = await newDebt();
    const id = randomUUID();
    const first = await write(one, TEXT, false, id);
    expect(await write(one, TEXT, false, id)).toEqual(first);
    await Promise.all([work(one), work(one)]);
    await work(one);
    expect(engine.sent).toHaveLength(1);
    expect(await write(one, TEXT, false, id)).toMatchObject({ id });
    expect(await bookings(one)).toHaveLength(1);
  });

  it('a process that dies after the booking leaves an unknown message that is not repeated', async () => {
    const one = await newDebt();
    await write(one);
    await engine.query(one, `update messages set delivery = 'booked' where debt_id = $1 and staff`, [one.id]);
    await work(one);
    expect(engine.sent).toEqual([]);
    expect(await ofStaff(one)).toMatchObject([{ delivery: 'unknown' }]);
  });

  it('one that certainly failed is no contact, and the writer is told', async () => {
    const one = await newDebt();
    await write(one);
    engine.failNext(new MessagingError('undeliverable', 'no such account'));
    await work(one);
    expect(await ofStaff(one)).toMatchObject([{ delivery: 'failed' }]);
    expect(await bookings(one)).toEqual([]);
    expect(await inboxOf(one)).toEqual(['undelivered']);
  });

  it('the writer is told of a failure also where the case of an earlier one was put off', async () => {
    const one = await newDebt();
    await write(one);
    engine.failNext(new MessagingError('undeliverable', 'no such account'));
    await work(one);
    expect(await inboxOf(one)).toEqual(['undelivered']);
    await engine.query(one, "update inbox_items set snoozed_until = quita_now() + interval '30 days'", []);
    engine.clock.now += DAY;
    await write(one, 'Oi, Maria. Aqui fala a Ana, da escola: conseguiu ver a nossa mensagem?');
    engine.failNext(new MessagingError('undeliverable', 'no such account'));
    await work(one);
    expect(await engine.query(one, 'select reason, snoozed_until from inbox_items', [])).toEqual([
      { reason: 'undelivered', snoozed_until: null },
    ]);
  });

  it('the writer is told of a failure also when the process dies right after it is recorded', async () => {
    const one = await newDebt();
    await write(one);
    let left = Number.POSITIVE_INFINITY;
    const failing: MessagingChannel = {
      ...engine.channel,
      send: async () => {
        left = 1;
        throw new MessagingError('undeliverable', 'no such account');
      },
    };
    const { db } = engine.deps;
    const dying: Database = {
      ...db,
      tenant: (clientId) => {
        const tenant = db.tenant(clientId);
        return {
          ...tenant,
          transactional: async (run, options) => {
            left -= 1;
            if (left < 0) throw new Error('The process has died.');
            return tenant.transactional(run, options);
          },
        };
      },
    };
    const sendersOf = async () => [{ channel: failing, credentials: null, id: null, number: null }];
    const killed = engineServices({ ...engine.deps, db: dying, sendersOf });
    const task = engine.request(one);
    // It fails only where it has more to store.
    await Promise.allSettled([killed.answerDebtor(task)]);
    await engine.services.answerDebtor(task);
    expect(await ofStaff(one)).toMatchObject([{ delivery: 'failed' }]);
    expect(await bookings(one)).toEqual([]);
    expect(await inboxOf(one)).toEqual(['undelivered']);
  });
});

describe('a channel that reports a failure later', () => {
  it('ends the contact and leaves the step as it was', async () => {
    const one = await newDebt();
    await engine.contact(one);
    await engine.query(one, `update contact_ledger set at = at - interval '5 days' where debt_id = $1`, [one.id]);
    await write(one);
    await work(one);
    expect(await bookings(one)).toHaveLength(2);
    await engine.query(
      one,
      `update messages set delivery = 'failed', failure = 'undeliverable', is_undo_due = true where debt_id = $1 and staff`,
      [one.id],
    );
    await engine.contact(one);
    expect(await bookings(one)).toHaveLength(1);
    expect(await engine.query(one, 'select step from debts where id = $1', [one.id])).toEqual([{ step: 1 }]);
    expect(await inboxOf(one)).toContain('undelivered');
  });
});

describe('the text', () => {
  it('what the law forbids is refused, confirmed or not; the rest is a warning', async () => {
    const one = await newDebt();
    const text = 'Pague 50 reais amanhã ou vamos à polícia.';
    expect(await codesOf(one, text)).toEqual(['threat', 'warning_missing', 'warning_number', 'warning_date']);
    expect(await codesOf(one, text, true)).toEqual(['threat']);
    expect(await codesOf(one, 'Maria, são R$ 150,75.')).toEqual(['warning_number']);
    expect(await write(one, 'Maria, são R$ 150,75.', true)).toMatchObject({ purpose: 'collection' });
    const answered = await newDebt();
    await engine.hear(answered, 'Quanto eu devo?');
    expect(await write(answered, 'São R$ 150,75.')).toMatchObject({ purpose: 'reply' });
  });

  it('one that has no room for the identity of the creditor is too long', async () => {
    const one = await newDebt();
    expect(await codesOf(one, `Maria ${'a'.repeat(4_080)}`)).toEqual(['too_long']);
  });
});

describe('over WhatsApp', () => {
  const sent: string[] = [];
  const channel = (name: 'whatsapp' | 'twilio'): MessagingChannel => ({
    name,
    capabilities: {
      policyChannel: name === 'whatsapp' ? 'whatsapp' : 'sms',
      freeTextWindowMs: name === 'whatsapp' ? DAY : null,
      templates: name === 'whatsapp',
      documents: false,
      pixCodes: false,
      deliveryStates: true,
      texts: name === 'whatsapp' ? 'full' : 'short',
      reaches: 'phone',
      pace: null,
    },
    async send({ text, template }) {
      sent.push(`${name}: ${template === undefined ? text : 'template'}`);
      return { channelMessageId: randomUUID(), channelUserId: null };
    },
    checkCredentials: async () => ({ shownAs: name, peoplePerDay: null }),
  });
  const senderOf = (name: 'whatsapp' | 'twilio'): Sender => {
    const id = `${name}-staff`;
    return {
      channel: channel(name),
      credentials: { senderId: id, accountId: id, accessToken: 't', webhookSecret: null },
      id,
      number: id,
    };
  };

  it('free text goes only within 24 hours of the debtor’s last message there, or by SMS when it fits', async () => {
    let order: ('whatsapp' | 'twilio')[] = ['whatsapp'];
    const sendersOf = async () => order.map(senderOf);
    const services = engineServices({ ...engine.deps, sendersOf });
    const writeBy = writeToDebtor({ ...engine.ofApi, sendersOf });
    const one = await newDebt();
    const request = (text = TEXT) => ({ ...asked(one), messageId: randomUUID(), text, confirm: true });
    await expect(writeBy(request())).rejects.toMatchObject({
      verdict: { rules: ['free_text'], ruleIds: ['wa-24h'] },
    });
    order = ['whatsapp', 'twilio'];
    await expect(writeBy(request(`Maria ${'bem '.repeat(80)}`))).rejects.toMatchObject({
      verdict: { rules: ['text_length'] },
    });
    expect(await writeBy(request())).toMatchObject({ purpose: 'collection', channel: 'twilio' });
    await services.answerDebtor(engine.request(one));
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatch(
      /^twilio: Oi, Maria\. Aqui fala a Ana, da escola: como posso ajudar\?\nEscola Aurora, CNPJ 11\.222\.333\/0001-81\nhttps:\S+\nPara sair, responda PARAR\.$/,
    );
  });
});
