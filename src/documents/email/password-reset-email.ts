import { type Email, htmlPage, plainText } from './email.ts';

export interface PasswordResetEmailInput {
  /** Holds the token: never logged. */
  readonly resetUrl: string;
  readonly validMinutes: number;
}

/** Names no company: whoever opened the account may have written anything there. */
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
  return { subject: 'Quita: redefinição de senha', text: plainText(content), html: htmlPage(content) };
}
