import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { changeSettings } from '../../src/modules/campaigns/use-cases/change-settings.ts';
import type { KnownContact } from '../../src/modules/debts/rules/debt-task.ts';
import { timerOf } from '../../src/modules/debts/rules/next-step.ts';
import { MessagingError } from '../../src/modules/messaging/ports/messaging-channel.ts';
import { copyDatabase, createTestDatabase } from '../../testing/database.ts';
import { DAY, type Engine, HOUR, type MadeDebt, openEngine, somebody, WEDNESDAY } from '../../testing/engine.ts';
import { opened } from '../../testing/opened.ts';
import { SOURCE } from '../../testing/source.ts';

/** Debts of a new person with one client, for which one contact was made before the backup was taken. */
async function debtsOfOne(engine: Engine, count = 1): Promise<MadeDebt[]> {
  const person = somebody();
  const first = await engine.debt(person);
  const { clientId, campaignId } = first;
  const made = [first];
  while (made.length < count) made.push(await engine.debt({ ...person, clientId, campaignId }));
  return made;
}

/** Makes contacts in the present database, each when it is due, and returns what the workflow knows afterwards. */
async function contacts(debt: MadeDebt, count: number, from = present.clock.now): Promise<KnownContact[]> {
  const known: KnownContact[] = [];
  for (let made = 0, at = from; made < count; made += 1) {
    at = timerOf(await present.contact(debt, at)) ?? at;
    known.push((await present.services.readKnowledge({ clientId: debt.clientId, debtId: debt.id })).contact!);
  }
  return known;
}

const contactWith = (engine: Engine, debt: MadeDebt, at: number, known: object) =>
  engine.services.contactDebtor({ ...engine.request(debt, at), ...known });
const stepOf = async (engine: Engine, debt: MadeDebt): Promise<number> =>
  (await engine.query<{ step: number }>(debt, 'select step from debts where id = $1', [debt.id]))[0]?.step ?? -1;
const bookings = async (engine: Engine, debt: MadeDebt): Promise<number[]> =>
  (await engine.ledger(debt)).filter(({ kind }) => kind === 'booking').map(({ at }) => at.getTime());
const events = async (engine: Engine, debt: MadeDebt, kind: string) =>
  (
    await engine.query<{ data: object }>(
      debt,
      'select data from debt_events where debt_id = $1 and kind = $2 order by seq',
      [debt.id, kind],
    )
  ).map(({ data }) => data);

const SETS = 7;
const debts: MadeDebt[] = [];
const database = await opened(createTestDatabase());
const before = await openEngine(database.url);
for (let set = 0; set < SETS; set += 1) debts.push(...(await debtsOfOne(before, 2)));
const person = somebody();
/** A bill that is not due yet, and an overdue debt of the same person with another client. */
const bill = await before.debt({ ...person, dueDate: '2026-11-27' });
const elsewhere = await before.debt(person);
await changeSettings(before.ofApi)({
  clientId: bill.clientId,
  campaignId: bill.campaignId,
  change: { reminders: { daysBefore: [7, 6, 0] } },
  source: SOURCE,
});
await before.close();
// The backup is taken before any contact, and the present database goes on.
const copy = await opened(copyDatabase(database));
const backup = await opened(openEngine(copy.url));
const present = await opened(openEngine(database.url));
afterEach(() => {
  backup.reset();
  present.reset();
});

/** The debts of one person; each test has a person of its own. */
const pair = (set: number): [MadeDebt, MadeDebt] => [debts[2 * set]!, debts[2 * set + 1]!];
const alone = async (engine: Engine, [debt, other]: [MadeDebt, MadeDebt]): Promise<MadeDebt> => {
  await engine.query(other, `update debts set status = 'STOPPED' where id = $1`, [other.id]);
  return debt;
};

describe('a database that is older than the workflow', () => {
  it('books the forgotten contacts as unknown, then goes on with the step that follows', async () => {
    const debt = await alone(present, pair(0));
    await alone(backup, pair(0));
    const known = await contacts(debt, 3);
    const due = timerOf(await contactWith(present, debt, known[2]!.at + HOUR, {})) ?? 0;
    present.sent.length = 0;

    const step = await contactWith(backup, debt, due, { contacts: known });
    expect(backup.sent.map(({ purpose }) => purpose)).toEqual(['collection']);
    expect(await stepOf(backup, debt)).toBe(4);
    expect(await backup.deliveries(debt)).toEqual(['unknown', 'unknown', 'unknown', 'sent']);
    expect(await bookings(backup, debt)).toEqual([...known.map(({ at }) => at), due]);
    expect(timerOf(step)).toBeGreaterThan(due);
    // What the present database says at the same moment is what the restored one says.
    await contactWith(present, debt, due, {});
    expect(backup.sent).toEqual(present.sent);
    // A second look at the same facts books nothing more.
    await contactWith(backup, debt, due + HOUR, { contacts: known });
    expect(await bookings(backup, debt)).toHaveLength(4);
  });

  it('contacts nobody before the moment that follows the forgotten contacts', async () => {
    const debt = await alone(present, pair(1));
    await alone(backup, pair(1));
    const known = await contacts(debt, 2);
    const due = timerOf(await contactWith(present, debt, known[1]!.at + HOUR, {})) ?? 0;
    const step = await contactWith(backup, debt, known[1]!.at + HOUR, { contacts: known });
    expect(timerOf(step)).toBe(due);
    expect(backup.sent).toEqual([]);
    expect(await backup.status(debt)).toBe('IN_COLLECTION');
    const told = await events(backup, debt, 'message_sent');
    expect(told).toMatchObject(known.map(({ id }) => ({ messageId: id, purpose: 'collection' })));
  });

  it('counts a forgotten contact of another debt of the person for the caps, and for each debt once', async () => {
    const [one, two] = pair(2);
    const [shared] = await contacts(one, 1);
    expect((await present.services.readKnowledge({ clientId: two.clientId, debtId: two.id })).contact).toEqual(shared);
    const later = WEDNESDAY + 2 * HOUR;
    await contactWith(backup, one, later, { contacts: [shared] });
    // The workflow of the second debt has not asked yet, but no message goes out on the same day.
    await contactWith(backup, two, later, {});
    expect(backup.sent).toEqual([]);
    await contactWith(backup, two, later, { contacts: [shared] });
    await contactWith(backup, two, later, { contacts: [shared] });
    expect(backup.sent).toEqual([]);
    expect([await stepOf(backup, one), await stepOf(backup, two)]).toEqual([1, 1]);
    expect([...(await bookings(backup, one)), ...(await bookings(backup, two))]).toEqual([shared!.at]);
    const messages = await backup.query<{ about: string[] }>(
      one,
      'select also_about || debt_id as about from messages where id = $1',
      [shared!.id],
    );
    expect(messages[0]?.about.toSorted()).toEqual([one.id, two.id].sort());
  });

  it('does not send again what an interrupted attempt had announced', async () => {
    const debt = await alone(present, pair(3));
    await alone(backup, pair(3));
    const announced: KnownContact[] = [];
    const task = present.request(debt);
    await present.services.contactDebtor(task, (contact) => {
      // Nothing has left yet, and the contact is booked.
      expect(present.sent).toEqual([]);
      announced.push(contact);
    });
    expect(announced).toHaveLength(1);
    await backup.services.contactDebtor({ ...task, contacts: announced });
    expect(backup.sent).toEqual([]);
    expect(await backup.deliveries(debt)).toEqual(['unknown']);
    expect(await stepOf(backup, debt)).toBe(1);
  });

  it('books a forgotten reminder as one, does not repeat it, and counts it for the caps of other clients', async () => {
    // Friday, 20 November, is a holiday: both days come to Thursday.
    const thursday = WEDNESDAY + DAY;
    expect(timerOf(await present.contact(bill, WEDNESDAY))).toBeLessThan(thursday + DAY);
    const [known] = await contacts(bill, 1, thursday);
    expect(present.sent.map(({ purpose }) => purpose)).toEqual(['reminder']);
    const later = known!.at + HOUR;
    const next = timerOf(await contactWith(present, bill, later, {})) ?? 0;

    expect(timerOf(await contactWith(backup, bill, later, { contacts: [known] }))).toBe(next);
    await contactWith(backup, elsewhere, later, {});
    expect(backup.sent).toEqual([]);
    expect([await backup.status(bill), await stepOf(backup, bill)]).toEqual(['QUEUED', 0]);
    expect(await bookings(backup, bill)).toEqual([known!.at]);
    expect(await events(backup, bill, 'message_sent')).toMatchObject([{ messageId: known!.id, purpose: 'reminder' }]);
    const counted = `select sum(contacts_sent)::int as contacts, sum(reminders_sent)::int as reminders
      from campaign_days where campaign_id = $1`;
    expect(await backup.query(bill, counted, [bill.campaignId])).toEqual([{ contacts: 0, reminders: 1 }]);
    // Its day has had its reminder, also where the ledger knows no contact any more.
    await backup.query(bill, 'delete from contact_ledger where debt_id = $1', [bill.id]);
    await backup.query(bill, 'update debts set next_contact_at = $2 where id = $1', [bill.id, new Date(later)]);
    expect(timerOf(await contactWith(backup, bill, later + HOUR, { contacts: [known] }))).toBe(next);
    expect(backup.sent).toEqual([]);
    // The reminder of the due date comes as it would have come.
    await contactWith(backup, bill, next, { contacts: [known] });
    expect(backup.sent.map(({ purpose }) => purpose)).toEqual(['reminder']);
  });

  it('holds the debt when it has forgotten what was said, and tells the client', async () => {
    const debt = await alone(present, pair(4));
    await alone(backup, pair(4));
    const [known] = await contacts(debt, 1);
    await present.hear(debt, 'Não reconheço essa dívida');
    const { event } = await present.services.readKnowledge({ clientId: debt.clientId, debtId: debt.id });
    const later = { contacts: [known], lastHeard: event };
    expect(await contactWith(backup, debt, WEDNESDAY + 5 * DAY, later)).toMatchObject({ kind: 'waitForSignal' });
    expect(await backup.status(debt)).toBe('ON_HOLD');
    expect(backup.sent).toEqual([]);
    expect(await bookings(backup, debt)).toEqual([known!.at]);
    const told = [{ reason: 'conversation_forgotten', forgotten: event!.seq }];
    expect(await events(backup, debt, 'needs_person')).toEqual(told);
    // The client decides, and the workflow that still remembers the lost entry does not hold the debt again.
    await backup.requests.resumeDebt({ clientId: debt.clientId, debtId: debt.id, source: SOURCE });
    await contactWith(backup, debt, WEDNESDAY + 6 * DAY, later);
    expect(await backup.status(debt)).toBe('IN_COLLECTION');
  });

  it('recognises an entry of the timeline by its moment too, because numbers are given again', async () => {
    const debt = await alone(present, pair(5));
    const { event } = await (async () => {
      await contacts(debt, 1);
      return present.services.readKnowledge({ clientId: debt.clientId, debtId: debt.id });
    })();
    const other = { seq: event!.seq, at: event!.at + 1 };
    await contactWith(present, debt, WEDNESDAY + HOUR, { lastHeard: event });
    expect(await present.status(debt)).toBe('IN_COLLECTION');
    await contactWith(present, debt, WEDNESDAY + HOUR, { lastHeard: other });
    expect(await present.status(debt)).toBe('ON_HOLD');
  });
});

describe('a database that is not older', () => {
  it('does not take a contact that surely failed for one that it has forgotten', async () => {
    const debt = await alone(present, pair(6));
    present.failNext(new MessagingError('retryable', 'busy'));
    const announced: KnownContact[] = [];
    await present.services.contactDebtor(present.request(debt), (contact) => void announced.push(contact));
    const asked = { clientId: debt.clientId, debtId: debt.id };
    expect((await present.services.readKnowledge(asked)).contact).toBeNull();
    await contactWith(present, debt, WEDNESDAY + HOUR, { contacts: announced });
    expect(present.sent).toHaveLength(1);
    expect(await stepOf(present, debt)).toBe(1);
    expect(await present.deliveries(debt)).toEqual(['failed', 'sent']);
  });

  it('knows nothing of a debt that does not exist', async () => {
    const nobody = { clientId: randomUUID(), debtId: randomUUID() };
    expect(await present.services.readKnowledge(nobody)).toEqual({ contact: null, event: null });
  });
});
