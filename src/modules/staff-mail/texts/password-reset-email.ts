import { type Email, emailOf } from '../../../platform/mail/email.ts';

export interface PasswordResetEmailInput {
  /** The URL contains the token, so it is never logged. */
  readonly resetUrl: string;
  readonly validMinutes: number;
}

/** The text names no company, because the name is any text that the opener of the account entered. */
export function passwordResetEmail({ resetUrl, validMinutes }: PasswordResetEmailInput): Email {
  const content = {
    heading: 'Redefinição de senha',
    paragraphs: [
      'Recebemos um pedido para redefinir a senha da conta do Quita deste e-mail.',
      `O link abaixo vale por ${validMinutes} minutos e só pode ser usado uma vez. Ao trocar a senha, todas as sessões abertas são encerradas.`,
    ],
    button: { label: 'Escolher nova senha', url: resetUrl },
    footnotes: ['Se não foi você quem pediu, ignore esta mensagem: a senha continua a mesma.'],
  };
  return emailOf('Quita: redefinição de senha', content);
}
