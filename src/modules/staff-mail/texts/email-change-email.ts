import { type Email, emailOf } from '../../../platform/mail/email.ts';

export interface EmailChangeEmailInput {
  /** Which of the two addresses reads this. */
  readonly side: 'present' | 'new';
  readonly ofCompany: boolean;
  /** The URL contains the token, so it is never logged. */
  readonly confirmUrl: string;
  readonly validHours: number;
}

/** Anybody may be named as the new address, so the text repeats nothing that the person who asks has entered. */
export function emailChangeEmail({ side, ofCompany, confirmUrl, validHours }: EmailChangeEmailInput): Email {
  const what = ofCompany ? 'o e-mail da empresa' : 'o e-mail de acesso de uma pessoa';
  const content = {
    heading: side === 'present' ? 'Pediram para trocar este e-mail' : 'Confirme este e-mail',
    paragraphs: [
      side === 'present'
        ? `Alguém que entrou no Quita pediu para trocar ${what}, que hoje é este, por outro. Se foi você, confirme pelo link abaixo.`
        : `Alguém que entrou no Quita pediu que este passe a ser ${what}. Se foi você, confirme pelo link abaixo.`,
      `A troca só vale depois que os dois e-mails, o de hoje e o novo, confirmarem. O link vale por ${validHours} horas.`,
    ],
    button: { label: 'Confirmar a troca', url: confirmUrl },
    footnotes: [
      side === 'present'
        ? 'Se não foi você, não confirme: nada muda. Peça também uma nova senha, porque alguém pode ter entrado na sua conta.'
        : 'Se não foi você, ignore este e-mail: sem a sua confirmação, nada muda.',
    ],
  };
  const subject = side === 'present' ? 'Quita: confirme a troca deste e-mail' : 'Quita: confirme este e-mail';
  return emailOf(subject, content);
}
