import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { RealChannel } from '../../src/kernel/messaging-channels.ts';
import type { ChannelEvent } from '../../src/modules/messaging/ports/channel-webhook.ts';
import {
  type MessagingChannel,
  MessagingError,
  type MessagingErrorKind,
  type OutgoingMessage,
} from '../../src/modules/messaging/ports/messaging-channel.ts';
import { TEMPLATE_TEXTS } from '../../src/modules/messaging/texts/templates.ts';
import type { Sender } from '../../src/modules/messaging/use-cases/deps.ts';
import { storeChannelEvents } from '../../src/modules/messaging/use-cases/store-channel-events.ts';
import type { Tx } from '../../src/platform/database/tx.ts';
import { DAY, engineServices, HOUR, type MadeDebt, openEngine, somebody, WEDNESDAY } from '../../testing/engine.ts';
import { opened } from '../../testing/opened.ts';

interface Recorded {
  readonly channel: RealChannel;
  readonly message: OutgoingMessage;
}
const sent: Recorded[] = [];
const failures = new Map<RealChannel, (() => Error | null)[]>();
const fail = (channel: RealChannel, ...errors: Error[]) =>
  failures.set(channel, [...(failures.get(channel) ?? []), ...errors.map((error) => () => error)]);

const channelOf = (name: RealChannel): MessagingChannel => ({
  name,
  capabilities: {
    policyChannel: name === 'whatsapp' ? 'whatsapp' : name === 'email' ? 'email' : 'sms',
    freeTextWindowMs: name === 'whatsapp' ? DAY : null,
    templates: name === 'whatsapp',
    documents: name !== 'twilio',
    pixCodes: false,
    deliveryStates: true,
    texts: name === 'twilio' ? 'short' : 'full',
    reaches: name === 'email' ? 'email' : 'phone',
    pace: name === 'whatsapp' ? { perSecond: 80, secondsPerPerson: 6 } : null,
  },
  async send(message) {
    const failure = failures.get(name)?.shift()?.() ?? null;
    if (failure !== null) throw failure;
    sent.push({ channel: name, message });
    return { channelMessageId: `${name}_${message.id}`, channelUserId: null };
  },
  checkCredentials: async () => ({ shownAs: name, peoplePerDay: null }),
});

const senderOf = (name: RealChannel): Sender => {
  const id = `${name}-${round}`;
  const credentials = { senderId: id, accountId: `account-${round}`, accessToken: 't', webhookSecret: null };
  return { channel: channelOf(name), credentials: name === 'email' ? null : credentials, id, number: id };
};
let order: readonly RealChannel[] = [];
/** Each test has senders of its own, because the pace of a sender never goes back in time. */
let round = 0;

const engine = await opened(openEngine());
const services = engineServices({ ...engine.deps, sendersOf: async () => order.map(senderOf) });
beforeEach(() => {
  engine.clock.now = WEDNESDAY;
  round += 1;
  order = ['whatsapp', 'twilio', 'email'];
  sent.length = 0;
  failures.clear();
});

async function newDebt(email: string | null = 'maria@exemplo.com.br'): Promise<MadeDebt> {
  const debt = await engine.debt(somebody());
  await engine.query(debt, 'update debts set debtor_email = $2 where id = $1', [debt.id, email]);
  return debt;
}
const contact = (debt: MadeDebt, at = engine.clock.now) => {
  engine.clock.now = at;
  return services.contactDebtor(engine.request(debt, at));
};
const messagesOf = (debt: MadeDebt) =>
  engine.query<{
    id: string;
    channel: string;
    delivery: string;
    tried: string[];
    text: string;
    failure: string | null;
  }>(
    debt,
    `select id, channel, delivery, tried_channels as tried, text, failure from messages
     where debt_id = $1 and direction = 'out' order by created_at`,
    [debt.id],
  );
const stepOf = async (debt: MadeDebt): Promise<number> =>
  (await engine.query<{ step: number }>(debt, 'select step from debts where id = $1', [debt.id]))[0]?.step ?? -1;
const senderState = async (debt: MadeDebt, channel: RealChannel) =>
  (
    await engine.query<{ state: string; reason: string | null }>(
      debt,
      'select state, reason from channel_senders where client_id = $1 and channel = $2',
      [debt.clientId, channel],
    )
  )[0];
const learn = async (
  debt: MadeDebt,
  channel: RealChannel,
  what: 'reached_at' | 'unreachable_at' | 'wrote_at' | 'moved_at',
  at: number | null,
) => {
  const [row] = await engine.query<{ cpf: string; phone: string }>(
    debt,
    'select debtor_tax_id as cpf, debtor_phone as phone from debts where id = $1',
    [debt.id],
  );
  const { personKeys } = engine.deps;
  const keys = [personKeys.person(row?.cpf ?? ''), personKeys.phone(row?.phone ?? '')];
  await engine.query(
    debt,
    `insert into recipients (client_id, channel, person_key, phone_key, debt_id, ${what}) values ($1, $2, $3, $4, $5, $6)
     on conflict (client_id, person_key, phone_key, channel) do update set ${what} = $6`,
    [debt.clientId, channel, ...keys, debt.id, at === null ? null : new Date(at)],
  );
};
const planOf = async (debt: MadeDebt) => {
  const [row] = await engine.query<{ status: string; step: number; next: Date | null }>(
    debt,
    'select status, step, next_contact_at as next from debts where id = $1',
    [debt.id],
  );
  return { status: row?.status, step: row?.step, next: row?.next?.getTime() ?? null };
};
/** Makes the next contact at the moment that is planned for it, and returns what the workflow does then. */
const contactAsPlanned = async (debt: MadeDebt) => contact(debt, (await planOf(debt)).next!);
/** Tells whether the client is told that the debt cannot be reached. */
const isTold = async (debt: MadeDebt): Promise<boolean> => {
  const items = await engine.query(
    debt,
    `select from inbox_items where debt_id = $1 and reason = 'undelivered' and closed_at is null`,
    [debt.id],
  );
  return items.length > 0;
};
/** A channel calls, as its webhook hands it on. */
const calls = (debt: MadeDebt, channel: RealChannel, event: ChannelEvent) =>
  engine.deps.db
    .tenant(debt.clientId)
    .transactional((tx) =>
      storeChannelEvents(
        tx,
        { ...engine.deps, ...engine.deps.files, ...CALLED },
        { clientId: debt.clientId, channel },
        [event],
      ),
    );
const CALLED = { webhooks: {}, channelCredentials: { webhookSecrets: async () => [] }, ownSecrets: () => null };
/** A channel reports by its webhook that a message failed. */
const reportFailure = (
  debt: MadeDebt,
  { channel, message }: Recorded,
  failure: { readonly kind: MessagingErrorKind; readonly channelCode: string },
) =>
  calls(debt, channel, {
    kind: 'delivery',
    senderId: `${channel}-${round}`,
    channelMessageId: `${channel}_${message.id}`,
    messageId: message.id,
    delivery: 'failed',
    channelUserId: null,
    failure,
  });
/** A channel reports that it could not deliver what it has accepted. */
const failLate = async (debt: MadeDebt, messageId: string | undefined, failure = 'undeliverable 131026') => {
  await engine.query(debt, `update messages set delivery = 'failed', failure = $2, is_undo_due = true where id = $1`, [
    messageId,
    failure,
  ]);
};
const bookings = async (debt: MadeDebt) => (await engine.ledger(debt)).filter(({ kind }) => kind === 'booking');
const unreachable = () => new MessagingError('undeliverable', 'no such account', { channelCode: '131026' });

/** WhatsApp takes all templates for advertising, from a moment on. */
const moveTemplates = async (debt: MadeDebt, from: number | null) => {
  for (const { name } of TEMPLATE_TEXTS) {
    await engine.query(
      debt,
      `insert into channel_templates (client_id, channel, account_id, name, state, marketing_from)
       values ($1, 'whatsapp', $2, $3, 'approved', $4)
       on conflict (client_id, channel, account_id, name) do update set marketing_from = $4`,
      [debt.clientId, `account-${round}`, name, from === null ? null : new Date(from)],
    );
  }
};

describe('a template that became marketing', () => {
  it('is not sent: the next channel carries the message, and the sender still works', async () => {
    const debt = await newDebt();
    await moveTemplates(debt, WEDNESDAY - 1);
    await contact(debt);
    expect(sent.map(({ channel }) => channel)).toEqual(['twilio']);
    expect(await messagesOf(debt)).toMatchObject([{ channel: 'twilio', delivery: 'sent', tried: ['whatsapp'] }]);
    expect(await senderState(debt, 'whatsapp')).toEqual({ state: 'ready', reason: null });
    expect(await bookings(debt)).toHaveLength(1);
  });

  it('is sent until the moment that Meta has announced', async () => {
    const debt = await newDebt();
    await moveTemplates(debt, WEDNESDAY + HOUR);
    await contact(debt);
    expect(sent.map(({ channel }) => channel)).toEqual(['whatsapp']);
  });

  it('waits where there is no other channel, gives no phone up, and goes on when Meta moves it back', async () => {
    order = ['whatsapp'];
    const debt = await newDebt();
    await moveTemplates(debt, WEDNESDAY - 1);
    for (const hours of [0, 2, 4]) await contact(debt, WEDNESDAY + hours * HOUR);
    expect(sent).toEqual([]);
    expect(await stepOf(debt)).toBe(0);
    expect(await bookings(debt)).toEqual([]);
    const status = 'select status from debts where id = $1';
    expect(await engine.query(debt, status, [debt.id])).toEqual([{ status: 'IN_COLLECTION' }]);
    expect(await engine.query(debt, `select reason from inbox_items where debt_id = $1`, [debt.id])).toEqual([
      { reason: 'undelivered' },
    ]);
    await moveTemplates(debt, null);
    await contact(debt, WEDNESDAY + 6 * HOUR);
    expect(sent.map(({ channel }) => channel)).toEqual(['whatsapp']);
  });

  it('keeps nobody from an answer to what the debtor has just written', async () => {
    const debt = await newDebt();
    await moveTemplates(debt, WEDNESDAY - 1);
    await learn(debt, 'whatsapp', 'wrote_at', WEDNESDAY - HOUR);
    await contact(debt);
    expect(sent.map(({ channel, message }) => [channel, message.template])).toEqual([['whatsapp', undefined]]);
  });
});

describe('a person who has changed the number', () => {
  it('is reached by the id, and no channel writes to the number that the person has left', async () => {
    const debt = await newDebt();
    await learn(debt, 'whatsapp', 'moved_at', WEDNESDAY - HOUR);
    await engine.query(debt, `update recipients set channel_user_id = 'BR.77' where debt_id = $1`, [debt.id]);
    fail('whatsapp', unreachable());
    await contact(debt);
    expect(sent.map(({ channel }) => channel)).toEqual(['email']);
    const another = await newDebt();
    await learn(another, 'whatsapp', 'moved_at', WEDNESDAY - HOUR);
    await engine.query(another, `update recipients set channel_user_id = 'BR.78' where debt_id = $1`, [another.id]);
    await contact(another);
    expect(sent.at(-1)).toMatchObject({
      channel: 'whatsapp',
      message: { to: { channelUserId: 'BR.78', hasMoved: true } },
    });
  });
});

describe('a contact over several channels', () => {
  it('goes by the first one, from the sender that the message names', async () => {
    const debt = await newDebt();
    await contact(debt);
    expect(sent.map(({ channel }) => channel)).toEqual(['whatsapp']);
    expect(await messagesOf(debt)).toMatchObject([{ channel: 'whatsapp', delivery: 'sent', tried: [] }]);
  });

  it('that one cannot deliver is carried by the next within the same booking', async () => {
    const debt = await newDebt();
    fail('whatsapp', unreachable());
    await contact(debt);
    expect(sent.map(({ channel }) => channel)).toEqual(['twilio']);
    const [message, ...more] = await messagesOf(debt);
    expect(more).toEqual([]);
    expect(message).toMatchObject({ channel: 'twilio', delivery: 'sent', tried: ['whatsapp'] });
    expect(sent[0]?.message).toMatchObject({ id: message?.id, text: message?.text });
    expect(await bookings(debt)).toHaveLength(1);
    expect(await stepOf(debt)).toBe(1);
  });

  it('is counted once, by what the channel that carried it charges for', async () => {
    const counted = (debt: MadeDebt) =>
      engine.query(
        debt,
        `select counted_messages.channel, counted_messages.sender_id = $2 as own, kind, units > 0 as has_units, delivered_at is not null as costs
         from counted_messages join messages on messages.id = message_id where messages.debt_id = $1 order by accepted_at`,
        [debt.id, `whatsapp-${round}`],
      );
    const byTemplate = await newDebt();
    await contact(byTemplate);
    const template = { channel: 'whatsapp', own: true, kind: 'utility', has_units: true, costs: false };
    expect(await counted(byTemplate)).toEqual([template]);

    const freely = await newDebt();
    await learn(freely, 'whatsapp', 'wrote_at', WEDNESDAY - HOUR);
    await contact(freely);
    expect(await counted(freely)).toEqual([{ ...template, kind: 'service' }]);

    const bySms = await newDebt();
    fail('whatsapp', unreachable());
    await contact(bySms);
    expect(await counted(bySms)).toEqual([
      { channel: 'twilio', own: false, kind: 'sms', has_units: true, costs: true },
    ]);

    order = ['email'];
    const byEmail = await newDebt();
    await contact(byEmail);
    expect(sent.at(-1)?.channel).toBe('email');
    expect(await counted(byEmail)).toEqual([]);
  });

  it('remembers the channel that reached the person, and does not ask the other one again', async () => {
    const debt = await newDebt();
    fail('whatsapp', unreachable());
    await contact(debt);
    await learn(debt, 'twilio', 'reached_at', WEDNESDAY);
    await contact(debt, WEDNESDAY + 5 * DAY);
    expect(sent.map(({ channel }) => channel)).toEqual(['twilio', 'twilio']);
    // A person whom a channel did not reach may use it a month later.
    await contact(debt, WEDNESDAY + 40 * DAY + HOUR);
    expect(sent.map(({ channel }) => channel)).toEqual(['twilio', 'twilio', 'twilio']);
    await learn(debt, 'twilio', 'reached_at', null);
    fail('twilio', unreachable());
    await contact(debt, WEDNESDAY + 50 * DAY);
    expect(sent.at(-1)?.channel).toBe('whatsapp');
  });

  it('ends when no channel reaches the person', async () => {
    const debt = await newDebt(null);
    fail('whatsapp', unreachable());
    fail('twilio', unreachable());
    expect(await contact(debt)).toMatchObject({ kind: 'finish', status: 'UNREACHABLE' });
    expect(sent).toEqual([]);
    expect(await messagesOf(debt)).toMatchObject([{ delivery: 'failed', failure: 'undeliverable 131026' }]);
    expect(await bookings(debt)).toEqual([]);
  });

  it('counts as done when an earlier one reached the person, whom no channel reaches any more', async () => {
    order = ['whatsapp'];
    const debt = await newDebt();
    await contact(debt);
    fail('whatsapp', unreachable());
    await contactAsPlanned(debt);
    expect(await planOf(debt)).toMatchObject({ status: 'IN_COLLECTION', step: 2 });
    const { next: third } = await planOf(debt);
    const after = await contactAsPlanned(debt);
    expect(after).toMatchObject({ kind: 'wait', until: expect.any(Number) });
    const { status, step, next } = await planOf(debt);
    expect({ status, step }).toEqual({ status: 'IN_COLLECTION', step: 3 });
    expect(next).toBeGreaterThanOrEqual(third! + 7 * DAY);
    expect(await isTold(debt)).toBe(true);
    expect(await messagesOf(debt)).toHaveLength(2);
    // A month later the channel is tried again.
    await contactAsPlanned(debt);
    await contactAsPlanned(debt);
    expect(sent).toHaveLength(1);
    await contactAsPlanned(debt);
    expect(sent).toHaveLength(2);
    expect(await planOf(debt)).toMatchObject({ status: 'EXHAUSTED', step: 6 });
  });

  it('keeps its step during a pause', async () => {
    order = ['whatsapp'];
    const debt = await newDebt();
    await contact(debt);
    await learn(debt, 'whatsapp', 'unreachable_at', WEDNESDAY);
    const { next } = await planOf(debt);
    const pause = (status: string) =>
      engine.query(debt, 'update campaigns set status = $2 where id = $1', [debt.campaignId, status]);
    await pause('PAUSED');
    expect(await contact(debt, next!)).toMatchObject({ kind: 'waitForSignal' });
    expect(await stepOf(debt)).toBe(1);
    await pause('RUNNING');
    expect(await contact(debt, next!)).toMatchObject({ kind: 'wait' });
    expect(await stepOf(debt)).toBe(2);
  });

  it('waits while the channels that have an address of the person are out of use', async () => {
    order = ['whatsapp', 'email'];
    const debt = await newDebt(null);
    await contact(debt);
    order = ['email'];
    await engine.query(debt, "update channel_senders set replaced_at = now() where channel = 'whatsapp'", []);
    const { next } = await planOf(debt);
    expect(await contact(debt, next!)).toMatchObject({ kind: 'wait', until: next! + HOUR });
    expect(await planOf(debt)).toMatchObject({ status: 'IN_COLLECTION', step: 1 });
    expect(await isTold(debt)).toBe(true);
    // Each hour it is tried again, which is no news to somebody who has put the case off.
    await engine.query(debt, "update inbox_items set snoozed_until = now() + interval '9 days'", []);
    await contact(debt, next! + HOUR);
    expect(await engine.query(debt, 'select 1 from inbox_items where snoozed_until is null', [])).toEqual([]);
    order = ['twilio', 'email'];
    await contact(debt, next! + 2 * HOUR);
    expect(sent.map(({ channel }) => channel)).toEqual(['whatsapp', 'twilio']);
  });

  it('ends a debt without an e-mail address where e-mail is the only channel that may be used', async () => {
    order = ['email'];
    expect(await contact(await newDebt(null))).toMatchObject({ kind: 'finish', status: 'UNREACHABLE' });
    order = ['whatsapp', 'email'];
    const debt = await newDebt(null);
    await contact(debt);
    await engine.query(debt, "update campaigns set channels = '{email}' where id = $1", [debt.campaignId]);
    await engine.query(debt, "update channel_senders set replaced_at = now() where channel = 'whatsapp'", []);
    order = ['email'];
    await contactAsPlanned(debt);
    // An earlier message has reached the person, so that the sequence goes on without this step.
    expect(await planOf(debt)).toMatchObject({ status: 'IN_COLLECTION', step: 2 });
  });

  it.each([['{email}'], [null]])(
    'ends such a debt of a client that has only ever used e-mail also after its address has changed: %s',
    async (channels) => {
      order = ['email'];
      const known = await newDebt();
      await engine.query(known, 'update campaigns set channels = $2 where id = $1', [known.campaignId, channels]);
      await contact(known);
      // The operator changes MAIL_FROM, so that another address takes the place of the one before.
      round += 1;
      const { clientId, campaignId } = known;
      const unknown = await engine.debt({ ...somebody(), clientId, campaignId });
      expect(await contact(unknown)).toMatchObject({ kind: 'finish', status: 'UNREACHABLE' });
    },
  );

  it('ends no debt during a pause', async () => {
    order = ['whatsapp'];
    const debt = await newDebt(null);
    await learn(debt, 'whatsapp', 'unreachable_at', WEDNESDAY);
    await engine.query(debt, "update campaigns set status = 'PAUSED' where id = $1", [debt.campaignId]);
    expect(await contact(debt)).toMatchObject({ kind: 'waitForSignal' });
    expect(await planOf(debt)).toMatchObject({ step: 0 });
    await engine.query(debt, "update campaigns set status = 'RUNNING' where id = $1", [debt.campaignId]);
    expect(await contact(debt)).toMatchObject({ kind: 'finish', status: 'UNREACHABLE' });
  });

  it('ends the debt without another wait when it was the last', async () => {
    order = ['whatsapp'];
    const debt = await newDebt();
    await contact(debt);
    await learn(debt, 'whatsapp', 'unreachable_at', WEDNESDAY);
    await engine.query(debt, 'update debts set step = 5 where id = $1', [debt.id]);
    expect(await contactAsPlanned(debt)).toMatchObject({ kind: 'finish', status: 'EXHAUSTED' });
  });

  it('goes by e-mail only to a debtor whose address is known', async () => {
    order = ['email', 'twilio'];
    const [known, unknown] = [await newDebt(), await newDebt(null)];
    await contact(known);
    await contact(unknown);
    expect(sent.map(({ channel }) => channel)).toEqual(['email', 'twilio']);
    expect(sent[0]?.message.to.email).toBe('maria@exemplo.com.br');
  });

  it('is never repeated when nobody knows whether it was sent', async () => {
    const debt = await newDebt();
    fail('whatsapp', new MessagingError('unknown_outcome', 'the answer was lost'));
    await contact(debt);
    await contact(debt, WEDNESDAY + HOUR);
    expect(sent).toEqual([]);
    expect(await messagesOf(debt)).toMatchObject([{ channel: 'whatsapp', delivery: 'unknown' }]);
    expect(await bookings(debt)).toHaveLength(1);
  });

  it('waits for a channel that is busy, and does not go to another', async () => {
    const debt = await newDebt();
    fail('whatsapp', new MessagingError('retryable', 'later', { scope: 'sender' }));
    await contact(debt);
    expect(sent).toEqual([]);
    expect(await stepOf(debt)).toBe(0);
    await contact(debt, WEDNESDAY + HOUR);
    expect(sent.map(({ channel }) => channel)).toEqual(['whatsapp']);
  });

  it('is not carried by another channel to a person who asked one for silence', async () => {
    const debt = await newDebt();
    fail('whatsapp', new MessagingError('opted_out', 'the person has stopped the messages', { channelCode: '131050' }));
    await contact(debt);
    expect(sent).toEqual([]);
    expect(await bookings(debt)).toEqual([]);
    const received = await engine.query<{ button: string }>(
      debt,
      `select button from messages where debt_id = $1 and direction = 'in'`,
      [debt.id],
    );
    expect(received).toEqual([{ button: 'opt_out' }]);
    await contact(debt, WEDNESDAY + HOUR);
    expect(sent).toEqual([]);
  });
});

describe('a sender that cannot send', () => {
  it.each([
    ['unauthorized', 'failing'],
    ['suspended', 'paused'],
  ] as const)('because it is %s is %s, others take over, and it is tried again after an hour', async (kind, state) => {
    const client = await newDebt();
    fail('whatsapp', new MessagingError(kind, 'stopped', { channelCode: '190' }));
    await contact(client);
    expect(sent.map(({ channel }) => channel)).toEqual(['twilio']);
    expect(await senderState(client, 'whatsapp')).toEqual({ state, reason: `${kind} 190` });
    await engine.query(client, 'update debts set step = 0, next_contact_at = null where id = $1', [client.id]);
    await contact(client, WEDNESDAY + DAY);
    expect(sent.map(({ channel }) => channel)).toEqual(['twilio', 'whatsapp']);
    expect(await senderState(client, 'whatsapp')).toEqual({ state: 'ready', reason: null });
  });

  it('keeps the step of the debt, and the client is told, when there is no other', async () => {
    order = ['whatsapp'];
    const debt = await newDebt();
    fail('whatsapp', new MessagingError('unauthorized', 'stopped', { channelCode: '190' }));
    expect(await contact(debt)).toMatchObject({ kind: 'wait', needsOperator: true });
    expect(await stepOf(debt)).toBe(0);
    expect(await isTold(debt)).toBe(true);
    await contact(debt, WEDNESDAY + 2 * HOUR);
    expect(sent.map(({ channel }) => channel)).toEqual(['whatsapp']);
    expect(await isTold(debt)).toBe(false);
  });

  it('is waited for when the other channels do not reach the person', async () => {
    order = ['whatsapp', 'twilio'];
    const first = await newDebt(null);
    fail('whatsapp', unreachable());
    fail('twilio', new MessagingError('suspended', 'stopped', { channelCode: '20003' }));
    await contact(first);
    expect(await senderState(first, 'twilio')).toMatchObject({ state: 'paused' });
    const { clientId, campaignId } = first;
    const debt = await engine.debt({ ...somebody(), clientId, campaignId });
    fail('whatsapp', unreachable());
    await contact(debt, WEDNESDAY + 60_000);
    const next = WEDNESDAY + 60_000 + HOUR;
    expect(await planOf(debt)).toEqual({ status: 'IN_COLLECTION', step: 0, next });
    expect(await isTold(debt)).toBe(true);
    await contactAsPlanned(debt);
    expect(sent.map(({ channel }) => channel)).toEqual(['twilio']);
    expect(await isTold(debt)).toBe(false);
  });
});

describe('a message that the channel accepted and then could not deliver', () => {
  const failLastLate = async (debt: MadeDebt) => {
    await failLate(debt, (await messagesOf(debt)).at(-1)?.id);
    await learn(debt, 'whatsapp', 'unreachable_at', engine.clock.now);
  };

  it('is one contact with the message of the next channel', async () => {
    const debt = await newDebt();
    await contact(debt);
    await failLastLate(debt);
    await contact(debt, WEDNESDAY + HOUR);
    expect(sent.map(({ channel }) => channel)).toEqual(['whatsapp', 'twilio']);
    expect(await bookings(debt)).toHaveLength(1);
    expect(await stepOf(debt)).toBe(1);
    expect(await messagesOf(debt)).toMatchObject([
      { channel: 'whatsapp', delivery: 'failed' },
      { channel: 'twilio', delivery: 'sent' },
    ]);
    await contact(debt, WEDNESDAY + 2 * HOUR);
    expect(sent).toHaveLength(2);
  });

  it('waits for the next opening when the window has closed meanwhile', async () => {
    const debt = await newDebt();
    await contact(debt);
    await failLastLate(debt);
    await contact(debt, WEDNESDAY + 10 * HOUR);
    expect(sent).toHaveLength(1);
    expect(await bookings(debt)).toEqual([]);
  });

  it('sets nothing back that a later contact has done', async () => {
    order = ['email', 'twilio'];
    const debt = await newDebt();
    await contact(debt);
    await contactAsPlanned(debt);
    const [first, second] = await messagesOf(debt);
    const { next } = await planOf(debt);
    // The mail servers give up after five days. By then nobody knows of the second mail.
    await learn(debt, 'email', 'unreachable_at', WEDNESDAY + 5 * DAY);
    await failLate(debt, first?.id, 'undeliverable 550');
    await contact(debt, WEDNESDAY + 5 * DAY);
    expect(await planOf(debt)).toEqual({ status: 'IN_COLLECTION', step: 2, next });
    expect(await bookings(debt)).toHaveLength(1);
    await failLate(debt, second?.id, 'undeliverable 550');
    await contact(debt, WEDNESDAY + 8 * DAY + HOUR);
    expect(sent.map(({ channel }) => channel)).toEqual(['email', 'email', 'twilio']);
    expect(await stepOf(debt)).toBe(2);
  });

  it('that is told in another order makes no step twice', async () => {
    order = ['email', 'twilio'];
    const debt = await newDebt();
    await contact(debt);
    await contactAsPlanned(debt);
    const [first, second] = await messagesOf(debt);
    await learn(debt, 'email', 'unreachable_at', WEDNESDAY + 5 * DAY);
    await failLate(debt, second?.id, 'undeliverable 550');
    await contact(debt, WEDNESDAY + 5 * DAY);
    expect(sent.map(({ channel }) => channel)).toEqual(['email', 'email', 'twilio']);
    const plan = await planOf(debt);
    await failLate(debt, first?.id, 'undeliverable 550');
    await contact(debt, WEDNESDAY + 7 * DAY);
    expect(sent).toHaveLength(3);
    expect(await planOf(debt)).toEqual(plan);
  });

  it('is made again from its step when the messages after it failed too', async () => {
    order = ['email', 'twilio'];
    const debt = await newDebt();
    await contact(debt);
    await contactAsPlanned(debt);
    await learn(debt, 'email', 'unreachable_at', WEDNESDAY + 5 * DAY);
    for (const { id } of await messagesOf(debt)) await failLate(debt, id, 'undeliverable 550');
    await contact(debt, WEDNESDAY + 5 * DAY);
    expect(sent.map(({ channel }) => channel)).toEqual(['email', 'email', 'twilio']);
    expect(await stepOf(debt)).toBe(1);
    expect(await bookings(debt)).toHaveLength(1);
  });

  it('on a phone that was given up does not set back what the next phone has got', async () => {
    order = ['twilio'];
    const phones = [somebody().phone, somebody().phone];
    const debt = await engine.debt({ ...somebody(), phones });
    await contact(debt);
    fail('twilio', unreachable());
    await contactAsPlanned(debt);
    await contact(debt, engine.clock.now + DAY);
    expect(sent.map(({ message }) => message.to.phone)).toEqual(phones);
    const plan = await planOf(debt);
    await failLate(debt, (await messagesOf(debt))[0]?.id);
    await contact(debt, engine.clock.now + HOUR);
    expect(sent).toHaveLength(2);
    expect(await planOf(debt)).toEqual(plan);
  });

  it('wakes the other debts of the message where its own debt has gone on', async () => {
    const person = somebody();
    const debt = await engine.debt(person);
    const other = await engine.debt({ ...person, clientId: debt.clientId, campaignId: debt.campaignId });
    await contact(debt);
    expect([await stepOf(debt), await stepOf(other)]).toEqual([1, 1]);
    const setStatus = (status: string) =>
      engine.query(other, 'update debts set status = $2 where id = $1', [other.id, status]);
    await setStatus('ON_HOLD');
    await contactAsPlanned(debt);
    await setStatus('IN_COLLECTION');
    await failLate(debt, (await messagesOf(debt))[0]?.id);
    await learn(debt, 'whatsapp', 'unreachable_at', engine.clock.now);
    await contact(debt);
    expect([await stepOf(debt), await stepOf(other)]).toEqual([2, 0]);
    const woken = await engine.query(other, 'select signal from outbox where workflow_id = $1', [
      `collection-${other.id}`,
    ]);
    expect(woken).toContainEqual({ signal: 'stateChanged' });
  });

  it.each([1, 2, 3, 4, 5])('is undone once, also when its process ends before its transaction %i', async (last) => {
    order = ['whatsapp', 'twilio'];
    const debt = await newDebt(null);
    await contact(debt);
    await contactAsPlanned(debt);
    await failLastLate(debt);
    const { db } = engine.deps;
    let left = last - 1;
    const refusing: ProxyHandler<Tx> = {
      get: (target, name) => {
        const member = Reflect.get(target, name);
        if (name !== 'transactional') return typeof member === 'function' ? member.bind(target) : member;
        return (...given: unknown[]) => {
          left -= 1;
          return left < 0 ? Promise.reject(new Error('ended')) : member.apply(target, given);
        };
      },
    };
    const ending = { ...db, tenant: (clientId: string) => new Proxy(db.tenant(clientId), refusing) };
    const ended = engineServices({ ...engine.deps, db: ending, sendersOf: async () => order.map(senderOf) });
    engine.clock.now += HOUR;
    const request = engine.request(debt);
    await expect(ended.contactDebtor(request)).rejects.toThrow('ended');
    expect(await stepOf(debt)).toBeGreaterThanOrEqual(1);
    await services.contactDebtor(request);
    expect(await stepOf(debt)).toBe(2);
    expect(sent.length).toBeLessThanOrEqual(3);
  });

  it('ends the debt when no other channel is left', async () => {
    order = ['whatsapp'];
    const debt = await newDebt();
    await contact(debt);
    await failLastLate(debt);
    expect(await contact(debt, WEDNESDAY + HOUR)).toMatchObject({ kind: 'finish', status: 'UNREACHABLE' });
  });
});

describe('a message of which the channel says later that nobody knows what became of it', () => {
  const nobodyKnows = (debt: MadeDebt, last: Recorded) =>
    reportFailure(debt, last, { kind: 'unknown_outcome', channelCode: '30008' });

  it('counts as sent, and is not repeated', async () => {
    order = ['twilio'];
    const debt = await newDebt();
    await contact(debt);
    const plan = await planOf(debt);
    for (let minute = 1; minute <= 3; minute += 1) {
      await nobodyKnows(debt, sent.at(-1)!);
      await contact(debt, WEDNESDAY + minute * 60_000);
    }
    expect(sent).toHaveLength(1);
    expect(await messagesOf(debt)).toMatchObject([{ delivery: 'unknown', failure: null }]);
    expect(await bookings(debt)).toHaveLength(1);
    expect(await planOf(debt)).toEqual(plan);
  });

  it('is made again once the channel knows that it failed', async () => {
    order = ['twilio', 'email'];
    const debt = await newDebt();
    await contact(debt);
    await nobodyKnows(debt, sent[0]!);
    await reportFailure(debt, sent[0]!, { kind: 'undeliverable', channelCode: '30005' });
    await contact(debt, WEDNESDAY + 60_000);
    expect(sent.map(({ channel }) => channel)).toEqual(['twilio', 'email']);
    expect(await bookings(debt)).toHaveLength(1);
  });
});

describe('a receipt that the channel accepted and then could not deliver', () => {
  async function receiptFailsLate(debt: MadeDebt): Promise<string> {
    const [deliveryId, chargeId, receiptId] = [randomUUID(), randomUUID(), randomUUID()];
    await engine.query(debt, `update debts set status = 'PAID' where id = $1`, [debt.id]);
    await engine.query(
      debt,
      `insert into charges (id, client_id, debt_id, attempt, provider, status, amount_centavos, expires_at)
       values ($1, $2, $3, 1, 'sandbox', 'PENDING', 15075, quita_now())`,
      [chargeId, debt.clientId, debt.id],
    );
    await engine.query(
      debt,
      `insert into receipts (id, client_id, debt_id, charge_id, protocol, facts, issued_at)
       values ($1, $2, $3, $4, $5, '{}', quita_now())`,
      [receiptId, debt.clientId, debt.id, chargeId, `QT-2026-${receiptId.slice(0, 8)}`],
    );
    await engine.query(
      debt,
      `insert into receipt_deliveries (id, client_id, debt_id, receipt_id, way, on_confirmation, state, attempts, wished_at, due_at)
       values ($1, $2, $3, $4, 'message', true, 'sent', 1, quita_now(), quita_now())`,
      [deliveryId, debt.clientId, debt.id, receiptId],
    );
    await engine.query(
      debt,
      `insert into messages (client_id, debt_id, direction, channel, purpose, text, at, delivery, failure, is_undo_due, attempt_key)
       values ($1, $2, 'out', 'whatsapp', 'receipt', 'Recibo', quita_now(), 'failed', 'undeliverable', true, $3)`,
      [debt.clientId, debt.id, `receipt:${deliveryId}:1`],
    );
    await learn(debt, 'whatsapp', 'unreachable_at', engine.clock.now);
    await contact(debt);
    const [delivery] = await engine.query<{ state: string }>(
      debt,
      'select state from receipt_deliveries where id = $1',
      [deliveryId],
    );
    return delivery?.state ?? '';
  }

  it('is carried by the next channel that reaches the phone', async () => {
    order = ['whatsapp', 'email', 'twilio'];
    const debt = await newDebt();
    expect(await receiptFailsLate(debt)).toBe('waiting');
    expect(await isTold(debt)).toBe(false);
  });

  it('is not sent again when e-mail alone is left, which has a delivery of its own', async () => {
    order = ['whatsapp', 'email'];
    expect(await receiptFailsLate(await newDebt())).toBe('failed');
  });
});

describe('free text', () => {
  it('is sent within 24 hours of what the person wrote, and the template at any other time', async () => {
    const debt = await newDebt();
    await contact(debt);
    expect(sent[0]?.message.template?.name).toMatch(/^quita_first/);
    await learn(debt, 'whatsapp', 'wrote_at', WEDNESDAY + 5 * DAY - HOUR);
    await contact(debt, WEDNESDAY + 5 * DAY);
    expect(sent[1]?.message.template).toBeUndefined();
    expect(sent[1]?.message.text).not.toBe('');
  });

  const writes = (debt: MadeDebt, phone: string, at: Date) =>
    calls(debt, 'whatsapp', {
      kind: 'message',
      senderId: `whatsapp-${round}`,
      channelMessageId: `wamid.${randomUUID()}`,
      fromPhone: phone.slice(1),
      fromEmail: null,
      channelUserId: null,
      text: 'ok',
      button: null,
      attachment: null,
      at,
      inReplyTo: null,
    });
  const handled = (debt: MadeDebt) =>
    engine.query(debt, `update messages set handled_at = quita_now() where debt_id = $1 and direction = 'in'`, [
      debt.id,
    ]);

  it('is allowed from the moment at which the person wrote, however late and in whatever order that is told', async () => {
    const late = await newDebt();
    const soon = await newDebt();
    for (const debt of [late, soon]) await contact(debt, WEDNESDAY);
    const [toLate, toSoon] = sent.map(({ message }) => message.to.phone);
    engine.clock.now = WEDNESDAY + 5 * DAY - 60_000;
    await writes(soon, toSoon!, new Date(engine.clock.now - HOUR));
    for (const [debt, phone] of [
      [late, toLate],
      [soon, toSoon],
    ] as const) {
      await writes(debt, phone!, new Date(engine.clock.now - 1.5 * DAY));
      await handled(debt);
      await contact(debt, WEDNESDAY + 5 * DAY);
    }
    expect(sent.slice(2).map(({ message }) => message.template === undefined)).toEqual([false, true]);
  });

  it('gives way to the template when the channel says later that it is not allowed', async () => {
    const debt = await newDebt();
    await contact(debt);
    await learn(debt, 'whatsapp', 'wrote_at', WEDNESDAY + 5 * DAY - HOUR);
    await contact(debt, WEDNESDAY + 5 * DAY);
    await reportFailure(debt, sent[1]!, { kind: 'window_closed', channelCode: '131047' });
    await contact(debt, engine.clock.now + 60_000);
    await contactAsPlanned(debt);
    expect(sent.map(({ channel, message }) => [channel, message.template === undefined])).toEqual([
      ['whatsapp', false],
      ['whatsapp', true],
      ['whatsapp', false],
    ]);
  });

  it('stays allowed to somebody who has written since the message that it was refused for', async () => {
    const debt = await newDebt();
    await contact(debt);
    await learn(debt, 'whatsapp', 'wrote_at', WEDNESDAY + 5 * DAY - HOUR);
    await contact(debt, WEDNESDAY + 5 * DAY);
    await learn(debt, 'whatsapp', 'wrote_at', WEDNESDAY + 5 * DAY + 30_000);
    await reportFailure(debt, sent[1]!, { kind: 'window_closed', channelCode: '131047' });
    await contact(debt, engine.clock.now + 60_000);
    await contactAsPlanned(debt);
    expect(sent[2]?.message.template).toBeUndefined();
  });

  it('gives way to the template at once when the channel knows better', async () => {
    const debt = await newDebt();
    await contact(debt);
    await learn(debt, 'whatsapp', 'wrote_at', WEDNESDAY + 5 * DAY - HOUR);
    fail('whatsapp', new MessagingError('window_closed', 'too late', { channelCode: '131047' }));
    await contact(debt, WEDNESDAY + 5 * DAY);
    expect(sent[1]?.message.template).toBeDefined();
    expect(await messagesOf(debt)).toHaveLength(2);
  });
});

describe('the pace of a channel', () => {
  it('counts the people of 24 hours, and a contact beyond them keeps its step', async () => {
    order = ['whatsapp'];
    const first = await newDebt();
    await contact(first);
    await engine.query(first, 'update channel_senders set people_per_day = 3');
    const others: MadeDebt[] = [];
    for (let n = 0; n < 4; n += 1) {
      const { clientId, campaignId } = first;
      others.push(await engine.debt({ clientId, campaignId, ...somebody() }));
    }
    for (const debt of others) await contact(debt);
    expect(await Promise.all(others.map(stepOf))).toEqual([1, 1, 0, 0]);
    const [late] = await engine.query<{ at: Date }>(first, 'select next_contact_at as at from debts where id = $1', [
      others.at(-1)!.id,
    ]);
    expect(late?.at.getTime()).toBeGreaterThan(WEDNESDAY + 20 * HOUR);
  });

  it('takes a sender that was not checked yet for a new one, which may reach 250 people', async () => {
    order = ['whatsapp'];
    const first = await newDebt();
    await contact(first);
    await engine.query(first, `update account_hours set people = 250 where scope = $1`, [`whatsapp:account-${round}`]);
    const { clientId, campaignId } = first;
    const second = await engine.debt({ clientId, campaignId, ...somebody() });
    await contact(second);
    expect(await stepOf(second)).toBe(0);
    // The hourly check asks what the account may really reach.
    const [late] = await engine.query<{ at: Date }>(second, 'select next_contact_at as at from debts where id = $1', [
      second.id,
    ]);
    expect(late?.at.getTime()).toBeLessThanOrEqual(WEDNESDAY + HOUR);
    await engine.query(first, 'update channel_senders set checked_at = quita_now()');
    await contact(second, WEDNESDAY + HOUR);
    expect(await stepOf(second)).toBe(1);
  });

  it('lets at least six seconds pass between two messages to one person', async () => {
    const debt = await newDebt();
    await contact(debt);
    const began = Date.now();
    await services.receiveMessage({
      clientId: debt.clientId,
      debtId: debt.id,
      channel: 'whatsapp',
      channelMessageId: randomUUID(),
      text: 'Qual é o valor?',
    });
    await services.answerDebtor(engine.request(debt));
    expect(sent.map(({ message }) => message.context.purpose)).toEqual(['collection', 'reply']);
    expect(Date.now() - began).toBeGreaterThan(5_500);
  });
});

describe('an answer', () => {
  const write = (debt: MadeDebt, text: string) =>
    services.receiveMessage({
      clientId: debt.clientId,
      debtId: debt.id,
      channel: 'twilio',
      channelMessageId: randomUUID(),
      text,
    });

  it('goes first by the channel on which the person wrote', async () => {
    const debt = await newDebt();
    await write(debt, 'Qual é o valor?');
    await services.answerDebtor(engine.request(debt));
    expect(sent.map(({ channel }) => channel)).toEqual(['twilio']);
  });

  it('that no sender can carry is owed, while the request is applied and the workflow stays free', async () => {
    order = [];
    const debt = await newDebt();
    await write(debt, 'PARAR');
    expect(await services.answerDebtor(engine.request(debt))).toEqual({
      kind: 'tryAgain',
      at: WEDNESDAY + 15_000,
      needsOperator: true,
    });
    expect(await engine.status(debt)).toBe('OPTED_OUT');
    engine.clock.now = WEDNESDAY + HOUR;
    const step = await services.answerDebtor(engine.request(debt));
    expect(step).toMatchObject({ kind: 'tryAgain' });
    order = ['twilio'];
    expect(await services.answerDebtor(engine.request(debt))).toMatchObject({ kind: 'finish', status: 'OPTED_OUT' });
    expect(sent.map(({ message }) => message.context.purpose)).toEqual(['opt_out_confirmation']);
  });

  it('is given up after a day', async () => {
    order = [];
    const debt = await newDebt();
    await write(debt, 'Qual é o valor?');
    engine.clock.now = WEDNESDAY + 25 * HOUR;
    expect(await services.answerDebtor(engine.request(debt))).toMatchObject({ kind: 'wait' });
    expect(sent).toEqual([]);
  });
});
