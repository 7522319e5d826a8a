import type { EventType } from '../api/client.ts';

/** What the company's own systems may hear of. A type that has no word here does not compile. */
export const EVENT_TYPE: Readonly<Record<EventType, string>> = {
  'debt.imported': 'Dívida importada',
  'debt.status_changed': 'Situação da dívida mudou',
  'debt.contacted': 'Mensagem enviada à pessoa',
  'debt.message_received': 'A pessoa escreveu',
  'payment.approved': 'Pagamento confirmado',
  'payment.duplicate': 'Pagamento repetido',
  'payment.refunded': 'Pagamento devolvido',
  'receipt.issued': 'Recibo emitido',
  'receipt.revoked': 'Recibo revogado',
  'agreement.accepted': 'Acordo aceito',
  'agreement.instalment_paid': 'Parcela paga',
  'agreement.broken': 'Acordo descumprido',
  'agreement.completed': 'Acordo quitado',
  'campaign.status_changed': 'Situação da campanha mudou',
};

export const EVENT_TYPES = Object.keys(EVENT_TYPE) as EventType[];

export const EVENT_CHOICE = {
  title: 'Só alguns eventos',
  lead: 'Sem nenhum marcado, o endereço recebe todos, também os de versões futuras.',
} as const;
