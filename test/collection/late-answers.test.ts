import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { insertOffersPolicy } from '../../src/modules/agreements/queries/offers-policies.ts';
import type { OffersPolicy } from '../../src/modules/agreements/rules/offers-policy.ts';
import { MessagingError } from '../../src/modules/messaging/ports/messaging-channel.ts';
import { HOUR, type MadeDebt, openEngine, somebody } from '../../testing/engine.ts';
import { OFFERS_POLICY } from '../../testing/offers-policy.ts';
import { opened } from '../../testing/opened.ts';

const engine = await opened(openEngine());
afterEach(engine.reset);

const MINUTE = 60_000;
/** Thursday 26 November 2026, 23:59 in São Paulo. */
const THURSDAY_NIGHT = Date.UTC(2026, 10, 27, 2, 59);
const FRIDAY_NINE = Date.UTC(2026, 10, 27, 12);

const busy = () => new MessagingError('retryable', 'busy', { retryAfterSeconds: 90 });

const receive = (debt: MadeDebt, text: string) =>
  engine.services.receiveMessage({
    clientId: debt.clientId,
    debtId: debt.id,
    channel: 'sandbox',
    channelMessageId: randomUUID(),
    text,
  });

const answerAt = (debt: MadeDebt, at: number) => {
  engine.clock.now = at;
  return engine.services.answerDebtor(engine.request(debt));
};

const toldBy = async (debt: MadeDebt) =>
  (
    await engine.query<{ promisedFor: string | null; saidPaidAt: Date | null }>(
      debt,
      `select promised_for::text as "promisedFor", said_paid_at as "saidPaidAt" from person_requests where client_id = $1`,
      [debt.clientId],
    )
  )[0];

describe('what a debtor says late in the evening', () => {
  it.each([
    ['Pago na sexta', '2026-11-27'],
    ['Pago amanhã', '2026-11-27'],
    ['Vou pagar dia 26', '2026-11-26'],
  ])('means the day on which it was written: %s', async (text, day) => {
    const one = await engine.debt(somebody());
    engine.clock.now = THURSDAY_NIGHT;
    await receive(one, text);
    await answerAt(one, THURSDAY_NIGHT + 90_000);
    expect((await toldBy(one))?.promisedFor).toBe(day);
  });

  it.each([
    ['Pago na sexta', '2026-11-27'],
    ['Vou pagar dia 26', '2026-11-26'],
  ])('means the same day when its answer fails until after midnight: %s', async (text, day) => {
    const one = await engine.debt(somebody());
    engine.clock.now = THURSDAY_NIGHT;
    engine.failNext(busy());
    await engine.hear(one, text);
    expect((await toldBy(one))?.promisedFor).toBe(day);
    await answerAt(one, THURSDAY_NIGHT + 90_000);
    expect((await toldBy(one))?.promisedFor).toBe(day);
  });

  it('keeps its day beside what the debtor adds after midnight', async () => {
    const one = await engine.debt(somebody());
    engine.clock.now = THURSDAY_NIGHT;
    await receive(one, 'Pago amanhã');
    engine.clock.now = THURSDAY_NIGHT + 90_000;
    await receive(one, 'Obrigada');
    await answerAt(one, THURSDAY_NIGHT + 2 * MINUTE);
    expect((await toldBy(one))?.promisedFor).toBe('2026-11-27');
    expect(engine.sent.map(({ text }) => text)).toEqual([expect.stringContaining('anotei 27/11/2026')]);
  });

  it('is answered by a question for another day when the promised day is over', async () => {
    const one = await engine.debt(somebody());
    engine.clock.now = THURSDAY_NIGHT;
    await receive(one, 'Pago hoje ainda');
    await answerAt(one, THURSDAY_NIGHT + 90_000);
    expect((await toldBy(one))?.promisedFor).toBe('2026-11-26');
    expect(await engine.status(one)).toBe('PROMISED');
    expect(engine.sent.map(({ text }) => text)).toEqual([expect.stringContaining('Em que dia fica bom para você?')]);
  });

  it('silences from the claim of payment on, however often its answer fails and whatever follows', async () => {
    const one = await engine.debt(somebody());
    engine.clock.now = THURSDAY_NIGHT;
    engine.failNext(busy(), busy());
    await engine.hear(one, 'Já paguei essa conta');
    expect((await toldBy(one))?.saidPaidAt).toEqual(new Date(THURSDAY_NIGHT));
    await answerAt(one, THURSDAY_NIGHT + 90_000);
    expect((await toldBy(one))?.saidPaidAt).toEqual(new Date(THURSDAY_NIGHT));
    engine.clock.now = THURSDAY_NIGHT + 4 * MINUTE;
    await engine.hear(one, 'Boa noite');
    expect((await toldBy(one))?.saidPaidAt).toEqual(new Date(THURSDAY_NIGHT));
    expect(engine.sent).toHaveLength(1);
  });
});

describe('an offer whose last day is over when its acceptance is read', () => {
  const offered = async () => {
    const one = await engine.debt({ ...somebody(), dueDate: '2026-06-10' });
    const { minInstalment: _, personAbove: __, ...more } = OFFERS_POLICY;
    const policy = { ...more, holdDays: 0, minInstalmentCentavos: 1_000, personAboveCentavos: null } as OffersPolicy;
    await engine.ofApi.db
      .tenant(one.clientId)
      .transactional((tx) => insertOffersPolicy(tx, { clientId: one.clientId, version: 1, policy }));
    engine.clock.now = THURSDAY_NIGHT - HOUR;
    await engine.hear(one, 'quero negociar, tem desconto?');
    expect(engine.sent.at(-1)?.text).toContain('Opção 1');
    return one;
  };
  const agreementOf = (debt: MadeDebt) =>
    engine.query(
      debt,
      `select agreed_on::text as "agreedOn", accepted_at as "acceptedAt",
         (select entry.text from messages as entry where entry.debt_id = $1 and entry.direction = 'out'
            order by entry.created_at desc limit 1) like '%AC-2026-%' as "isConfirmed"
       from agreements where debt_id = $1`,
      [debt.id],
    );

  it('is accepted by what was written on that day', async () => {
    const one = await offered();
    engine.clock.now = THURSDAY_NIGHT;
    await receive(one, 'aceito a 1');
    await answerAt(one, THURSDAY_NIGHT + 90_000);
    expect(await engine.status(one)).toBe('AGREEMENT');
    expect(await agreementOf(one)).toEqual([
      { agreedOn: '2026-11-26', acceptedAt: new Date(THURSDAY_NIGHT), isConfirmed: true },
    ]);
  });

  it('is not accepted by what was written on the next day, nor once the debt was corrected', async () => {
    const late = await offered();
    engine.clock.now = THURSDAY_NIGHT;
    await receive(late, 'boa noite');
    engine.clock.now = THURSDAY_NIGHT + 90_000;
    await receive(late, 'aceito a 1');
    await answerAt(late, THURSDAY_NIGHT + 2 * MINUTE);
    expect(await engine.status(late)).not.toBe('AGREEMENT');

    const corrected = await offered();
    engine.clock.now = THURSDAY_NIGHT;
    await receive(corrected, 'aceito a 1');
    await engine.query(corrected, 'update debts set original_amount_centavos = 14000 where id = $1', [corrected.id]);
    await answerAt(corrected, THURSDAY_NIGHT + 90_000);
    expect(await engine.status(corrected)).not.toBe('AGREEMENT');
  });
});

describe('an answer that could not go out at once', () => {
  /** Thursday 26 November 2026, 15:00 in São Paulo. */
  const ASKED = Date.UTC(2026, 10, 26, 18);
  const failed = async (text: string, at = ASKED) => {
    const one = await engine.debt(somebody());
    engine.clock.now = at;
    engine.failNext(busy());
    await engine.hear(one, text);
    expect(engine.sent).toEqual([]);
    return one;
  };
  const purposes = () => engine.sent.map(({ purpose }) => purpose);

  it.each([
    ['quanto é mesmo?', 'reply'],
    ['PARAR', 'opt_out_confirmation'],
  ])('waits for the window, and the staff see it until it is sent: %s', async (text, purpose) => {
    const one = await failed(text);
    const night = ASKED + 11 * HOUR;
    expect(await answerAt(one, night)).toMatchObject({ kind: 'tryAgain', at: FRIDAY_NINE, needsOperator: false });
    expect(engine.sent).toEqual([]);
    expect(await engine.inbox(one)).toEqual(['undelivered']);
    if (text === 'PARAR') expect(await engine.status(one)).toBe('OPTED_OUT');
    await answerAt(one, FRIDAY_NINE);
    expect(purposes()).toEqual([purpose]);
    expect(await engine.inbox(one)).toEqual([]);
  });

  it('goes out at any hour within a quarter of an hour, and with what the debtor adds at night', async () => {
    const late = await failed('quanto é mesmo?', ASKED + 8 * HOUR);
    await answerAt(late, ASKED + 8 * HOUR + 14 * MINUTE);
    expect(purposes()).toEqual(['reply']);
    engine.sent.length = 0;

    const added = await failed('quanto é mesmo?');
    engine.clock.now = ASKED + 11 * HOUR;
    await engine.hear(added, 'e quando venceu?');
    expect(purposes()).toEqual(['reply']);
  });

  it('waits over a weekend too', async () => {
    // Friday 27 November 2026, 18:55 in São Paulo, and Monday at nine.
    const one = await failed('quanto é mesmo?', ASKED + 27 * HOUR + 55 * MINUTE);
    const monday = FRIDAY_NINE + 72 * HOUR;
    expect(await answerAt(one, ASKED + 28 * HOUR + 15 * MINUTE)).toMatchObject({ kind: 'tryAgain', at: monday });
    expect(await answerAt(one, ASKED + 40 * HOUR)).toMatchObject({ kind: 'tryAgain', at: monday });
    expect(engine.sent).toEqual([]);
    expect(await engine.inbox(one)).toEqual(['undelivered']);
    await answerAt(one, monday);
    expect(purposes()).toEqual(['reply']);
  });
});
