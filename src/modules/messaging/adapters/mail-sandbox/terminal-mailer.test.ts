import { describe, expect, it } from '@jest/globals';
import type { Mail } from '../../../../kernel/ports/mailer.ts';
import { createTerminalMailer } from './terminal-mailer.ts';

const mail = (debtId: string | null): Mail => ({
  id: 'm',
  to: 'ana@escola.com.br',
  subject: 'Nova senha',
  text: 'https://quita.example/reset-password#segredo',
  context: { clientId: 'c', debtId, purpose: 'password_reset', at: new Date() } as Mail['context'],
});

describe('without a mail server', () => {
  it('the mails of accounts are printed and stored, those of debtors only stored', async () => {
    const [stored, printed] = [[] as string[], [] as string[]];
    const mailer = createTerminalMailer({ send: async ({ to }) => void stored.push(to) }, (text) => printed.push(text));
    await mailer.send(mail(null));
    await mailer.send(mail('d'));
    expect(stored).toHaveLength(2);
    expect(printed).toHaveLength(1);
    expect(printed[0]).toContain('reset-password#segredo');
  });
});
