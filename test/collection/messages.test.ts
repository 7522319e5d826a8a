import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { timerOf } from '../../src/modules/debts/rules/next-step.ts';
import { MessagingError } from '../../src/modules/messaging/ports/messaging-channel.ts';
import { spreadDelay } from '../../src/modules/policy/rules/contact-pace.ts';
import { DAY, HOUR, type MadeDebt, openEngine, somebody, WEDNESDAY, withoutKnown } from '../../testing/engine.ts';
import { opened } from '../../testing/opened.ts';
import { SOURCE } from '../../testing/source.ts';
import { receiveFrom } from './inbound.ts';

const engine = await opened(openEngine());
afterEach(engine.reset);

const alsoOf = (debt: MadeDebt) => ({ clientId: debt.clientId, campaignId: debt.campaignId });
const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString());
/** A contact that waits for an opening has its own moment after it. */
const ownMoment = (debt: MadeDebt, opening: string) => iso(Date.parse(opening) + spreadDelay(debt.id));
const received = (debt: MadeDebt) =>
  engine.query<{ text: string; intent: string | null }>(
    debt,
    `select text, intent from messages where debt_id = $1 and direction = 'in' order by created_at`,
    [debt.id],
  );

describe('the first message after the staff have looked into a case', () => {
  const held = async (words: string) => {
    const debt = await engine.debt(somebody());
    await engine.contact(debt);
    await engine.hear(debt, words);
    const { clientId, id: debtId } = debt;
    const note = 'Conferido com a secretaria: a mensalidade segue em aberto.';
    await engine.requests.resumeDebt({ clientId, debtId, source: SOURCE, reason: note });
    engine.clock.now += 7 * DAY;
    await engine.contact(debt);
    return { debt, note };
  };

  it('says what was checked and not what the staff noted, and only once', async () => {
    const { debt, note } = await held('Não reconheço essa dívida, nunca comprei nada com vocês');
    const taken = engine.sent.at(-1)!.text;
    expect(taken).toContain('A equipe da Escola Aurora conferiu o que você escreveu');
    expect(taken).not.toContain(note);
    engine.clock.now += 14 * DAY;
    await engine.contact(debt);
    expect(engine.sent.at(-1)!.text).not.toContain('conferiu');
  });

  it('does not say again that no message follows', async () => {
    const debt = await engine.debt(somebody());
    await engine.query(debt, 'update debts set step = 5 where id = $1', [debt.id]);
    await engine.contact(debt);
    expect(engine.sent.at(-1)!.text).toContain('última mensagem automática');
    const again = await engine.debt(somebody());
    await engine.query(again, `update debts set step = 5, status = 'IN_COLLECTION' where id = $1`, [again.id]);
    await engine.hear(again, 'quero falar com um atendente');
    const { clientId, id: debtId } = again;
    await engine.requests.resumeDebt({ clientId, debtId, source: SOURCE, reason: 'Falamos com ela por telefone.' });
    engine.clock.now += 7 * DAY;
    await engine.contact(again);
    expect(engine.sent.at(-1)!.text).not.toContain('última mensagem');
  });
});

describe('a request of a debtor takes effect', () => {
  it('a promised date stops contacts until one business day after it, and the next text mentions it', async () => {
    const one = await engine.debt(somebody());
    await engine.contact(one);
    // 27 November is a Friday, and one business day later is Monday.
    const step = await engine.hear(one, 'Vou pagar dia 27/11/2026');
    expect(await engine.status(one)).toBe('PROMISED');
    expect(iso(timerOf(step))).toBe(ownMoment(one, '2026-11-30T12:00:00.000Z'));
    await engine.contact(one, Date.UTC(2026, 10, 28, 15));
    expect(engine.sent.filter(({ purpose }) => purpose === 'collection')).toHaveLength(1);
    await engine.contact(one, timerOf(step) ?? 0);
    expect(await engine.status(one)).toBe('IN_COLLECTION');
    expect(engine.sent.at(-1)?.text).toMatch(/dia que você indicou/);
  });

  it.each(['DISPUTED', 'ON_HOLD'])(
    'who promises a date while %s: the day is kept for when it goes on',
    async (status) => {
      const one = await engine.debt({ ...somebody(), status });
      await engine.hear(one, 'Vou pagar dia 27/11/2026');
      expect(await engine.status(one)).toBe(status);
      expect(engine.sent.at(-1)?.text).toContain('Combinado, Maria: anotei 27/11/2026');
      const reason = 'O contrato foi conferido com a pessoa.';
      await engine.requests.resumeDebt({ clientId: one.clientId, debtId: one.id, source: SOURCE, reason });
      const step = await engine.contact(one);
      expect(iso(timerOf(step))).toBe(ownMoment(one, '2026-11-30T12:00:00.000Z'));
      expect(await engine.verdicts(one)).toMatchObject([{ allowed: false, rules: ['promise'] }]);
    },
  );

  it.each(['EXHAUSTED', 'OPTED_OUT'])('a promised date while %s: the answer promises no pause', async (status) => {
    const one = await engine.debt({ ...somebody(), status });
    const step = await engine.hear(one, 'Vou pagar dia 27/11/2026');
    expect(step).toMatchObject({ kind: 'finish', status, needsOperator: false });
    expect(await engine.status(one)).toBe(status);
    expect(engine.sent.map(({ text }) => text).join()).not.toMatch(/Combinado|anotei|Até lá/);
  });

  it('a reported payment stops contacts for two business days', async () => {
    const one = await engine.debt(somebody());
    const step = await engine.hear(one, 'Já paguei essa conta');
    // Thursday and Monday have no contact, and Friday is the holiday Consciência Negra. The claim is checked afterwards.
    expect(iso(timerOf(step))).toBe('2026-11-24T03:00:00.000Z');
    const asked = { clientId: one.clientId, debtId: one.id };
    expect(await engine.requests.checkEligibility(asked)).toMatchObject({ allowed: false, rules: ['said_paid'] });
  });

  it('a turn is answered once and at once, also outside the window', async () => {
    engine.clock.now = WEDNESDAY + 12 * HOUR;
    const one = await engine.debt(somebody());
    const message = { ...alsoOf(one), debtId: one.id, channel: 'sandbox' };
    for (const text of ['Oi', 'quanto é mesmo?', 'e vence quando?']) {
      await engine.services.receiveMessage({ ...message, channelMessageId: randomUUID(), text });
    }
    await engine.services.answerDebtor(engine.request(one));
    await engine.services.answerDebtor(engine.request(one));
    expect(engine.sent.map(({ purpose }) => purpose)).toEqual(['reply']);
    expect((await received(one)).map(({ text }) => text)).toEqual(['Oi', 'quanto é mesmo?', 'e vence quando?']);
  });

  it('an opt-out ends all live debts with this client, is confirmed once, and is not shown to other clients', async () => {
    const person = somebody();
    const one = await engine.debt(person);
    const two = await engine.debt({ ...person, phone: somebody().phone, ...alsoOf(one) });
    const elsewhere = await engine.debt(person);
    await engine.hear(one, 'PARAR');
    expect(await Promise.all([one, two, elsewhere].map(engine.status))).toEqual(['OPTED_OUT', 'OPTED_OUT', 'QUEUED']);
    expect(engine.sent.map(({ purpose }) => purpose)).toEqual(['opt_out_confirmation']);
    expect(await engine.gate(two)).toEqual({ kind: 'refused' });
    expect(await engine.gate(elsewhere)).toMatchObject({ kind: 'allowed' });
    const later = await engine.debt({ ...person, ...alsoOf(one) });
    expect(await engine.contact(later)).toMatchObject({ kind: 'finish', status: 'EXHAUSTED' });
    expect(await engine.verdicts(later)).toMatchObject([{ allowed: false, rules: ['opt_out'] }]);
  });

  it('concurrent opt-outs on two debts succeed without a deadlock', async () => {
    const person = somebody();
    const one = await engine.debt(person);
    const others: MadeDebt[] = [];
    for (let n = 0; n < 4; n += 1) others.push(await engine.debt({ ...person, ...alsoOf(one) }));
    // PostgreSQL would detect a deadlock after a second and fail one of them.
    await Promise.all([one, ...others].map((debt) => engine.hear(debt, 'PARAR')));
    for (const debt of [one, ...others]) expect(await engine.status(debt)).toBe('OPTED_OUT');
  });

  it('a wrong person: no client uses that number for that person again, but may use another number', async () => {
    const person = somebody();
    const one = await engine.debt(person);
    const same = await engine.debt({ ...person, ...alsoOf(one) });
    const elsewhere = await engine.debt(person);
    const otherPhone = await engine.debt({ ...person, phone: somebody().phone });
    await engine.hear(one, 'Esse número não é dessa pessoa');
    expect(engine.sent).toHaveLength(1);
    expect(engine.sent[0]?.text).not.toMatch(/Maria|Aurora/);
    expect(await Promise.all([one, same].map(engine.status))).toEqual(['STOPPED', 'STOPPED']);
    expect(await engine.gate(elsewhere)).toEqual({ kind: 'refused' });
    // Another client sees that no moment is allowed, and not the reason.
    expect(await engine.verdicts(elsewhere)).toMatchObject([
      { rules: ['scheduling'], notBefore: '2026-11-19T12:00:00.000Z' },
    ]);
    expect(await engine.gate(otherPhone)).toMatchObject({ kind: 'allowed' });
  });

  it.each([
    ['EXHAUSTED', 'PARAR', 'OPTED_OUT'],
    ['EXHAUSTED', 'Não reconheço essa dívida', 'DISPUTED'],
    ['DISPUTED', 'PARAR', 'OPTED_OUT'],
    ['ON_HOLD', 'Não reconheço essa dívida', 'DISPUTED'],
    ['PAID', 'PARAR', 'PAID'],
    ['STOPPED', 'PARAR', 'STOPPED'],
    ['IMPORTED', 'PARAR', 'OPTED_OUT'],
    ['IMPORTED', 'Perdi o emprego e não tenho como pagar', 'ON_HOLD'],
  ])('in status %s: %s makes it %s', async (status, words, then) => {
    const one = await engine.debt({ ...somebody(), status });
    const step = await engine.hear(one, words);
    expect(await engine.status(one)).toBe(then);
    expect(timerOf(step)).toBeNull();
    expect(engine.sent).toHaveLength(1);
  });

  it('after a temporary failure of the answer a later attempt answers the turn once', async () => {
    const one = await engine.debt(somebody());
    engine.failNext(new MessagingError('retryable', 'busy', { retryAfterSeconds: 90 }));
    const attempt = randomUUID();
    await engine.services.receiveMessage({
      ...alsoOf(one),
      debtId: one.id,
      channel: 'sandbox',
      channelMessageId: randomUUID(),
      text: 'Quero falar com uma pessoa',
    });
    const again = () => engine.services.answerDebtor(engine.request(one, WEDNESDAY, attempt));
    expect(await again()).toEqual({
      kind: 'tryAgain',
      at: WEDNESDAY + 90_000,
      needsOperator: false,
    });
    await again();
    await again();
    expect(await engine.deliveries(one)).toEqual(['failed', 'sent']);
    expect(await engine.status(one)).toBe('ON_HOLD');
  });

  it('a run whose clock is behind writes no event before earlier events', async () => {
    const one = await engine.debt({ ...somebody(), sandbox: true });
    await engine.contact(one, WEDNESDAY + 7 * DAY);
    await engine.services.receiveMessage({
      ...alsoOf(one),
      debtId: one.id,
      channel: 'sandbox',
      channelMessageId: randomUUID(),
      text: 'Quanto é?',
    });
    await engine.services.answerDebtor(engine.request(one, WEDNESDAY));
    const at = await engine.query<{ at: Date }>(one, 'select at from messages where debt_id = $1 and direction = $2', [
      one.id,
      'out',
    ]);
    expect(at.map(({ at: moment }) => moment.getTime() >= WEDNESDAY + 7 * DAY)).toEqual([true, true]);
  });
});

describe('a message from a phone', () => {
  const from = (debt: MadeDebt, fromPhone: string, channelMessageId: string = randomUUID()) =>
    receiveFrom(engine, debt, fromPhone, 'Oi', channelMessageId);

  it('without a debt is stored with none', async () => {
    const one = await engine.debt(somebody());
    expect(await from(one, '+5511970000000')).toBe('unknown_debt');
    expect(await from(one, 'not a number')).toBe('unknown_debt');
    // The phone belongs to a debtor of another client.
    const elsewhere = somebody();
    await engine.debt(elsewhere);
    expect(await from(one, elsewhere.phone)).toBe('unknown_debt');
    expect(await received(one)).toEqual([]);
  });

  it('with several debts goes to the newest conversation, with or without the ninth digit', async () => {
    const person = somebody();
    const first = await engine.debt(person);
    const newer = await engine.debt({ ...person, ...alsoOf(first) });
    expect(await from(first, person.phone)).toBe('stored');
    expect(await received(newer)).toHaveLength(1);
    // Nothing is sent before the message is handled.
    await engine.services.answerDebtor(engine.request(newer));
    await engine.contact(first);
    expect(await from(first, person.phone.replace('+55119', '55119'))).toBe('stored');
    expect(await from(first, person.phone.replace('+55119', '5511'))).toBe('stored');
    expect(await received(first)).toHaveLength(2);
    expect(await received(newer)).toHaveLength(1);
  });

  it('that is delivered twice is stored once, also when another conversation is now the newest', async () => {
    const person = somebody();
    const one = await engine.debt(person);
    const id = randomUUID();
    expect(await from(one, person.phone, id)).toBe('stored');
    await engine.contact(await engine.debt({ ...person, ...alsoOf(one) }), WEDNESDAY);
    expect(await from(one, person.phone, id)).toBe('repeated');
    const both = await Promise.all([from(one, person.phone, 'same'), from(one, person.phone, 'same')]);
    expect(both.sort()).toEqual(['repeated', 'stored']);
  });
});

describe('a pause', () => {
  const wakes = async (debt: MadeDebt) =>
    (
      await engine.db.pool.query(
        `select 1 from outbox where workflow_id = $1 and signal = 'stateChanged' and delivered_at is null`,
        [`collection-${debt.id}`],
      )
    ).rowCount;
  const paused = async (debt: MadeDebt) =>
    (
      await engine.query<{ paused: boolean }>(debt, 'select paused_at is not null as paused from debts where id = $1', [
        debt.id,
      ])
    )[0]?.paused;

  it('is stored on the debts that it stopped, which are woken each minute after its end until they react', async () => {
    const one = await engine.debt(somebody());
    const change = (what: 'pause' | 'resume') =>
      engine.requests.changeCampaign({ ...one, change: what, source: SOURCE });
    await change('pause');
    expect(withoutKnown(await engine.contact(one))).toEqual({ kind: 'waitForSignal', needsOperator: false });
    expect(await paused(one)).toBe(true);
    await engine.services.wakePaused();
    expect(await wakes(one)).toBe(0);
    await change('resume');
    await engine.services.wakePaused();
    await engine.services.wakePaused();
    expect(await wakes(one)).toBe(1);
    await engine.contact(one);
    expect(engine.sent).toHaveLength(1);
    expect(await paused(one)).toBe(false);
  });

  it('of the client has the same effect', async () => {
    const one = await engine.debt(somebody());
    const become = (status: string) =>
      engine.query(one, 'update clients set status = $2 where id = $1', [one.clientId, status]);
    await become('PAUSED');
    await engine.contact(one);
    await engine.services.wakePaused();
    expect(await wakes(one)).toBe(0);
    await become('ACTIVE');
    await engine.services.wakePaused();
    expect(await wakes(one)).toBe(1);
  });

  it('is checked at the next moment after a message of the debtor and not each minute', async () => {
    const one = await engine.debt(somebody());
    await engine.contact(one);
    await engine.requests.changeCampaign({ ...one, change: 'pause', source: SOURCE });
    await engine.contact(one, WEDNESDAY + 5 * DAY);
    expect(await paused(one)).toBe(true);
    const step = await engine.hear(one, 'Quanto é?');
    expect(await paused(one)).toBe(false);
    expect(timerOf(step)).not.toBeNull();
  });
});
