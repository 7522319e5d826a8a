import { describe, expect, it } from '@jest/globals';
import { timerOf } from '../../src/modules/debts/rules/next-step.ts';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { opened } from '../../testing/opened.ts';
import { type GivenPayment, paidDebt } from '../../testing/receipts-harness.ts';
import { openPostOffice } from './postman.ts';

const app = await opened(startCampaignsApp());
const client = await app.newClient();

/** Creates a paid debt whose own clock shows this moment. */
const paidAt = (moment: string, given: GivenPayment = {}) =>
  paidDebt(app.query, client.id, { clockOffsetMs: Date.parse(moment) - Date.now(), ...given });
const send = (debtId: string) => client.call('POST', `/api/receipts/${debtId}?send=true`);

const WEDNESDAY_MORNING = '2026-11-25T13:00:00Z';

describe('?send=true', () => {
  it('inside the window is sent at once', async () => {
    const { debtId } = await paidAt(WEDNESDAY_MORNING);
    expect(await send(debtId)).toMatchObject({ status: 201, body: { sent: true } });
    const { body } = await send(debtId);
    expect(body).not.toHaveProperty('sendAt');
    const signals = await app.query<{ signal: string; requests: number }>(
      `select signal, requests from outbox where workflow_id = $1`,
      [`collection-${debtId}`],
    );
    expect(signals).toEqual([{ signal: 'receiptWanted', requests: 2 }]);
  });

  it.each([
    ['on a Wednesday night', '2026-11-26T01:00:00Z', '2026-11-26T12:00:00.000Z'],
    ['before the window opens', '2026-11-25T11:00:00Z', '2026-11-25T12:00:00.000Z'],
    ['on a Friday after hours', '2026-11-27T23:00:00Z', '2026-11-30T12:00:00.000Z'],
    ['on Black Consciousness Day', '2026-11-20T15:00:00Z', '2026-11-23T12:00:00.000Z'],
  ])('%s is sent at the next opening', async (_when, moment, opening) => {
    const { debtId } = await paidAt(moment);
    expect((await send(debtId)).body).toMatchObject({ sent: true, sendAt: opening });
  });

  it('is allowed five times a day, then answered 429 until the debtor’s midnight, also for concurrent calls', async () => {
    const { debtId } = await paidAt(WEDNESDAY_MORNING);
    await client.call('POST', `/api/receipts/${debtId}`);
    const answers = await Promise.all(Array.from({ length: 12 }, () => send(debtId)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(7);
    // It is about 10:00 in São Paulo.
    expect(refused[0]!.body).toMatchObject({ code: 'rate_limited' });
    expect(Math.abs(refused[0]!.body.retryAfterSeconds - 14 * 3_600)).toBeLessThan(60);
    const { debtId: another } = await paidAt(WEDNESDAY_MORNING);
    expect((await send(another)).status).toBe(201);
  });

  it('after an opt-out or a wrong person gives the reason why nothing is sent', async () => {
    const optedOut = await paidAt(WEDNESDAY_MORNING, { debtorTaxId: '52998224725' });
    await app.query(
      `insert into debt_events (client_id, debt_id, at, kind, data)
       values ($1, $2, quita_now(), 'status_changed', '{"from": "IN_COLLECTION", "to": "OPTED_OUT"}')`,
      [client.id, optedOut.debtId],
    );
    const wrong = await paidAt(WEDNESDAY_MORNING);
    await app.query('update debts set wrong_person_at = quita_now() where id = $1', [wrong.debtId]);
    expect((await send(optedOut.debtId)).body).toMatchObject({ sent: false, reason: 'opt_out' });
    expect((await send(wrong.debtId)).body).toMatchObject({ sent: false, reason: 'wrong_person' });
    // This is another debt of the person who opted out.
    const sibling = await paidAt(WEDNESDAY_MORNING, { debtorTaxId: '52998224725' });
    expect((await send(sibling.debtId)).body).toMatchObject({ sent: false, reason: 'opt_out' });
    const rows = await app.query('select 1 from receipt_deliveries where debt_id = any ($1)', [
      [optedOut.debtId, wrong.debtId, sibling.debtId],
    ]);
    expect(rows).toEqual([]);
  });

  it('waits for its moment, and an opt-out in the meantime prevents it', async () => {
    const office = await openPostOffice(app, client.id);
    try {
      const night = Date.parse('2026-11-26T01:00:00Z');
      const opening = Date.parse('2026-11-26T12:00:00Z');
      const debts = [
        await paidDebt(app.query, client.id, { sandbox: false }),
        await paidDebt(app.query, client.id, { sandbox: false }),
      ] as const;
      office.goTo(night);
      for (const debt of debts) {
        await office.deliver(debt);
        // The API uses the real clock, and the worker of the test another one.
        await app.query('update debts set clock_offset_ms = $2 where id = $1', [debt.debtId, night - Date.now()]);
        expect((await send(debt.debtId)).body).toMatchObject({ sent: true });
      }
      expect(office.sent).toHaveLength(2);
      await app.query('update debts set clock_offset_ms = 0');
      for (const debt of debts) expect(timerOf(await office.deliver(debt))).toBe(opening);
      expect(office.sent).toHaveLength(2);
      await app.query('update debts set wrong_person_at = quita_now() where id = $1', [debts[1].debtId]);
      office.goTo(opening);
      for (const debt of debts) {
        expect(await office.deliver(debt)).toMatchObject({ kind: 'finish', status: 'PAID' });
      }
      expect(office.sent.map(({ context }) => context.debtId)).toEqual([
        debts[0].debtId,
        debts[1].debtId,
        debts[0].debtId,
      ]);
    } finally {
      await office.close();
    }
  });
});
