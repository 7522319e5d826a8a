import { expect, it } from '@jest/globals';
import { memorySandboxOutbox } from '../../../../../testing/memory-sandbox-store.ts';
import { createSandboxMailer } from './sandbox-mailer.ts';

it('stores a mail once, as it would have been read', async () => {
  const outbox = memorySandboxOutbox();
  const at = new Date('2026-12-01T12:00:00Z');
  const document = {
    filename: 'termo.pdf',
    contentType: 'application/pdf',
    content: new Uint8Array(3),
    url: 'https://x.example/r',
  };
  const mail = {
    id: '5f9c',
    to: 'ana@empresa.com.br',
    subject: 'Assunto',
    text: 'Corpo',
    document,
    context: { clientId: 'c', debtId: 'd', purpose: 'receipt', at },
  };
  await createSandboxMailer(outbox).send(mail);
  await createSandboxMailer(outbox).send(mail);
  expect(outbox.items).toEqual([
    {
      id: '5f9c',
      clientId: 'c',
      debtId: 'd',
      channel: 'email',
      to: 'ana@empresa.com.br',
      purpose: 'receipt',
      text: 'Assunto\n\nCorpo',
      document: { filename: 'termo.pdf', url: 'https://x.example/r' },
      pixCode: null,
      at,
    },
  ]);
});
