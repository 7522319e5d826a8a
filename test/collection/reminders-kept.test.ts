import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MessagingError } from '../../src/modules/messaging/ports/messaging-channel.ts';
import { type MadeDebt, openEngine, somebody } from '../../testing/engine.ts';
import { opened } from '../../testing/opened.ts';
import { remindersOf, sp } from './reminded.ts';

const engine = await opened(openEngine());
const { clock, sent } = engine;
const { remindedDebt, follow, messagesOf } = remindersOf(engine);

beforeEach(() => engine.reset());
afterEach(() => engine.reset());

/** The purposes and local days of what was sent unasked about the debt. */
const sentDays = async (debt: MadeDebt): Promise<string[]> =>
  (await messagesOf(debt)).filter((message) => /^(reminder|collection) /.test(message));

const stored = async (debt: MadeDebt) =>
  (
    await engine.query<{ phone: string; promised: string | null; step: number }>(
      debt,
      `select debtor_phone as phone, step, (select promised_for::text from person_requests
         where person_requests.debtor_tax_id = debts.debtor_tax_id and person_requests.client_id = debts.client_id) as promised
       from debts where id = $1`,
      [debt.id],
    )
  )[0]!;

describe('a reminder', () => {
  it('is the only one of its day, also where the ledger knows no contact any more', async () => {
    const debt = await remindedDebt('2026-11-27', [3, 0]);
    await follow(debt, sp('11-24T14:00'));
    expect(await sentDays(debt)).toEqual(['reminder 11-24']);
    // As after the erasure of the person with another client.
    await engine.query(debt, `delete from contact_ledger where debt_id = $1`, [debt.id]);
    expect(await engine.ledger(debt)).toEqual([]);
    await engine.query(debt, 'update debts set next_contact_at = $2 where id = $1', [debt.id, new Date(clock.now)]);
    await follow(debt, sp('11-24T18:30'));
    expect(await sentDays(debt)).toEqual(['reminder 11-24']);
  });

  it('leaves a promise as it is, whose day has passed before the bill is due', async () => {
    const debt = await remindedDebt('2026-12-10', [10, 3]);
    await follow(debt, sp('11-19T12:00'));
    await engine.hear(debt, 'Vou pagar na segunda-feira');
    const { promised } = await stored(debt);
    expect(promised).toBe('2026-11-23');
    await follow(debt, sp('12-07T20:00'));
    expect(await sentDays(debt)).toEqual(['reminder 11-30', 'reminder 12-07']);
    expect(await engine.status(debt)).toBe('PROMISED');
    expect(await stored(debt)).toMatchObject({ promised, step: 0 });
  });

  it('of several bills that fails is sent again about all of them', async () => {
    const person = somebody();
    const debt = await remindedDebt('2026-11-27', [3], person);
    const { clientId, campaignId } = debt;
    const same = await engine.debt({ ...person, clientId, campaignId, dueDate: '2026-11-27' });
    await follow(debt, sp('11-23T12:00'));
    engine.failNext(new MessagingError('retryable', 'later'));
    await follow(debt, sp('11-24T18:30'));
    const about = await engine.query<{ delivery: string; bills: number }>(
      debt,
      `select delivery, cardinality(also_about) + 1 as bills from messages where debt_id = any($1) order by at`,
      [[debt.id, same.id]],
    );
    expect(about).toEqual([
      { delivery: 'failed', bills: 2 },
      { delivery: 'sent', bills: 2 },
    ]);
  });

  it('that no template can carry gives up neither the phone nor the debt, which is collected later', async () => {
    const debt = await remindedDebt('2026-11-27', [3]);
    const { phone } = await stored(debt);
    engine.failNext(...Array.from({ length: 5 }, () => new MessagingError('rejected', 'no template')));
    await follow(debt, sp('11-25T20:00'));
    expect(sent).toEqual([]);
    expect((await engine.deliveries(debt)).filter((delivery) => delivery === 'failed').length).toBe(5);
    expect([await engine.status(debt), (await stored(debt)).phone]).toEqual(['QUEUED', phone]);
    await follow(debt, sp('11-30T20:00'));
    expect(await sentDays(debt)).toEqual(['collection 11-30']);
  });
});
