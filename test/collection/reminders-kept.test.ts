import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { changeSettings } from '../../src/modules/campaigns/use-cases/change-settings.ts';
import { MessagingError } from '../../src/modules/messaging/ports/messaging-channel.ts';
import { type GivenDebt, HOUR, type MadeDebt, openEngine, somebody } from '../../testing/engine.ts';
import { opened } from '../../testing/opened.ts';
import { SOURCE } from '../../testing/source.ts';

const engine = await opened(openEngine());
const { clock, sent } = engine;
/** By the clock of São Paulo. The tests begin on Wednesday, 18 November 2026, at 11:00; the 20th is a holiday. */
const sp = (local: string): number => Date.parse(`2026-${local}:00-03:00`);

beforeEach(() => engine.reset());
afterEach(() => engine.reset());

/** A debt of its own campaign, of a person of its own, with reminders. */
async function remindedDebt(dueDate: string, daysBefore: readonly number[], given: GivenDebt = {}): Promise<MadeDebt> {
  const debt = await engine.debt({ ...somebody(), dueDate, ...given });
  const { clientId, campaignId } = debt;
  await changeSettings(engine.ofApi)({ clientId, campaignId, change: { reminders: { daysBefore } }, source: SOURCE });
  return debt;
}

/** Does what the workflow of the debt does until a moment: it is contacted at the moment that the last step named. */
async function follow(debt: MadeDebt, until: number): Promise<void> {
  for (let from = clock.now; ; ) {
    clock.now = from;
    const step = await engine.services.contactDebtor(engine.request(debt));
    if (step.kind !== 'wait' || step.until > until) break;
    from = Math.max(step.until, from);
  }
  clock.now = until;
}

/** The purposes and local days of what was sent unasked about the debt. */
const sentDays = async (debt: MadeDebt): Promise<string[]> =>
  (
    await engine.query<{ purpose: string; at: Date }>(
      debt,
      `select purpose, at from messages where debt_id = $1 and purpose in ('reminder', 'collection')
       and delivery is distinct from 'failed' order by at`,
      [debt.id],
    )
  ).map(({ purpose, at }) => `${purpose} ${new Date(at.getTime() - 3 * HOUR).toISOString().slice(5, 10)}`);

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
