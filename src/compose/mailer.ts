import { createSandboxMailer } from '../adapters/mail/sandbox/sandbox-mailer.ts';
import { createSmtpMailer } from '../adapters/mail/smtp/smtp-mailer.ts';
import type { Config } from '../config/index.ts';
import type { Database } from '../db/database.ts';
import { createSandboxOutboxStore } from '../db/sandbox-outbox-store.ts';
import type { Mailer } from '../ports/mailer.ts';

/** Null: e-mail is off. Only a deployment that is no production keeps mails instead of sending them. */
export function composeMailer({ smtpUrl, mailFrom, nodeEnv }: Config, db: Database): Mailer | null {
  if (smtpUrl !== undefined && mailFrom !== undefined) return createSmtpMailer({ url: smtpUrl, from: mailFrom });
  return nodeEnv === 'production' ? null : createSandboxMailer(createSandboxOutboxStore(db));
}
