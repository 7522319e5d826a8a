import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { undoLateFailures } from '../../src/modules/collection/contact/undo-late-failures.ts';
import type { CollectionDeps } from '../../src/modules/collection/deps.ts';
import type { MessagingErrorKind } from '../../src/modules/messaging/ports/messaging-channel.ts';
import type { ChannelEventDeps } from '../../src/modules/messaging/use-cases/channel-event-deps.ts';
import { storeChannelEvents } from '../../src/modules/messaging/use-cases/store-channel-events.ts';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { createRecordingChannel, engineDeps } from '../../testing/engine.ts';
import { opened } from '../../testing/opened.ts';
import { type PaidDebt, paidDebt } from '../../testing/receipts-harness.ts';
import { openPostOffice } from './postman.ts';

const app = await opened(startCampaignsApp());
const client = await app.newClient();
const office = await openPostOffice(app, client.id);
afterAll(() => office.close());
beforeEach(() => {
  office.connect('whatsapp');
  office.sent.length = 0;
});

const MINUTE = 60_000;
const collection: CollectionDeps = {
  ...engineDeps(office.deps.db, office.at, createRecordingChannel().channel),
  ...office.deps,
};
const called: ChannelEventDeps = {
  ...collection,
  cipher: collection.files.cipher,
  webhooks: {},
  channelCredentials: { webhookSecrets: async () => [] },
  ownSecrets: () => null,
};

interface Failure {
  readonly kind: MessagingErrorKind;
  readonly channelCode: string;
}

/** The channel accepts the receipt, and reports ten seconds later that it could not deliver it. */
async function failsLate(debt: PaidDebt, failure: Failure): Promise<void> {
  const { debtId } = debt;
  await office.deliver(debt);
  const { id: messageId } = office.sent.at(-1)!;
  office.goTo(office.at() + 10_000);
  await office.deps.db.tenant(client.id).transactional((tx) =>
    storeChannelEvents(tx, called, { clientId: client.id, channel: 'whatsapp' }, [
      {
        kind: 'delivery',
        senderId: 'sender-whatsapp',
        channelMessageId: messageId,
        messageId,
        delivery: 'failed',
        channelUserId: null,
        failure,
      },
    ]),
  );
  const clock = { at: office.at(), offsetMs: 0, exact: false };
  await undoLateFailures(collection, { clientId: client.id, debtId, clock, attemptKey: randomUUID() });
}

const deliveryOf = async ({ debtId }: PaidDebt) => {
  const [delivery] = await app.query<{ state: string; dueAt: Date }>(
    `select state, due_at as "dueAt" from receipt_deliveries where debt_id = $1 and way = 'message'`,
    [debtId],
  );
  return delivery!;
};

describe('a receipt that the channel accepts and then cannot deliver', () => {
  it.each([
    ['suspended', '30034'],
    ['retryable', '131053'],
  ] as const)('is tried as often as one that fails at once (%s %s)', async (kind, channelCode) => {
    const debt = await paidDebt(app.query, client.id, { sandbox: false });
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 8; attempt += 1) {
      await failsLate(debt, { kind, channelCode });
      const { state, dueAt } = await deliveryOf(debt);
      if (state !== 'waiting') break;
      // Nothing leaves before its time.
      await office.deliver(debt);
      expect(office.sent).toHaveLength(attempt);
      waits.push((dueAt.getTime() - office.at()) / MINUTE);
      office.goTo(dueAt.getTime());
    }
    expect(office.sent).toHaveLength(6);
    expect(waits).toHaveLength(5);
    expect(await deliveryOf(debt)).toMatchObject({ state: 'failed' });
    // The debt is paid and waits for nobody: those who look for it see what became of the receipt.
    const { timeline } = (await client.call('GET', `/api/debts/${debt.debtId}`)).body;
    const told = timeline.filter((entry: { readonly kind: string }) => entry.kind === 'message_sent');
    expect(told.map(({ delivery }: { readonly delivery: string }) => delivery)).toEqual(Array(6).fill('failed'));
  });

  it('waits for a sender that has stopped, as any other receipt does', async () => {
    const debt = await paidDebt(app.query, client.id, { sandbox: false });
    await failsLate(debt, { kind: 'suspended', channelCode: '131042' });
    office.goTo((await deliveryOf(debt)).dueAt.getTime());
    await office.deliver(debt);
    expect(office.sent).toHaveLength(1);
    expect(await deliveryOf(debt)).toMatchObject({ state: 'waiting' });
    await app.query(`update channel_senders set state = 'ready', reason = null, paused_until = null`);
  });

  it('is sent again at once where the template takes over from free text', async () => {
    const debt = await paidDebt(app.query, client.id, { sandbox: false });
    await failsLate(debt, { kind: 'window_closed', channelCode: '131047' });
    expect(await deliveryOf(debt)).toEqual({ state: 'waiting', dueAt: new Date(office.at()) });
  });

  it('may have arrived where the channel does not know what became of it, and is not sent again', async () => {
    const debt = await paidDebt(app.query, client.id, { sandbox: false });
    await failsLate(debt, { kind: 'unknown_outcome', channelCode: '30008' });
    expect(await deliveryOf(debt)).toMatchObject({ state: 'sent' });
    await office.deliver(debt);
    expect(office.sent).toHaveLength(1);
  });
});
