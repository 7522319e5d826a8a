import { createHash, randomBytes } from 'node:crypto';
import type { ChannelRequest } from '../../../src/modules/messaging/ports/channel-webhook.ts';
import type { FakeWhatsApp } from '../../../testing/channels/fake-whatsapp.ts';
import { REFUSALS } from '../../../testing/channels/whatsapp/answers.ts';
import { type Said, type Told, writeEntry } from '../../../testing/checker/log.ts';
import type { Random } from '../../support/random.ts';
import { toldIn } from './agreement-words.ts';
import { speaksOfDebt } from './debt-words.ts';
import type { Deliveries } from './deliveries.ts';
import { type FaultyProxy, type PassedAnswer, type PassedRequest, passTo, startFaultyProxy } from './faulty-proxy.ts';

export interface ArrivedMessage {
  readonly client: number;
  readonly to: string;
  readonly text: string;
  readonly collects: boolean;
  readonly told: Told | null;
}

export interface PhonesPlan {
  /** The sender of each client. */
  readonly senders: readonly FakeWhatsApp[];
  readonly random: Random;
  readonly deliveries: Deliveries;
  readonly logFile: string;
  readonly clientIdOf: (client: number) => string;
  /** Where the service takes what WhatsApp posts. */
  readonly webhookUrl: () => string;
  readonly arrived: (message: ArrivedMessage) => void;
}

export interface Phones {
  readonly proxy: FaultyProxy;
  write(client: number, from: string, text: string, meaning: { said: Said; promisedFor: string | null }): Promise<void>;
}

const answerOf = (day: 'server_error' | 'throttled'): PassedAnswer => ({
  status: REFUSALS[day]!.status,
  contentType: 'application/json',
  body: Buffer.from(JSON.stringify(REFUSALS[day]!.body)),
});

async function post({ url, headers, body }: ChannelRequest): Promise<number> {
  const response = await fetch(url, {
    method: 'POST',
    headers: headers as Record<string, string>,
    body: new Uint8Array(body as Buffer),
    signal: AbortSignal.timeout(20_000),
  });
  await response.body?.cancel();
  return response.status;
}

/** The channel: it takes messages, reports about them, and posts what debtors write. */
export async function openPhones(plan: PhonesPlan): Promise<Phones> {
  const { senders, random, deliveries, logFile, clientIdOf, webhookUrl, arrived } = plan;

  function take(client: number, request: PassedRequest, answer: PassedAnswer): void {
    const sender = senders[client]!;
    const said = JSON.parse(answer.body.toString()) as { readonly messages?: readonly { readonly id: string }[] };
    const taken = sender.taken.find(({ channelMessageId }) => channelMessageId === said.messages?.[0]?.id);
    if (taken === undefined) return;
    const { type, template } = JSON.parse(request.body.toString()) as {
      readonly type: 'template' | 'text' | 'document';
      readonly template?: { readonly name: string };
    };
    const { channelMessageId, callback, to, text } = taken;
    const told = toldIn(text);
    writeEntry(logFile, {
      kind: 'message_taken',
      clientId: clientIdOf(client),
      channelMessageId,
      messageId: callback,
      to,
      form: type,
      template: template?.name ?? null,
      textHash: createHash('sha256').update(text).digest('hex').slice(0, 16),
      speaksOfDebt: speaksOfDebt(text),
      ...(told === null ? {} : { told }),
    });
    // The reports may come before the answer, when that is late, and in any order.
    const states = random.shuffled(['sent', 'delivered', ...(random.next() < 0.3 ? ['read' as const] : [])] as const);
    for (const state of states) {
      const report = sender.deliveryRequest(webhookUrl(), taken, state);
      void deliveries.start({ post: () => post(report), twice: 0.1, withinMs: 500 });
    }
    const collects =
      template !== undefined && !template.name.includes('receipt') && !template.name.includes('agreement');
    arrived({ client, to, text, collects, told });
  }

  const proxy = await startFaultyProxy({
    random,
    refusals: { refuse: answerOf('server_error'), throttle: answerOf('throttled') },
    pass: async (request) => {
      const token = request.headers.authorization?.replace(/^(Bearer|OAuth) /, '');
      const client = senders.findIndex(({ credentials }) => credentials.accessToken === token);
      const sender = senders[Math.max(client, 0)]!;
      const answer = await passTo(sender.baseUrl, request);
      const isSending = request.method === 'POST' && request.path.split('?')[0]!.endsWith('/messages');
      if (client >= 0 && isSending && answer.status === 200) take(client, request, answer);
      return answer;
    },
  });

  return {
    proxy,
    async write(client, from, text, { said, promisedFor }) {
      const channelMessageId = `wamid.${randomBytes(16).toString('base64')}`;
      const request = senders[client]!.messageRequest(webhookUrl(), { id: channelMessageId, from, text });
      const clientId = clientIdOf(client);
      writeEntry(logFile, { kind: 'debtor_wrote', clientId, from, channelMessageId, said, promisedFor });
      await deliveries.start({
        post: () => post(request),
        accepted: () => writeEntry(logFile, { kind: 'message_accepted', clientId, channelMessageId }),
        lost: 0.1,
        twice: 0.2,
      });
    },
  };
}
