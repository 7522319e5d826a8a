import { UNCONFIRMED_ACCOUNT_DAYS } from '../../../kernel/retention-periods.ts';
import { type Email, emailOf } from '../../../platform/mail/email.ts';

export interface EmailConfirmationEmailInput {
  /** The URL contains the token, so it is never logged. */
  readonly confirmUrl: string;
  readonly validHours: number;
}

/** The reader may not have opened the account, so the text repeats nothing that the opener entered. */
export function emailConfirmationEmail({ confirmUrl, validHours }: EmailConfirmationEmailInput): Email {
  const content = {
    heading: 'Confirme este e-mail',
    paragraphs: [
      'Uma conta do Quita foi aberta com este e-mail. Se foi você, confirme que ele é seu: até lá, a conta só funciona em modo de teste.',
      `O link abaixo vale por ${validHours} horas e só pode ser usado uma vez.`,
    ],
    button: { label: 'Confirmar e-mail', url: confirmUrl },
    footnotes: [
      `Se não foi você quem abriu a conta, não confirme. Sem confirmação ela não envia cobranças a ninguém e, se não tiver campanhas, é apagada em ${UNCONFIRMED_ACCOUNT_DAYS} dias. Para ficar com a conta, peça uma nova senha para este e-mail: isso encerra todo acesso anterior.`,
    ],
  };
  return emailOf('Quita: confirme este e-mail', content);
}
