/** The words of the page behind the link that confirms an address. Its script, `confirm-email.js`, has the answers. */
export const CONFIRM_EMAIL_TEXTS = {
  title: 'Confirmar e-mail · Quita',
  heading: 'Confirme o seu e-mail',
  question: 'Confirme só se foi você, ou alguém da sua empresa, quem abriu a conta do Quita com este e-mail.',
  button: 'Confirmar e-mail',
  console: 'Entrar no console',
  noScript: 'Esta página precisa de JavaScript para confirmar o e-mail.',
} as const;
