import { createSandboxMailer } from '../adapters/mail/sandbox/sandbox-mailer.ts';
import { createTerminalMailer } from '../adapters/mail/sandbox/terminal-mailer.ts';
import { createSmtpMailer } from '../adapters/mail/smtp/smtp-mailer.ts';
import type { Config } from '../config/index.ts';
import type { Database } from '../db/database.ts';
import { createSandboxOutboxStore } from '../db/sandbox-outbox-store.ts';
import type { Mailer } from '../ports/mailer.ts';

/**
 * Returns null when e-mail is off. Outside production, mails without a server are stored instead of sent, and `npm start`
 * prints those of accounts.
 */
export function composeMailer({ smtpUrl, mailFrom, nodeEnv }: Config, db: Database): Mailer | null {
  if (smtpUrl !== undefined && mailFrom !== undefined) return createSmtpMailer({ url: smtpUrl, from: mailFrom });
  if (nodeEnv === 'production') return null;
  const stored = createSandboxMailer(createSandboxOutboxStore(db));
  return nodeEnv === 'development' ? createTerminalMailer(stored, (text) => process.stdout.write(text)) : stored;
}
