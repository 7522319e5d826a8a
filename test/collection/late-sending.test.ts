import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { MessagingError } from '../../src/modules/messaging/ports/messaging-channel.ts';
import { openEngine, WEDNESDAY } from '../../testing/engine.ts';
import { opened } from '../../testing/opened.ts';

const engine = await opened(openEngine());

describe('a process that stands still between the decision about a contact and its sending', () => {
  it('does not send what may be wrong by now, and the gate decides again', async () => {
    const debt = await engine.debt();
    const request = engine.request(debt);
    // The contact is announced after it was booked and before it is sent.
    await engine.services.contactDebtor(request, () => {
      engine.clock.now = WEDNESDAY + 20_000;
    });
    expect(engine.sent).toEqual([]);
    const stored =
      'select delivery, failure, (select step from debts where id = $1) as step from messages where debt_id = $1';
    expect(await engine.query(debt, stored, [debt.id])).toEqual([{ delivery: 'failed', failure: 'late', step: 0 }]);
    expect(
      await engine.query(debt, 'select from contact_ledger where debt_id = $1 and kind = $2', [debt.id, 'booking']),
    ).toEqual([]);

    await engine.hear(debt, 'PARAR');
    engine.clock.now = WEDNESDAY + 120_000;
    await engine.services.contactDebtor(engine.request(debt));
    expect(engine.sent.filter(({ purpose }) => purpose === 'collection')).toEqual([]);
    expect(await engine.status(debt)).toBe('OPTED_OUT');
  });

  it('makes the contact after a minute, however often the sending was late', async () => {
    engine.clock.now = WEDNESDAY;
    const debt = await engine.debt();
    for (let times = 0; times < 6; times += 1) {
      await engine.services.contactDebtor(engine.request(debt, engine.clock.now, randomUUID()), () => {
        engine.clock.now += 20_000;
      });
      engine.clock.now += 60_000;
    }
    const before = engine.sent.length;
    await engine.services.contactDebtor(engine.request(debt));
    expect(engine.sent.slice(before).map(({ purpose }) => purpose)).toEqual(['collection']);
    expect(await engine.status(debt)).toBe('IN_COLLECTION');
  });
});

describe('a debt whose last message another debt of the person is sending', () => {
  const LAST_STEP = 5;

  it('ends only when it is known whether the message was sent', async () => {
    engine.clock.now = WEDNESDAY;
    const person = { cpf: '39053344705', phone: '+5511980002000' };
    const asking = await engine.debt(person);
    const other = await engine.debt({ ...person, clientId: asking.clientId, campaignId: asking.campaignId });
    const both = [asking.id, other.id];
    await engine.query(
      asking,
      `update debts set step = $2, status = 'IN_COLLECTION', next_contact_at = $3 where id = any($1)`,
      [both, LAST_STEP, new Date(WEDNESDAY)],
    );
    const { send } = engine.channel;
    let meanwhile = '';
    engine.channel.send = async (...message) => {
      await engine.contact(other);
      meanwhile = await engine.status(other);
      return send(...message);
    };
    await engine.contact(asking);
    engine.channel.send = send;
    expect(meanwhile).toBe('IN_COLLECTION');
    expect([await engine.status(asking), await engine.status(other)]).toEqual(['EXHAUSTED', 'EXHAUSTED']);
  });

  it('is not given up when the message was not sent', async () => {
    engine.clock.now = WEDNESDAY;
    const person = { cpf: '71428793860', phone: '+5511980003000' };
    const asking = await engine.debt(person);
    const other = await engine.debt({ ...person, clientId: asking.clientId, campaignId: asking.campaignId });
    await engine.query(
      asking,
      `update debts set step = $2, status = 'IN_COLLECTION', next_contact_at = $3 where id = any($1)`,
      [[asking.id, other.id], LAST_STEP, new Date(WEDNESDAY)],
    );
    const { send } = engine.channel;
    engine.channel.send = async () => {
      await engine.contact(other);
      throw new MessagingError('retryable', 'the channel is busy');
    };
    await engine.contact(asking);
    engine.channel.send = send;
    const steps = await engine.query(asking, 'select status, step from debts where id = any($1) order by id', [
      [asking.id, other.id],
    ]);
    expect(steps).toEqual([
      { status: 'IN_COLLECTION', step: LAST_STEP },
      { status: 'IN_COLLECTION', step: LAST_STEP },
    ]);
  });
});
