import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, expect, it } from '@jest/globals';
import { timerOf } from '../../src/modules/debts/rules/next-step.ts';
import { MessagingError } from '../../src/modules/messaging/ports/messaging-channel.ts';
import { requestReceipt } from '../../src/modules/receipts/use-cases/request-receipt.ts';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { opened } from '../../testing/opened.ts';
import { type PaidDebt, paidDebt } from '../../testing/receipts-harness.ts';
import { openPostOffice } from './postman.ts';

const app = await opened(startCampaignsApp());
const client = await app.newClient();
const office = await openPostOffice(app, client.id);
afterAll(() => office.close());

/** 10:00 of a Wednesday in São Paulo. */
const MORNING = Date.parse('2026-11-25T13:00:00Z');
const HOUR = 3_600_000;

beforeEach(() => {
  office.goTo(MORNING);
  office.sent.length = 0;
  office.failWith(() => null);
  office.connect('whatsapp', 'email');
});

const paid = () => paidDebt(app.query, client.id, { sandbox: false });
const deliveriesOf = ({ debtId }: PaidDebt) =>
  app.query('select way, state from receipt_deliveries where debt_id = $1', [debtId]);

/** Delivers whenever the workflow would, and returns how often that was. */
async function deliverToTheEnd(debt: PaidDebt): Promise<number> {
  for (let turn = 1; turn < 20; turn += 1) {
    const at = timerOf(await office.deliver(debt));
    if (at === null) return turn;
    office.goTo(at);
  }
  throw new Error('The receipt waits without an end.');
}

const ask = ({ debtId }: PaidDebt) =>
  requestReceipt(office.deps)({
    clientId: client.id,
    debtId,
    send: true,
    sendingId: randomUUID(),
    source: { ip: '127.0.0.1', by: 'session' },
  });

const preferEmail = ({ debtId }: PaidDebt) =>
  app.query(
    `insert into person_requests (client_id, debtor_tax_id, sandbox, preference)
     select client_id, debtor_tax_id, sandbox, '{"channel": "email", "hours": null, "weekdays": null}'
     from debts where id = $1`,
    [debtId],
  );

it('goes to no phone of a person who wants e-mails, and a request for it is told so', async () => {
  const debt = await paid();
  await preferEmail(debt);
  expect(await deliverToTheEnd(debt)).toBe(1);
  expect(await ask(debt)).toMatchObject({ sent: false, reason: 'no_channel' });
  expect(await deliveriesOf(debt)).toEqual([]);
});

it('is promised to nobody where the client has e-mail alone', async () => {
  office.connect('email');
  const debt = await paid();
  expect(await deliverToTheEnd(debt)).toBe(1);
  expect(await ask(debt)).toMatchObject({ sent: false, reason: 'no_channel' });
  expect(await deliveriesOf(debt)).toEqual([]);
});

it('fails at once where it is known that no channel reaches the phone', async () => {
  const debt = await paid();
  const { personKeys } = office.deps;
  const [person] = await app.query<{ tax: string; phone: string }>(
    'select debtor_tax_id as tax, debtor_phone as phone from debts where id = $1',
    [debt.debtId],
  );
  await app.query(
    `insert into recipients (client_id, channel, person_key, phone_key, debt_id, unreachable_at)
     values ($1, 'whatsapp', $2, $3, $4, $5)`,
    [client.id, personKeys.person(person!.tax), personKeys.phone(person!.phone), debt.debtId, new Date(MORNING)],
  );
  expect(await deliverToTheEnd(debt)).toBe(1);
  expect(await deliveriesOf(debt)).toEqual([{ way: 'message', state: 'failed' }]);
  expect(office.sent).toEqual([]);
});

it('goes at once at night, and at the next opening when it could not go at once', async () => {
  const evening = MORNING + 12 * HOUR;
  office.goTo(evening);
  await deliverToTheEnd(await paid());
  expect(office.sent).toHaveLength(1);
  expect(office.at()).toBe(evening);
  let failures = 3;
  office.failWith(() => (failures-- > 0 ? new MessagingError('retryable', 'busy') : null));
  await deliverToTheEnd(await paid());
  expect(office.sent).toHaveLength(2);
  expect(new Date(office.at()).toISOString()).toBe('2026-11-26T12:00:00.000Z');
});

// The last one, because the sender has stopped after it.
it('fails after its tries where no sender can send', async () => {
  const debt = await paid();
  office.failWith(() => new MessagingError('unauthorized', 'the credentials are refused'));
  expect(await deliverToTheEnd(debt)).toBeLessThanOrEqual(8);
  expect(await deliveriesOf(debt)).toEqual([{ way: 'message', state: 'failed' }]);
  expect(office.at() - MORNING).toBeGreaterThan(24 * HOUR);
  expect(office.at() - MORNING).toBeLessThan(72 * HOUR);
});
