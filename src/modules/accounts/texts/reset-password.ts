/** The words of the page behind the link to a new password. Its script, `reset-password.js`, has the answers. */
export const RESET_PASSWORD_TEXTS = {
  title: 'Nova senha · Quita',
  heading: 'Escolha uma nova senha',
  rules: 'Pelo menos 8 caracteres, com uma letra maiúscula e um número.',
  password: 'Nova senha',
  repeated: 'Repita a nova senha',
  button: 'Trocar a senha',
  console: 'Entrar no console',
  noScript: 'Esta página precisa de JavaScript para trocar a senha.',
} as const;
