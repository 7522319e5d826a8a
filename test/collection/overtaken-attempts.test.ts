import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type MessagingChannel, MessagingError } from '../../src/modules/messaging/ports/messaging-channel.ts';
import {
  createRecordingChannel,
  engineServices,
  type MadeDebt,
  openEngine,
  somebody,
  withoutKnown,
} from '../../testing/engine.ts';
import { opened } from '../../testing/opened.ts';

/**
 * Temporal gives an attempt up when it hears nothing of it for half a minute, although its process may live: its
 * connection was cut. The next attempt then runs beside it, and the first may learn last that nothing was sent.
 */
const engine = await opened(openEngine());
afterEach(engine.reset);

/** A channel whose first sending waits until the test lets it fail. */
function slowChannel() {
  const started = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<never>();
  const { channel, sent } = createRecordingChannel();
  let isFirst = true;
  const slow: MessagingChannel = {
    ...channel,
    send: (message) => {
      if (!isFirst) return channel.send(message);
      isFirst = false;
      started.resolve();
      return ended.promise;
    },
  };
  const services = engineServices({
    ...engine.deps,
    sendersOf: async () => [{ channel: slow, credentials: null, id: null, number: null }],
  });
  const refused = new MessagingError('retryable', 'The channel is busy.');
  return { services, sent, started: started.promise, fail: () => ended.reject(refused) };
}

const outgoing = (debt: MadeDebt) =>
  engine.query<{ delivery: string }>(debt, `select delivery from messages where debt_id = $1 and direction = 'out'`, [
    debt.id,
  ]);

describe('an attempt that is made again after it has answered', () => {
  it('leaves what the debtor has written since to the attempt after it, which answers that too', async () => {
    const debt = await engine.debt(somebody());
    const message = { clientId: debt.clientId, debtId: debt.id, channel: 'sandbox' };
    const write = (text: string) =>
      engine.services.receiveMessage({ ...message, text, channelMessageId: randomUUID() });
    const task = engine.request(debt);
    await write('quanto é mesmo?');
    await engine.services.answerDebtor(task);
    // The worker was killed before it could tell Temporal, and the debtor has read the answer.
    await write('qual é o CNPJ de vocês?');
    await engine.services.answerDebtor(task);
    expect(engine.sent).toHaveLength(1);
    await engine.services.answerDebtor(engine.request(debt));
    expect(engine.sent).toHaveLength(2);
    expect(engine.sent[1]?.text).toContain('CNPJ');
  });
});

describe('an attempt that the next one has overtaken, and that then fails', () => {
  it('leaves the answer as the next attempt has recorded it, so that nobody waits for one that nothing makes', async () => {
    const debt = await engine.debt(somebody());
    const { services, started, fail } = slowChannel();
    const message = { clientId: debt.clientId, debtId: debt.id, channel: 'sandbox', text: 'quanto é mesmo?' };
    await services.receiveMessage({ ...message, channelMessageId: randomUUID() });
    const task = engine.request(debt);
    const overtaken = services.answerDebtor(task);
    await started;
    await services.answerDebtor(task);
    fail();
    await overtaken;
    expect(await outgoing(debt)).toEqual([{ delivery: 'unknown' }]);
    const open = await engine.query(debt, `select from messages where direction = 'in' and handled_at is null`);
    expect(open).toEqual([]);
  });

  it('leaves the contact booked, as one that may have been made', async () => {
    const debt = await engine.debt(somebody());
    const { services, started, fail } = slowChannel();
    const task = engine.request(debt);
    const overtaken = services.contactDebtor(task);
    await started;
    const planned = await services.contactDebtor(task);
    fail();
    expect(await overtaken).toMatchObject(withoutKnown(planned));
    expect(await outgoing(debt)).toEqual([{ delivery: 'unknown' }]);
    expect((await engine.ledger(debt)).map(({ kind }) => kind)).toContain('booking');
  });
});
