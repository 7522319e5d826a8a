import type { Mailer } from '../../../../kernel/ports/mailer.ts';

/**
 * Prints the mails of accounts, which nobody could read otherwise: their links are credentials, so that no API shows
 * them. Whoever reads the terminal of `npm start` holds the whole database. A mail to a debtor is only stored.
 */
export const createTerminalMailer = (mailer: Mailer, print: (text: string) => void): Mailer => ({
  async send(mail) {
    await mailer.send(mail);
    if (mail.context.debtId !== null) return;
    print(`\n--- E-mail que não saiu (sem SMTP_URL) ---\nPara: ${mail.to}\n${mail.subject}\n\n${mail.text}\n---\n`);
  },
});
