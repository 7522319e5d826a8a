import type { DebtStatus } from '../../../kernel/debt-status.ts';
import type { InboxReason } from '../rules/inbox-reasons.ts';

/** What the client's staff read of a status, in the console and in its exports. */
export const STATUS_NAMES: Readonly<Record<DebtStatus, string>> = {
  IMPORTED: 'Importada',
  QUEUED: 'Na fila',
  IN_COLLECTION: 'Em contato',
  PROMISED: 'Prometeu pagar',
  AGREEMENT: 'Em acordo',
  ON_HOLD: 'Espera você',
  DISPUTED: 'Contestada',
  OPTED_OUT: 'Pediu silêncio',
  PAID: 'Paga',
  EXHAUSTED: 'Tentativas esgotadas',
  UNREACHABLE: 'Sem contato possível',
  STOPPED: 'Encerrada',
};

/** Why a debt waits, in the order in which the console offers the reasons. */
export const REASON_NAMES: Readonly<Record<InboxReason, string>> = {
  disputed: 'Contestou a dívida',
  hardship: 'Passa por dificuldade',
  negotiate: 'Quer negociar',
  human: 'Quer falar com uma pessoa',
  underpaid: 'Pagou a menos',
  agreement: 'Acordo parado',
  negativation: 'Negativação a retirar',
  settings: 'Sem horário possível',
  duplicate: 'Pagou duas vezes',
  overpaid: 'Pagou a mais',
  refunded: 'Pagamento devolvido',
  undelivered: 'Mensagem não entregue',
  attachment: 'Enviou um arquivo',
  said_paid: 'Diz que já pagou',
  question: 'Pergunta sem resposta',
  rights: 'Pedido sobre direitos',
};
