import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { addDays, HOUR, type LocalDate, startOfDay } from '../../src/kernel/calendar.ts';
import { addBusinessDays } from '../../src/kernel/holidays.ts';
import { followAgreement } from '../../src/modules/collection/agreements/follow-agreement.ts';
import { applyIntent, passClaimOn } from '../../src/modules/collection/conversation/apply-intent.ts';
import { loadDebt } from '../../src/modules/debts/use-cases/debt-context.ts';
import { startAgreementMoney } from '../../testing/agreement-money.ts';
import type { TestClient } from '../../testing/campaigns-app.ts';
import { agreedAmountsStay } from '../../testing/checker/agreed-amounts.ts';
import { readDatabase } from '../../testing/checker/load-facts.ts';
import { TERMS } from '../../testing/late-payment-terms.ts';
import { OFFERS_POLICY } from '../../testing/offers-policy.ts';
import { opened } from '../../testing/opened.ts';

const money = await opened(startAgreementMoney());
const { app, collection } = money;
/** So many days after the due date an agreement is broken: see `OFFERS_POLICY`. */
const AFTER_DAYS = OFFERS_POLICY.breach.afterDays;
const noon = (day: LocalDate): number => startOfDay(day, -3) + 12 * HOUR;
const businessDaysAfter = (day: LocalDate, days: number) =>
  addBusinessDays(collection.policy.holidays, day, days, ['SP']);

interface Agreed {
  readonly client: TestClient;
  readonly id: string;
  readonly debtIds: readonly string[];
  readonly campaignId: string;
  /** The day on which its first instalment is due. */
  readonly due: LocalDate;
}

/** An agreement in three instalments, which is looked at by its own clock alone. */
async function agree(
  debts: readonly object[] = [{}],
): Promise<Agreed & { readonly codes: Awaited<ReturnType<typeof money.codesOf>> }> {
  const client = await app.newClient();
  const person = await money.agreements.newPerson(client, [debts]);
  const codes = await money.codesOf(client.id, person.ids);
  const id = await money.agreements.agree(client, person, 2);
  const { instalments } = (await client.call('GET', `/api/agreements/${id}`)).body;
  expect(instalments).toHaveLength(3);
  return { client, id, debtIds: person.ids, campaignId: person.campaignIds[0]!, codes, due: instalments[0].dueDate };
}

/** Looks at the agreement at noon of a day, as its workflow does, until it waits for another day. */
async function look({ client, id }: Agreed, day: LocalDate) {
  const clock = { at: noon(day), offsetMs: noon(day) - Date.now(), exact: true };
  for (let times = 0; ; times += 1) {
    const next = await followAgreement(collection)({
      clientId: client.id,
      agreementId: id,
      clock,
      attemptKey: randomUUID(),
    });
    if (times > 5) throw new Error('The agreement does not come to rest.');
    if (next.kind === 'finish' || next.until === null || next.until > clock.at) return next;
  }
}
const stateOf = async ({ id }: Agreed) => {
  const [row] = await app.query<{ status: string; stopped: string | null; warnings: number }>(
    `select status, stopped_because as stopped, (select count(*)::int from messages
       where debt_id = agreements.debt_id and purpose = 'agreement' and text like '%continuar valendo%') as warnings
     from agreements where id = $1`,
    [id],
  );
  return row!;
};

/** Says something on a day, as the conversation understands it. */
const says = (
  { client, debtIds: [debtId] }: Agreed,
  day: LocalDate,
  intent: 'opt_out' | 'dispute' | 'hardship' | 'wrong_person' | 'already_paid',
) =>
  collection.db.tenant(client.id).transactional(async (tx) => {
    const debt = (await loadDebt(tx, debtId!))!;
    const understood = { intent, date: null, confidence: 1, also: [], topics: [], mentionsDeath: false };
    const disputed = { text: 'não', onPage: null };
    const said = {
      disputed,
      phone: debt.debtorPhone,
      now: noon(day),
      claimedAt: noon(day),
      number: null,
      isAnswered: false,
    };
    await applyIntent(tx, collection, debt.id, { understood, ...said });
    if (intent === 'already_paid') await passClaimOn(tx, collection, debt.id, said);
  });
const resume = ({ client, debtIds }: Agreed) =>
  client.call('POST', `/api/debts/${debtIds[0]}/resume`, { note: 'Conferi o contrato com a pessoa.' });

/** The debtor is warned of the breach; returns the day. */
async function warn(agreed: Agreed): Promise<LocalDate> {
  const day = businessDaysAfter(addDays(agreed.due, 2), 1);
  await look(agreed, day);
  expect(await stateOf(agreed)).toMatchObject({ status: 'ACTIVE', warnings: 1 });
  return day;
}

const setClient = ({ client }: Agreed, status: 'ACTIVE' | 'PAUSED' | 'CANCELLED') =>
  app.query('update clients set status = $2 where id = $1', [client.id, status]);
/** What lets the agreement rest, and how it goes on. */
const PAUSES = {
  'the campaign': ({ client, campaignId }: Agreed, change: 'pause' | 'resume') =>
    client.call('POST', `/api/campaigns/${campaignId}/${change}`),
  'the client': (agreed: Agreed, change: 'pause' | 'resume') =>
    setClient(agreed, change === 'pause' ? 'PAUSED' : 'ACTIVE'),
};
/** The first business day after so many days. */
const openAfter = (day: LocalDate, days: number) => businessDaysAfter(addDays(day, days), 1);

describe('an agreement whose debtor was warned', () => {
  it('is broken when its days are over and nothing else has happened', async () => {
    const agreed = await agree();
    await warn(agreed);
    await look(agreed, openAfter(agreed.due, AFTER_DAYS));
    expect((await stateOf(agreed)).status).toBe('BROKEN');
  });

  /** From this day on the debtor has the whole time again, and is warned in it. */
  async function hasWholeTimeFrom(agreed: Agreed, day: LocalDate): Promise<void> {
    await look(agreed, day);
    expect(await stateOf(agreed)).toEqual({ status: 'ACTIVE', stopped: null, warnings: 1 });
    await look(agreed, openAfter(day, 2));
    expect(await stateOf(agreed)).toMatchObject({ status: 'ACTIVE', warnings: 2 });
    await look(agreed, addDays(day, AFTER_DAYS));
    expect((await stateOf(agreed)).status).toBe('ACTIVE');
    await look(agreed, openAfter(day, AFTER_DAYS));
    expect((await stateOf(agreed)).status).toBe('BROKEN');
  }

  it.each(['dispute', 'hardship'] as const)('before %p is warned anew after staff have resumed', async (intent) => {
    const agreed = await agree();
    await says(agreed, await warn(agreed), intent);
    expect((await stateOf(agreed)).stopped).toBe(intent);
    const resumed = openAfter(agreed.due, 20);
    expect((await look(agreed, resumed)).kind).toBe('wait');
    expect((await resume(agreed)).status).toBe(200);
    await hasWholeTimeFrom(agreed, resumed);
  });

  it.each(Object.entries(PAUSES))('before a pause of %s is not broken in it, and warned anew', async (_, change) => {
    const agreed = await agree();
    await warn(agreed);
    await change(agreed, 'pause');
    const inPause = openAfter(agreed.due, AFTER_DAYS);
    // A simulated clock stands still meanwhile.
    expect(await look(agreed, inPause)).toMatchObject({ kind: 'wait', until: null });
    expect((await stateOf(agreed)).status).toBe('ACTIVE');
    await change(agreed, 'resume');
    await hasWholeTimeFrom(agreed, inPause);
  });

  it('is neither reminded nor broken after the client is cancelled, and paid all the same', async () => {
    const agreed = await agree([{}, { originalAmount: 300 }]);
    await warn(agreed);
    await setClient(agreed, 'CANCELLED');
    for (const days of [AFTER_DAYS, 60, 300]) {
      expect(await look(agreed, openAfter(agreed.due, days))).toMatchObject({ kind: 'wait', until: null });
    }
    expect(await stateOf(agreed)).toMatchObject({ status: 'ACTIVE', warnings: 1 });
    const verdicts = `select from debt_events where debt_id = any($1) and kind = 'verdict' and data ->> 'allowed' = 'false'`;
    expect(await app.query(verdicts, [agreed.debtIds])).toEqual([]);
    for (const code of agreed.codes) await money.payCode(agreed.client.id, code);
    expect((await stateOf(agreed)).status).toBe('COMPLETED');
    const debts = await app.query('select status from debts where id = any($1)', [agreed.debtIds]);
    expect(debts).toEqual([{ status: 'PAID' }, { status: 'PAID' }]);
  });
});

describe('an agreement whose debtor says that an instalment is paid', () => {
  const inbox = async ({ debtIds }: Agreed) =>
    (
      await app.query<{ reason: string }>('select reason from inbox_items where debt_id = $1 and closed_at is null', [
        debtIds[0],
      ])
    ).map(({ reason }) => reason);

  it('is not broken after a warning before staff have looked, and is warned anew then', async () => {
    const agreed = await agree();
    await says(agreed, await warn(agreed), 'already_paid');
    expect(await inbox(agreed)).toEqual(['said_paid']);
    const over = openAfter(agreed.due, AFTER_DAYS);
    await look(agreed, over);
    expect((await stateOf(agreed)).status).toBe('ACTIVE');
    expect((await agreed.client.call('POST', `/api/debts/${agreed.debtIds[0]}/resume`)).status).toBe(400);
    expect((await resume(agreed)).status).toBe(200);
    expect(await inbox(agreed)).toEqual([]);
    await look(agreed, openAfter(over, 3));
    expect(await stateOf(agreed)).toMatchObject({ status: 'ACTIVE', warnings: 2 });
  });

  it('is warned once staff have found no payment', async () => {
    const agreed = await agree();
    await says(agreed, agreed.due, 'already_paid');
    await look(agreed, openAfter(agreed.due, 5));
    expect(await stateOf(agreed)).toMatchObject({ warnings: 0 });
    expect((await resume(agreed)).status).toBe(200);
    await look(agreed, openAfter(agreed.due, 10));
    expect(await stateOf(agreed)).toMatchObject({ warnings: 1 });
  });

  it('waits for nobody any more once the payment has come', async () => {
    const agreed = await agree();
    await says(agreed, agreed.due, 'already_paid');
    const [debtId] = agreed.debtIds;
    const payment = { amount: 300, paidAt: new Date().toISOString(), method: 'cash' };
    expect((await agreed.client.call('POST', `/api/debts/${debtId}/settle`, payment)).status).toBe(200);
    expect(await inbox(agreed)).toEqual([]);
    const [told] = await app.query(
      `select requests, said_paid_at as "saidPaidAt" from person_requests join debts using (debtor_tax_id)
       where debts.id = $1`,
      [debtId],
    );
    expect(told).toEqual({ requests: [], saidPaidAt: null });
    expect((await resume(agreed)).status).toBe(409);
  });
});

describe('an agreement whose debtor disputes it and later asks for patience', () => {
  it('goes on only with a note of what was checked', async () => {
    const agreed = await agree();
    for (const intent of ['dispute', 'hardship'] as const) await says(agreed, agreed.due, intent);
    expect(await stateOf(agreed)).toMatchObject({ stopped: 'dispute' });
    expect((await agreed.client.call('POST', `/api/debts/${agreed.debtIds[0]}/resume`)).status).toBe(400);
    expect((await resume(agreed)).status).toBe(200);
  });

  it('leaves a disputed debt when it is cancelled', async () => {
    const { client, id, debtIds, ...rest } = await agree();
    for (const intent of ['dispute', 'hardship'] as const)
      await says({ client, id, debtIds, ...rest }, rest.due, intent);
    expect((await client.call('POST', `/api/agreements/${id}/cancel`, { reason: 'A pessoa contesta.' })).status).toBe(
      200,
    );
    expect((await client.call('GET', `/api/debts/${debtIds[0]}`)).body).toMatchObject({ status: 'DISPUTED' });
  });
});

describe('an agreement', () => {
  it('keeps its amounts, dates and breach when terms and policy change', async () => {
    const agreed = await agree();
    const { client, id } = agreed;
    const read = async () => (await client.call('GET', `/api/agreements/${id}`)).body;
    const before = await read();
    expect((await client.call('PUT', '/api/terms', TERMS)).status).toBe(201);
    // biome-ignore lint/suspicious/noThenProperty: the API names it so, and nobody awaits a policy.
    const other = { ...OFFERS_POLICY, bands: [], breach: { afterDays: 60, then: 'keep' }, graceMoves: 3 };
    expect((await client.call('PUT', '/api/offers/policy', other)).status).toBe(200);
    expect(await read()).toEqual(before);
    await warn(agreed);
    await look(agreed, openAfter(agreed.due, AFTER_DAYS));
    expect((await read()).status).toBe('BROKEN');
    expect((await client.call('GET', `/api/debts/${agreed.debtIds[0]}/quote`)).body.total).toBe(1000);
  });

  it('takes what is paid by an old code of one of its debts for the next instalments', async () => {
    const { client, id, codes, debtIds } = await agree([{ originalAmount: 500 }, {}]);
    const read = async () => (await client.call('GET', `/api/agreements/${id}`)).body;
    const { total, instalments } = await read();
    expect([total, instalments[0].amount]).toEqual([1275, 425]);
    await money.payCode(client.id, codes[0]!);
    const paid = await read();
    expect([paid.status, paid.paid]).toEqual(['ACTIVE', 500]);
    expect(paid.instalments.map(({ status }: { status: string }) => status)).toEqual([
      'APPROVED',
      'PENDING',
      'PENDING',
    ]);
    expect((await money.codesOf(client.id, debtIds)).map(({ amountCentavos }) => amountCentavos)).toEqual([
      35_000, 35_000,
    ]);
    await money.payCode(client.id, codes[1]!);
    expect(await read()).toMatchObject({ status: 'COMPLETED', paid: 1500 });
  });

  it('is read by the checker of a chaos run from the tables as they are now', async () => {
    const { id, debtIds } = await agree();
    const facts = await readDatabase(app.database.url);
    const agreement = facts.agreements.find((one) => one.id === id);
    const offer = facts.offers.find((one) => one.id === agreement?.offerId);
    expect(agreement?.debts.map(({ debtId }) => debtId)).toEqual(debtIds);
    expect(facts.policies.some((one) => one.clientId === offer?.clientId && one.version === offer.policyVersion)).toBe(
      true,
    );
    expect(agreedAmountsStay({ ...facts, workflows: [], log: [] })).toEqual([]);
    expect(facts.charges.every(({ creditedCentavos }) => Number.isInteger(creditedCentavos))).toBe(true);
  });
});
