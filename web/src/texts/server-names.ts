/**
 * Written by `scripts/make-web-client.ts`. A name is changed where the server has it: `src/modules/debts/texts/names.ts`,
 * `src/modules/terms/texts/components.ts`, `src/kernel/texts/payment-methods.ts` and `src/kernel/phone.ts`; the limit, in `src/modules/policy/rules/collection-sequence.ts`.
 */

export const COMPONENT_NAMES = {
  principal: 'Principal',
  fine: 'Multa',
  interest: 'Juros',
  correction: 'Correção',
} as const;

export const METHOD_NAMES = {
  pix: 'Pix',
  cash: 'Dinheiro',
  bank_transfer: 'Transferência bancária',
  boleto: 'Boleto',
  card: 'Cartão',
  cheque: 'Cheque',
  other: 'Outro meio de pagamento',
} as const;

export const METHOD_PHRASES = {
  pix: 'por Pix',
  cash: 'em dinheiro',
  bank_transfer: 'por transferência bancária',
  boleto: 'por boleto',
  card: 'por cartão',
  cheque: 'em cheque',
  other: 'por outro meio de pagamento',
} as const;

export const REASON_NAMES = {
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
} as const;

export const STATUS_NAMES = {
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
} as const;

export const STATES = [
  'AC',
  'AL',
  'AM',
  'AP',
  'BA',
  'CE',
  'DF',
  'ES',
  'GO',
  'MA',
  'MG',
  'MS',
  'MT',
  'PA',
  'PB',
  'PE',
  'PI',
  'PR',
  'RJ',
  'RN',
  'RO',
  'RR',
  'RS',
  'SC',
  'SE',
  'SP',
  'TO',
] as const;

export const MAX_SEQUENCE_STEPS = 12;
