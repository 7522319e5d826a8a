/** Stands on the timeline for a request for silence that the person made to the channel, without a message of its own. */
export const CHANNEL_OPT_OUT_TEXT = 'PARAR (pedido feito no próprio canal)';
