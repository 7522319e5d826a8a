import { describe, expect, it } from '@jest/globals';
import { memorySandboxOutbox } from '../../../../../testing/memory-sandbox-store.ts';
import type { OutgoingMessage } from '../../ports/messaging-channel.ts';
import { createSandboxChannel } from './sandbox-channel.ts';

const message = (change: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
  id: '5f9c',
  to: { phone: '+5511987650001' },
  text: 'Olá, Ana.',
  context: { clientId: 'c', debtId: 'd', purpose: 'collection', at: new Date('2026-12-01T12:00:00Z') },
  credentials: null,
  ...change,
});

describe('sandbox channel', () => {
  it('stores the message that would have been sent, once for each id', async () => {
    const outbox = memorySandboxOutbox();
    const channel = createSandboxChannel(outbox);
    const template = { name: 'cobranca_v1', language: 'pt_BR', parameters: ['Ana'] } as const;
    const first = await channel.send(message({ template }));
    expect(await channel.send(message({ template }))).toEqual(first);
    expect(outbox.items).toEqual([
      {
        id: '5f9c',
        clientId: 'c',
        debtId: 'd',
        channel: 'sandbox',
        to: '+5511987650001',
        purpose: 'collection',
        text: 'Olá, Ana.',
        document: null,
        pixCode: null,
        at: new Date('2026-12-01T12:00:00Z'),
      },
    ]);
  });

  it('stores a document by name and address', async () => {
    const outbox = memorySandboxOutbox();
    const document = {
      filename: 't.pdf',
      contentType: 'application/pdf',
      content: new Uint8Array(1),
      url: 'https://x.example/r',
    };
    await createSandboxChannel(outbox).send(message({ document }));
    expect(outbox.items[0]?.document).toEqual({ filename: 't.pdf', url: 'https://x.example/r' });
  });

  it.each<[string, Partial<OutgoingMessage>, string]>([
    ['no text', { text: ' ' }, 'rejected'],
    ['too much text', { text: 'a'.repeat(4_097) }, 'rejected'],
    ['no phone number', { to: { phone: '11987650001' } }, 'undeliverable'],
  ])('refuses %s and sends nothing', async (_what, change, kind) => {
    const outbox = memorySandboxOutbox();
    await expect(createSandboxChannel(outbox).send(message(change))).rejects.toMatchObject({
      kind,
      surelyNotSent: true,
    });
    expect(outbox.items).toEqual([]);
  });
});
