import { expect, it } from '@jest/globals';
import { storePreference } from '../../src/modules/debts/queries/person-requests.ts';
import type { MessagingChannel } from '../../src/modules/messaging/ports/messaging-channel.ts';
import { engineServices, HOUR, openEngine, somebody, WEDNESDAY } from '../../testing/engine.ts';
import { opened } from '../../testing/opened.ts';

const engine = await opened(openEngine());
const local = (at: Date) => new Date(at.getTime() - 3 * HOUR);

it('a preference that comes while a message is sent lets it go, and holds from the next one on', async () => {
  const person = somebody();
  const debt = await engine.debt(person);
  const preference = { hours: { from: '16:00', to: '17:00' }, weekdays: [5], channel: null };
  const channel: MessagingChannel = {
    ...engine.channel,
    send: async (message) => {
      await engine.db
        .tenant(debt.clientId)
        .transactional((tx) =>
          storePreference(tx, { clientId: debt.clientId, debtorTaxId: person.cpf, sandbox: false }, preference),
        );
      return engine.channel.send(message);
    },
  };
  const sendersOf = async () => [{ channel, credentials: null, id: null, number: null }];
  await engineServices({ ...engine.deps, sendersOf }).contactDebtor(engine.request(debt));
  expect(engine.sent).toHaveLength(1);
  expect((await engine.deliveries(debt))[0]).toBe('sent');
  // The page wakes the debt, which is then planned again.
  await engine.contact(debt, WEDNESDAY + HOUR);
  const [row] = await engine.query<{ at: Date }>(debt, 'select next_contact_at as at from debts where id = $1', [
    debt.id,
  ]);
  expect([local(row!.at).getUTCDay(), local(row!.at).getUTCHours()]).toEqual([5, 16]);
  expect(engine.sent).toHaveLength(1);
  await engine.contact(debt, row!.at.getTime());
  expect(engine.sent).toHaveLength(2);
});
