import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ChannelWebhook } from '../../src/modules/messaging/ports/channel-webhook.ts';
import {
  type ChannelCredentials,
  type MessagingChannel,
  MessagingError,
  type OutgoingMessage,
  type Recipient,
} from '../../src/modules/messaging/ports/messaging-channel.ts';
import type { BadDay, Expected, FakeChannel } from '../../testing/channels/fake-channel.ts';

export interface ChannelUnderTest {
  readonly channel: MessagingChannel;
  readonly webhook: ChannelWebhook;
  readonly fake: FakeChannel;
  readonly recipient: Recipient;
  /** How the debtor stands in the channel's own requests. */
  readonly debtor: string;
  readonly secret: string;
}

const URL_OF_WEBHOOK = 'https://quita.example.com.br/api/messaging/channel?x=1';
const DEEP = '['.repeat(100_000);
const PDF = Buffer.from('%PDF-1.7 test');

/** What every channel promises, whatever its API looks like. */
export function describeChannel(
  name: string,
  open: () => Promise<ChannelUnderTest>,
  {
    expected,
    text = 'Olá, Ana. Veja: https://quita.example/c/1',
    signsBody = true,
  }: {
    readonly expected: Expected;
    readonly text?: string;
    /** False for a channel that proves itself by a secret alone, so that the body might have been changed on its way. */
    readonly signsBody?: boolean;
  },
): void {
  describe(`${name} keeps the promises of a channel`, () => {
    let under: ChannelUnderTest;
    beforeAll(async () => {
      under = await open();
    });
    afterAll(() => under?.fake.close());

    const message = (change: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
      id: randomUUID(),
      to: under.recipient,
      text,
      context: { clientId: randomUUID(), debtId: randomUUID(), purpose: 'reply', at: new Date() },
      credentials: under.fake.credentials,
      ...change,
    });
    const failure = (change?: Partial<OutgoingMessage>): Promise<MessagingError> =>
      under.channel.send(message(change)).then(
        () => {
          throw new Error('The message was sent');
        },
        (error: unknown) => {
          if (error instanceof MessagingError) return error;
          throw error;
        },
      );

    it('sends a text once, and answers with the id that delivery states name', async () => {
      const before = under.fake.taken.length;
      const { channelMessageId } = await under.channel.send(message());
      expect(under.fake.taken.slice(before)).toEqual([
        expect.objectContaining({ channelMessageId, text: expect.stringContaining('quita.example') }),
      ]);
    });

    it.each(Object.entries(expected) as [BadDay, string][])('reports %s as %s', async (day, kind) => {
      const before = under.fake.taken.length;
      under.fake.next(day);
      const error = await failure();
      expect({ kind: error.kind, surelyNotSent: error.surelyNotSent }).toEqual({
        kind,
        surelyNotSent: kind !== 'unknown_outcome',
      });
      // A message that is reported as not sent is sent again, and must not have reached anybody the first time.
      if (error.surelyNotSent) expect(under.fake.taken.length).toBe(before);
      // Texts of a channel repeat numbers and tokens, which must not reach a log.
      const digits = under.recipient.phone.slice(-8);
      expect(error.message).not.toContain(digits);
      const token = (under.fake.credentials as ChannelCredentials | null)?.accessToken;
      if (token !== undefined) expect(error.message).not.toContain(token);
    });

    it('passes on how long to wait, and whether for the sender or for this recipient', async () => {
      if (expected.throttled_with_retry_after !== undefined) {
        under.fake.next('throttled_with_retry_after');
        const error = await failure();
        expect(error.retryAfterSeconds).toBeGreaterThan(0);
        expect(error.scope).toBe('sender');
      }
      if (expected.recipient_throttled !== undefined) {
        under.fake.next('recipient_throttled');
        expect((await failure()).scope).toBe('recipient');
      }
    });

    it('never repeats an attempt by itself', async () => {
      const before = under.fake.taken.length;
      for (const day of ['no_answer', 'server_error_after_taking'] as const) {
        if (expected[day] === undefined) continue;
        under.fake.next(day);
        expect((await failure()).kind).toBe('unknown_outcome');
      }
      expect(under.fake.taken.length - before).toBeLessThanOrEqual(2);
    });

    it('sends nothing that cannot be sent', async () => {
      const before = under.fake.taken.length;
      expect((await failure({ text: ' ' })).kind).toBe('rejected');
      expect((await failure({ to: { phone: '' } })).kind).toBe('undeliverable');
      const { credentials } = under.fake;
      if (credentials !== null) {
        const broken = { ...credentials, accessToken: 'broken\r\ntoken: 1' };
        expect((await failure({ credentials: broken })).kind).toBe('unauthorized');
        expect((await failure({ credentials: null })).kind).toBe('unauthorized');
      }
      expect(under.fake.taken.length).toBe(before);
    });

    it('sends a document with its text, where it can', async () => {
      if (!under.channel.capabilities.documents) return;
      const document = {
        filename: 'quitacao.pdf',
        contentType: 'application/pdf',
        content: PDF,
        url: 'https://x.example/r',
      };
      const { channelMessageId } = await under.channel.send(message({ document }));
      expect(channelMessageId).not.toBe('');
    });

    it('knows a right account from a wrong one', async () => {
      const { credentials } = under.fake;
      expect((await under.channel.checkCredentials(credentials)).shownAs).not.toBe('');
      if (credentials === null) return;
      const wrong = { ...credentials, accessToken: 'wrong-token-0000000000000000' };
      await expect(under.channel.checkCredentials(wrong)).rejects.toMatchObject({ kind: 'unauthorized' });
    });

    it('reads a message of the debtor, and refuses a wrong signature', async () => {
      const request = under.fake.messageRequest(URL_OF_WEBHOOK, {
        id: randomUUID(),
        from: under.debtor,
        text: 'PARAR',
      });
      expect(under.webhook.verify(request, ['another-secret', under.secret])).toBe(true);
      expect(under.webhook.verify(request, ['another-secret'])).toBe(false);
      expect(under.webhook.verify(request, [])).toBe(false);
      const changed = { ...request, body: Buffer.concat([request.body, Buffer.from(' ')]) };
      expect(under.webhook.verify(changed, [under.secret])).toBe(!signsBody);
      expect(under.webhook.verify({ ...request, headers: {} }, [under.secret])).toBe(false);
      const { credentials } = under.fake;
      if (credentials !== null) {
        const named = await under.webhook.senders(request);
        expect(under.webhook.mayBeSigned(request.headers)).toBe(true);
        expect([credentials.senderId, credentials.accountId].some((name) => named.includes(name ?? ''))).toBe(true);
      }
      expect(await under.webhook.read(request)).toEqual(
        expect.arrayContaining([expect.objectContaining({ channelMessageId: expect.any(String) })]),
      );
    });

    it('reads delivery states by the id of the message', async () => {
      if (!under.channel.capabilities.deliveryStates) return;
      const sent = message();
      const { channelMessageId } = await under.channel.send(sent);
      const taken = under.fake.taken.find((each) => each.channelMessageId === channelMessageId);
      for (const delivery of ['delivered', 'failed'] as const) {
        const request = under.fake.deliveryRequest(URL_OF_WEBHOOK, taken!, delivery);
        expect(under.webhook.verify(request, [under.secret])).toBe(true);
        const failed = { kind: expect.any(String), channelCode: expect.any(String) };
        expect(await under.webhook.read(request)).toEqual([
          expect.objectContaining({
            kind: 'delivery',
            channelMessageId,
            delivery,
            failure: delivery === 'failed' ? failed : null,
          }),
        ]);
        // The same request may come again, and says the same.
        expect(await under.webhook.read(request)).toEqual(await under.webhook.read(request));
      }
    });

    it('survives bodies that are none', async () => {
      for (const body of ['', '{', '[]', 'null', '{"entry":[{"changes":null}]}', 'a=b&c', '\u0000', '1e999', DEEP]) {
        const request = { url: URL_OF_WEBHOOK, headers: {}, body: Buffer.from(body) };
        try {
          expect(Array.isArray(await under.webhook.read(request))).toBe(true);
        } catch (error) {
          expect((error as Error).name).toBe('ChannelBodyError');
        }
        expect(under.webhook.mayBeSigned(request.headers)).toBe(false);
        expect(Array.isArray(await under.webhook.senders(request))).toBe(true);
        expect(under.webhook.verify(request, [under.secret])).toBe(false);
      }
    });
  });
}
