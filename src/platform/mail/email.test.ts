import { describe, expect, it } from '@jest/globals';
import { messageEmail } from '../../modules/messaging/texts/message-email.ts';
import { receiptEmail } from '../../modules/receipts/texts/receipt-email.ts';
import {
  apiKeyCreatedEmail,
  loginLockedEmail,
  passwordChangedEmail,
} from '../../modules/staff-mail/texts/account-notices.ts';
import { emailConfirmationEmail } from '../../modules/staff-mail/texts/email-confirmation-email.ts';
import { inboxDigestEmail } from '../../modules/staff-mail/texts/inbox-digest-email.ts';
import { passwordResetEmail } from '../../modules/staff-mail/texts/password-reset-email.ts';
import { webhookDisabledEmail } from '../../modules/staff-mail/texts/webhook-disabled-email.ts';

const input = {
  debtorName: 'João Antônio da Conceição',
  debtorIsCompany: false,
  creditorName: 'Água & Luz <Serviços> Ltda.',
  amountCentavos: 123_456,
  protocol: 'QT-2026-7K3M9X2PAB-5',
  downloadUrl: 'https://q.example/api/receipts/download/QT-2026-7K3M9X2PAB-5?sig=abc&x="1"',
  verifyUrl: 'https://q.example/verify/QT-2026-7K3M9X2PAB-5?sig=abc',
  rightsUrl: 'https://q.example/direitos/7d444840-9dc0-41d1-b245-5ffdce74fad2',
  publicUrl: 'https://q.example',
  sandbox: false,
};

describe('receiptEmail', () => {
  it('states what was paid, to whom, and where the document is', () => {
    const { subject, text } = receiptEmail(input);
    expect(subject).toBe('Termo de Quitação QT-2026-7K3M9X2PAB-5 - Água & Luz <Serviços> Ltda.');
    expect(text).toContain('Olá, João. Água & Luz <Serviços> Ltda. confirma o recebimento de R$ 1.234,56 por Pix.');
    expect(text).toContain(input.downloadUrl);
    expect(text).toContain(input.rightsUrl);
    expect(text).toContain('É verdade? Confira em https://q.example/verdade');
    expect(text).toContain(input.verifyUrl);
    expect(text).not.toContain('TESTE');
  });

  it('addresses a company by its whole name', () => {
    const { text } = receiptEmail({ ...input, debtorName: 'Padaria Pão Quente Ltda', debtorIsCompany: true });
    expect(text).toContain('Olá, Padaria Pão Quente Ltda. Água');
  });

  it('escapes names and other imported texts', () => {
    const { html } = receiptEmail(input);
    expect(html).toContain('Água &amp; Luz &lt;Serviços&gt; Ltda.');
    expect(html).toContain('sig=abc&amp;x=&quot;1&quot;"');
    expect(html).not.toContain('<Serviços>');
    expect(html).toContain('<html lang="pt-BR">');
  });

  it('keeps a name with line breaks out of the headers', () => {
    const { subject } = receiptEmail({ ...input, creditorName: 'Loja\r\nBcc: outro@example.com' });
    expect(subject).not.toMatch(/[\r\n]/);
  });

  it('marks a sandbox receipt everywhere', () => {
    const { subject, text, html } = receiptEmail({ ...input, sandbox: true });
    expect(subject).toMatch(/^\[TESTE\] /);
    expect(text).toContain('DOCUMENTO DE TESTE, SEM VALOR');
    expect(html).toContain('DOCUMENTO DE TESTE, SEM VALOR');
  });
});

describe('messageEmail', () => {
  const message = {
    creditorName: 'Água & Luz <Serviços> Ltda.',
    text: 'Olá, João.\nSão R$ 150,75, vencidos em 05/10/2026. Veja: https://q.example/c/1?a=1&b=2.\n\nResponda PARAR.',
    purpose: 'reply',
    unsubscribeUrl: 'https://q.example/u?sig=abc',
    rightsUrl: null,
    publicUrl: 'https://q.example',
  } as const;

  it.each(['collection', 'reply', 'receipt', 'opt_out_confirmation'] as const)(
    'tells another reader nothing by the subject of a message with the purpose %s',
    (purpose) => {
      const { subject } = messageEmail({ ...message, purpose });
      expect(subject).toContain('Água & Luz <Serviços> Ltda.');
      expect(subject).not.toMatch(/R\$|\d|dívida|cobrança|aberto|venc|João/i);
    },
  );

  it('contains the text without a change, then the address that ends the messages', () => {
    const { text, html } = messageEmail(message);
    expect(text).toBe(
      `${message.text}\n\nÉ verdade? Confira em https://q.example/verdade\n\nSe não quiser mais receber mensagens de Água & Luz <Serviços> Ltda., abra este endereço: https://q.example/u?sig=abc\n`,
    );
    expect(html).toContain('Olá, João.<br>\nSão R$ 150,75');
    expect(html).toContain('>https://q.example/c/1?a=1&amp;b=2</a>.</p>');
    expect(html).toContain('href="https://q.example/u?sig=abc"');
    expect(messageEmail({ ...message, unsubscribeUrl: null }).text).toBe(
      `${message.text}\n\nÉ verdade? Confira em https://q.example/verdade\n`,
    );
    const { rightsUrl } = input;
    expect(messageEmail({ ...message, unsubscribeUrl: null, rightsUrl }).text).toContain(`nesta página: ${rightsUrl}`);
  });

  it('makes links of web addresses only, and lets no text leave its attribute', () => {
    const text = 'javascript:alert(1) https://q.example/"onclick="x <a href=https://e.example>';
    const { html } = messageEmail({ ...message, text, unsubscribeUrl: null });
    expect(html).toContain('href="https://q.example/&quot;onclick=&quot;x"');
    expect(html).not.toContain('href="javascript');
    expect(html).not.toContain('<a href=https');
  });

  it('keeps a creditor with line breaks out of the headers', () => {
    const { subject } = messageEmail({ ...message, creditorName: 'Loja\r\nBcc: outro@example.com' });
    expect(subject).not.toMatch(/[\r\n]/);
  });
});

describe('passwordResetEmail', () => {
  it('contains the link, its lifetime, and advice for a reader who did not request it', () => {
    const { subject, text, html } = passwordResetEmail({
      resetUrl: 'https://q.example/reset-password#t&k=1',
      validMinutes: 30,
    });
    expect(subject).toBe('Quita: redefinição de senha');
    expect(text).toContain('https://q.example/reset-password#t&k=1');
    expect(text).toContain('30 minutos');
    expect(text).toContain('Se não foi você quem pediu');
    expect(html).toContain('#t&amp;k=1');
  });
});

describe('emailConfirmationEmail', () => {
  it('contains the link, its lifetime, and advice for a reader who did not open the account', () => {
    const { subject, text, html } = emailConfirmationEmail({
      confirmUrl: 'https://q.example/confirm-email#t',
      validHours: 24,
    });
    expect(subject).toBe('Quita: confirme este e-mail');
    expect(text).toContain('Confirmar e-mail:\nhttps://q.example/confirm-email#t');
    expect(text).toContain('24 horas');
    expect(text).toContain('Se não foi você quem abriu a conta, não confirme.');
    expect(html).toContain('href="https://q.example/confirm-email#t"');
  });
});

describe('notices about an account', () => {
  it.each([
    [apiKeyCreatedEmail(), 'Quita: nova chave de API', 'revogue a chave'],
    [passwordChangedEmail(), 'Quita: senha trocada', 'peça agora uma nova senha'],
    [loginLockedEmail(), 'Quita: login bloqueado por 15 minutos', 'a troca encerra o bloqueio'],
  ])('%#: state what happened and what to do, without a link', ({ subject, text, html }, title, advice) => {
    expect(subject).toBe(title);
    expect(text).toContain(advice);
    expect(text).not.toMatch(/https?:|undefined/);
    expect(html).not.toContain('href');
    expect(html).toContain('<html lang="pt-BR">');
  });
});

describe('webhookDisabledEmail', () => {
  const url = 'https://sistema.example/eventos/segredo?token=abc';

  it.each([
    [true, '410 Gone'],
    [false, 'há cinco dias'],
  ])('says why (gone: %p) and what to do, and names the host alone', (isGone, reason) => {
    const { subject, text, html } = webhookDisabledEmail({ url, isGone });
    expect(subject).toBe('Quita: um webhook foi desativado');
    expect(text).toContain('O seu sistema em sistema.example');
    expect(text).toContain(reason);
    expect(text).toContain('PATCH /api/webhooks/:id');
    for (const part of [text, html]) expect(part).not.toMatch(/segredo|token=|undefined/);
  });
});

describe('inboxDigestEmail', () => {
  const digest = {
    told: [
      { reason: 'undelivered', campaign: 'Natal', items: 1_200 },
      { reason: 'disputed', campaign: 'Mensalidades <outubro>', items: 1 },
      { reason: 'disputed', campaign: 'Natal', items: 2 },
    ],
    open: 1_250,
    inboxUrl: 'https://q.example/atendimento',
    sandbox: false,
  } as const;

  it('counts what is new by reason, the most urgent first, each with its link', () => {
    const { subject, text, html } = inboxDigestEmail(digest);
    expect(subject).toBe('Quita: 1.203 casos esperam por você');
    expect(text).toContain(
      '- 3 cobranças contestadas:\n  https://q.example/atendimento?motivo=disputed\n- 1.200 mensagens que não puderam ser enviadas:\n  https://q.example/atendimento?motivo=undelivered',
    );
    expect(text).toContain('Campanhas: Natal (1.202), Mensalidades <outubro> (1).');
    expect(text).toContain('1.250 casos estão abertos');
    expect(text).not.toContain('TESTE');
    expect(html).toContain('Mensalidades &lt;outubro&gt;');
    expect(html).toContain('<a href="https://q.example/atendimento?motivo=disputed"');
    expect(html).toContain('<html lang="pt-BR">');
  });

  it('speaks of one case in the singular, and marks a test', () => {
    const { subject, text } = inboxDigestEmail({
      ...digest,
      told: [{ reason: 'human', campaign: 'A', items: 1 }],
      open: 1,
      sandbox: true,
    });
    expect(subject).toBe('[TESTE] Quita: um caso espera por você');
    expect(text).toContain('Teste: estes casos são de campanhas simuladas');
    expect(text).toContain('- 1 pedido para falar com uma pessoa:');
    expect(text).toContain('Campanha: A (1).');
    expect(text).toContain('Ao todo, 1 caso está aberto');
  });

  it('says by when a return of the bank has to be contested, the first of several', () => {
    const at = (day: string) => ({ campaign: 'A', items: 1, dueAt: new Date(`${day}T12:00:00Z`) });
    const told = [
      { reason: 'refunded' as const, ...at('2027-02-16') },
      { reason: 'refunded' as const, ...at('2027-02-14') },
      { reason: 'human' as const, campaign: 'A', items: 1, dueAt: null },
    ];
    const { text } = inboxDigestEmail({ ...digest, told });
    expect(text).toContain('2 pagamentos devolvidos ou contestados no banco, prazo até 14/02/2027:');
    expect(text).toContain('1 pedido para falar com uma pessoa:');
  });

  it('bounds what a client may have called its campaigns', () => {
    const told = Array.from({ length: 300 }, (_, n) => ({
      reason: 'human' as const,
      campaign: `${'😀'.repeat(199)}\r\n${n}`,
      items: 1,
    }));
    const { subject, text } = inboxDigestEmail({ ...digest, told });
    expect(text).toContain('e mais 295 campanhas.');
    expect(text.length).toBeLessThan(1_500);
    expect(subject).not.toMatch(/[\r\n]/);
  });
});
