import type { Mailer } from '../../../../kernel/ports/mailer.ts';
import type { SandboxOutboxStore } from '../../ports/sandbox-store.ts';

/** Stores the mail that would have been sent, and sends nothing. */
export function createSandboxMailer(outbox: SandboxOutboxStore): Mailer {
  return {
    send: ({ id, to, subject, text, document, context }) =>
      outbox.insert({
        id,
        clientId: context.clientId,
        debtId: context.debtId,
        channel: 'email',
        to,
        purpose: context.purpose,
        text: `${subject}\n\n${text}`,
        document: document === undefined ? null : { filename: document.filename, url: document.url },
        pixCode: null,
        at: context.at,
      }),
  };
}
