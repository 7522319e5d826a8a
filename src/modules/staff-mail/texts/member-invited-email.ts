import { type Email, emailOf } from '../../../platform/mail/email.ts';

export interface MemberInvitedEmailInput {
  /** The URL contains the token, so it is never logged. */
  readonly acceptUrl: string;
  /** The token itself, for a page that runs no script. */
  readonly code: string;
  readonly validDays: number;
}

/** Anybody may be invited, so the text repeats nothing that the person who invites has entered. */
export function memberInvitedEmail({ acceptUrl, code, validDays }: MemberInvitedEmailInput): Email {
  const content = {
    heading: 'Você foi convidado para o Quita',
    paragraphs: [
      'Alguém da sua empresa convidou você para trabalhar com ela no Quita, que ajuda a receber contas atrasadas com respeito a quem deve.',
      'Para aceitar, abra o link abaixo e escolha o seu nome e a sua senha. Leva um minuto, e depois você entra com este e-mail.',
      `O link vale por ${validDays} dias e só pode ser usado uma vez.`,
    ],
    button: { label: 'Aceitar o convite', url: acceptUrl },
    footnotes: [
      `Se a página pedir o código do convite, copie este: ${code}`,
      'Se você não esperava este convite, pergunte a quem cuida da cobrança na sua empresa ou ignore este e-mail: sem o seu aceite, nada acontece.',
    ],
  };
  return emailOf('Quita: convite para a equipe', content);
}
