import type { Mailer } from '../../kernel/ports/mailer.ts';
import { createSandboxMailer } from '../../modules/messaging/adapters/mail-sandbox/sandbox-mailer.ts';
import { createTerminalMailer } from '../../modules/messaging/adapters/mail-sandbox/terminal-mailer.ts';
import { createSandboxOutboxStore } from '../../modules/messaging/queries/sandbox-outbox-store.ts';
import type { Config } from '../../platform/config/index.ts';
import type { Database } from '../../platform/database/database.ts';
import { createSmtpMailer } from '../../platform/mail/smtp/smtp-mailer.ts';

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
