/** Shown to the client in place of the text of a message that a restored database has forgotten. */
export const LOST_TEXT =
  'Mensagem enviada antes de o banco de dados ser restaurado de uma cópia de segurança. O texto não foi recuperado.';
