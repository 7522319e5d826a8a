/** Stands on the timeline for a request for silence that the person made to the channel, without a message of its own. */
export const CHANNEL_OPT_OUT_TEXT = 'PARAR (pedido feito no próprio canal)';

/** Stands for a contact card by which somebody has answered our request for the phone. It is answered as a greeting is. */
export const CARD_TEXT = 'Oi! (contato compartilhado pelo botão do WhatsApp)';

/** Shown to the client in place of the text of a message that a restored database has forgotten. */
export const LOST_TEXT =
  'Mensagem enviada antes de o banco de dados ser restaurado de uma cópia de segurança. O texto não foi recuperado.';
