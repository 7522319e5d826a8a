import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { localDate, startOfDay } from '../../src/kernel/calendar.ts';
import { businessDayFrom } from '../../src/kernel/holidays.ts';
import { acceptOffer } from '../../src/modules/agreements/use-cases/accept-offer.ts';
import { changeCampaign } from '../../src/modules/campaigns/use-cases/change-campaign.ts';
import { followAgreement } from '../../src/modules/collection/agreements/follow-agreement.ts';
import { undoLateFailures } from '../../src/modules/collection/contact/undo-late-failures.ts';
import { applyIntent } from '../../src/modules/collection/conversation/apply-intent.ts';
import { withdrawDebt } from '../../src/modules/collection/staff/change-debt.ts';
import { loadDebt } from '../../src/modules/debts/use-cases/debt-context.ts';
import { startAgreementMoney } from '../../testing/agreement-money.ts';
import { opened } from '../../testing/opened.ts';

const money = await opened(startAgreementMoney());
const { app, collection } = money;
const source = { ip: '127.0.0.1', by: 'session' } as const;
/** `RACES=20` repeats each more often. */
const TIMES = Number(process.env['RACES'] ?? 6);

type Person = Awaited<ReturnType<typeof newPerson>>;

/** A person with an offer about two debts, each in a campaign of its own, and with codes of both. */
async function newPerson() {
  const client = money.clients.plain;
  const person = await money.agreements.newPerson(client, [[{}], [{}]]);
  const codes = await money.codesOf(client.id, person.ids);
  expect((await client.call('GET', `/api/debts/${person.ids[0]}/offers`)).body.items[0].number).toBe(1);
  return { ...person, codes, clientId: client.id };
}

const inClient = collection.db.tenant(money.clients.plain.id);
const accept = ({ clientId, ids }: Person, at = 0) =>
  inClient.transactional((tx) =>
    acceptOffer(tx, collection, { clientId, debtId: ids[at]!, offer: { number: 1 }, by: 'page', in: null }),
  );
const payOldCode = (person: Person, at: number) => money.payCode(person.clientId, person.codes[at]!);
const says = ({ ids }: Person, at: number, intent: 'opt_out' | 'dispute') =>
  inClient.transactional(async (tx) => {
    const debt = (await loadDebt(tx, ids[at]!))!;
    const understood = { intent, date: null, confidence: 1, also: [], topics: [], mentionsDeath: false };
    const request = {
      understood,
      disputed: { text: 'pare', onPage: null },
      phone: debt.debtorPhone,
      now: Date.now(),
      claimedAt: null,
      number: null,
      isAnswered: false,
    };
    return applyIntent(tx, collection, debt.id, request);
  });
/** What the client asks for may be refused, but nothing else may go wrong. */
const orRefused = (asked: Promise<unknown>) =>
  asked.catch((error) => expect(error).toMatchObject({ code: 'debt_state' }));
const archive = ({ clientId, campaignIds }: Person) =>
  orRefused(changeCampaign(collection)({ clientId, campaignId: campaignIds[1]!, change: 'archive', source }));
const withdraw = ({ clientId, ids }: Person, at: number) =>
  orRefused(withdrawDebt(collection)({ clientId, debtId: ids[at]!, source }));

interface End {
  readonly statuses: readonly string[];
  readonly agreements: readonly { readonly status: string; readonly stopped: string | null; readonly paid: number }[];
}

async function endOf({ ids }: Person): Promise<End> {
  const debts = await app.query<{ id: string; status: string; agreementId: string | null }>(
    'select id, status, agreement_id as "agreementId" from debts where id = any($1)',
    [ids],
  );
  const agreements = await app.query<End['agreements'][number] & { id: string }>(
    `select agreements.id, status, stopped_because as stopped, coalesce((select sum(paid_centavos)::int from charges
       where charges.agreement_id = agreements.id), 0) as paid
     from agreements where id in (select agreement_id from agreement_debts where debt_id = any($1))`,
    [ids],
  );
  // A debt rests in an agreement exactly while that is active.
  for (const { status, agreementId } of debts) {
    const own = agreements.find(({ id }) => id === agreementId);
    expect([status === 'AGREEMENT', own?.status === 'ACTIVE']).toEqual([own !== undefined, own !== undefined]);
  }
  expect(agreements.length).toBeLessThanOrEqual(1);
  return { statuses: ids.map((id) => debts.find((one) => one.id === id)!.status), agreements };
}

async function race(works: (person: Person) => readonly Promise<unknown>[], check: (end: End) => void): Promise<void> {
  for (let times = 0; times < TIMES; times += 1) {
    const person = await newPerson();
    await Promise.all(works(person));
    check(await endOf(person));
  }
}

describe('an acceptance at the same moment', () => {
  it('as another one makes one agreement', async () => {
    await race(
      (person) => [accept(person, 0), accept(person, 1), accept(person, 0)],
      ({ statuses, agreements }) => {
        expect(statuses).toEqual(['AGREEMENT', 'AGREEMENT']);
        expect(agreements).toHaveLength(1);
      },
    );
  });

  it('as old codes are paid either comes first, or the offer has ended', async () => {
    await race(
      (person) => [accept(person), payOldCode(person, 1), payOldCode(person, 0)],
      ({ statuses, agreements: [agreement] }) => {
        // Both debts of R$ 1.000,00 are paid, or the agreement about R$ 1.400,00 is.
        expect(statuses).toEqual(['PAID', 'PAID']);
        if (agreement !== undefined) expect(agreement.status).toBe('COMPLETED');
      },
    );
  });

  it('as an opt-out never leaves an agreement that goes on by itself', async () => {
    await race(
      (person) => [accept(person), says(person, 1, 'opt_out')],
      ({ statuses, agreements: [agreement] }) => {
        if (agreement === undefined) expect(statuses).toEqual(['OPTED_OUT', 'OPTED_OUT']);
        else expect(agreement).toMatchObject({ status: 'ACTIVE', stopped: 'opt_out' });
      },
    );
  });

  it('as its campaign is archived or its debt withdrawn has one winner', async () => {
    for (const end of [archive, (person: Person) => withdraw(person, 1)]) {
      await race(
        (person) => [accept(person), end(person)],
        ({ statuses, agreements: [agreement] }) => {
          if (agreement === undefined) expect(statuses[1]).toBe('STOPPED');
          else expect(statuses).toEqual(['AGREEMENT', 'AGREEMENT']);
        },
      );
    }
  });
});

/** An agreement whose first instalment is due on a day. */
async function dueOn(person: Person, dueDate: string): Promise<string> {
  const accepted = await accept(person);
  if (accepted.kind !== 'accepted') throw new Error(accepted.kind);
  await app.query(
    `update agreements set instalments = jsonb_set(instalments, '{0,dueDate}', to_jsonb($2::text)) where id = $1`,
    [accepted.agreementId, dueDate],
  );
  return accepted.agreementId;
}

const look = ({ clientId }: Person, agreementId: string, at = Date.now()) =>
  followAgreement(collection)({
    clientId,
    agreementId,
    clock: { at, offsetMs: 0, exact: false },
    attemptKey: randomUUID(),
  });
/** No agreement is broken on a weekend or a holiday: this looks at it on the next business day. */
const lookOnBusinessDay = (person: Person, agreementId: string) => {
  const day = businessDayFrom(collection.policy.holidays, localDate(Date.now(), -3), ['SP']);
  return look(person, agreementId, Math.max(Date.now(), startOfDay(day, -3)));
};

describe('a notice', () => {
  it('that is sent while the person asks for silence, pays and disputes stops nothing', async () => {
    for (let times = 0; times < TIMES; times += 1) {
      const person = await newPerson();
      const agreementId = await dueOn(person, localDate(Date.now(), -3));
      await Promise.all([
        look(person, agreementId),
        says(person, 1, 'opt_out'),
        payOldCode(person, 1),
        look(person, agreementId),
        says(person, 0, 'dispute'),
      ]);
      const { statuses, agreements } = await endOf(person);
      expect(statuses).toEqual(['AGREEMENT', 'AGREEMENT']);
      expect(agreements).toMatchObject([{ status: 'ACTIVE', paid: 100_000 }]);
    }
  });

  /** Stores that the debtor was warned long ago, by a message of which the channel says more or nothing. */
  async function warned(
    agreementId: string,
    delivery: 'sent' | 'failed' | 'unknown' | 'booked',
    daysAgo = 20,
  ): Promise<string> {
    const [message] = await app.query<{ id: string }>(
      `insert into messages (client_id, debt_id, direction, channel, purpose, phone, text, at, delivery, is_undo_due, attempt_key)
       select client_id, debt_id, 'out', 'sandbox', 'agreement', '+5511987654321', 'aviso', now() - $3 * interval '1 day', $2,
         $2 = 'failed', gen_random_uuid()::text from agreements where id = $1 returning id`,
      [agreementId, delivery, daysAgo],
    );
    await app.query('update agreements set notices = $2 where id = $1', [
      agreementId,
      JSON.stringify([
        {
          instalment: 1,
          notice: 'warning',
          on: localDate(Date.now() - daysAgo * 86_400_000, -3),
          messageId: message!.id,
        },
      ]),
    ]);
    return message!.id;
  }
  const noticesOf = async (agreementId: string, messageId: string) =>
    (await app.query('select from agreements where id = $1 and notices::text like $2', [agreementId, `%${messageId}%`]))
      .length;
  const longAgo = localDate(Date.now() - 40 * 86_400_000, -3);

  it('that was not delivered, as its channel says later, is no warning: nobody breaks the agreement yet', async () => {
    const person = await newPerson();
    const agreementId = await dueOn(person, longAgo);
    const messageId = await warned(agreementId, 'failed');
    expect(await look(person, agreementId)).toMatchObject({ kind: 'wait' });
    expect((await endOf(person)).agreements).toMatchObject([{ status: 'ACTIVE' }]);
    expect(await noticesOf(agreementId, messageId)).toBe(0);
    // One that was delivered is.
    await warned(agreementId, 'sent');
    await lookOnBusinessDay(person, agreementId);
    expect((await endOf(person)).agreements).toMatchObject([{ status: 'BROKEN' }]);
  });

  it.each(['unknown', 'booked'] as const)(
    'that is %s is no warning until its channel says that it was sent, and no second one follows on its day',
    async (delivery) => {
      const person = await newPerson();
      const agreementId = await dueOn(person, longAgo);
      const outgoing = async () =>
        (await app.query(`select from messages where debt_id = any($1) and purpose = 'agreement'`, [person.ids]))
          .length;
      await warned(agreementId, delivery, 0);
      const next = await look(person, agreementId);
      expect(await outgoing()).toBe(1);
      // It is looked for again on the next day, and not first on that of the breach.
      expect(next).toMatchObject({ kind: 'wait', until: expect.any(Number) });
      expect((next as { until: number }).until).toBeLessThan(Date.now() + 5 * 86_400_000);
      const messageId = await warned(agreementId, delivery);
      await look(person, agreementId);
      expect((await endOf(person)).agreements).toMatchObject([{ status: 'ACTIVE' }]);
      expect(await noticesOf(agreementId, messageId)).toBe(1);
      await app.query(`update messages set delivery = 'delivered' where id = $1`, [messageId]);
      await app.query(
        `update agreements set notices = (select jsonb_agg(one) from jsonb_array_elements(notices) as one
        where one ->> 'messageId' = $2) where id = $1`,
        [agreementId, messageId],
      );
      await lookOnBusinessDay(person, agreementId);
      expect((await endOf(person)).agreements).toMatchObject([{ status: 'BROKEN' }]);
    },
  );

  it('that was not delivered rests for an hour before the same sender is used again', async () => {
    const person = await newPerson();
    const agreementId = await dueOn(person, longAgo);
    const messageId = await warned(agreementId, 'failed', 0);
    const [failed] = await app.query<{ at: Date }>('select at from messages where id = $1', [messageId]);
    expect(await look(person, agreementId)).toMatchObject({ kind: 'wait', until: failed!.at.getTime() + 3_600_000 });
    expect(
      await app.query(`select from messages where debt_id = any($1) and purpose = 'agreement'`, [person.ids]),
    ).toHaveLength(1);
  });

  it('is due again when the workflow of the debt learns that it was not delivered', async () => {
    const person = await newPerson();
    const agreementId = await dueOn(person, longAgo);
    const messageId = await warned(agreementId, 'failed');
    const debtId = person.ids[0]!;
    await app.query(`delete from outbox where workflow_id = 'agreement-' || $1`, [agreementId]);
    const clock = { at: Date.now(), offsetMs: 0, exact: false };
    await undoLateFailures(collection, { clientId: person.clientId, debtId, clock, attemptKey: randomUUID() });
    expect(await noticesOf(agreementId, messageId)).toBe(0);
    expect(await app.query(`select signal from outbox where workflow_id = 'agreement-' || $1`, [agreementId])).toEqual([
      { signal: 'stateChanged' },
    ]);
  });
});
