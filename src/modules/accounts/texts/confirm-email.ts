import { EMAIL_CHANGE_HOURS, EMAIL_CONFIRMATION_HOURS } from '../rules/token-lifetimes.ts';

/** The words of a page behind a link that confirms an address. What went wrong, its script `confirm-email.js` says. */
export interface ConfirmEmailTexts {
  readonly title: string;
  readonly heading: string;
  readonly question: string;
  readonly button: string;
  readonly done: string;
  /** The confirmation of the other address is missing. */
  readonly pending: string;
  readonly ended: string;
}

export const CONFIRM_EMAIL_TEXTS: ConfirmEmailTexts = {
  title: 'Confirmar e-mail · Quita',
  heading: 'Confirme o seu e-mail',
  question: 'Confirme só se foi você, ou alguém da sua empresa, quem abriu a conta do Quita com este e-mail.',
  button: 'Confirmar e-mail',
  done: 'E-mail confirmado. Você já pode fechar esta página.',
  pending: '',
  ended: `Este link não vale mais: ele serve uma única vez, por ${EMAIL_CONFIRMATION_HOURS} horas. Se o e-mail ainda não foi confirmado, peça outro link na sua conta.`,
};

export const CHANGE_EMAIL_TEXTS: ConfirmEmailTexts = {
  title: 'Trocar e-mail · Quita',
  heading: 'Confirme a troca de e-mail',
  question:
    'Confirme só se foi você quem pediu a troca no Quita. Ela vale depois que os dois e-mails, o de hoje e o novo, confirmarem.',
  button: 'Confirmar a troca',
  done: 'Troca feita. A partir de agora vale o e-mail novo.',
  pending: 'Obrigado, este e-mail está confirmado. Falta confirmar no outro: o link também foi enviado para lá.',
  ended: `Este link não vale mais: ele dura ${EMAIL_CHANGE_HOURS} horas, e um pedido mais novo toma o lugar do anterior. Se a troca ainda não foi feita, peça de novo na sua conta.`,
};

export const CONFIRM_EMAIL_COMMON = {
  console: 'Entrar no console',
  noScript: 'Esta página precisa de JavaScript para confirmar o e-mail.',
} as const;
