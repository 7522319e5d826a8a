import type { DebtStatus } from '../../../kernel/debt-status.ts';
import { formatReais } from '../../../kernel/money.ts';
import { STATUS_NAMES } from '../../debts/texts/names.ts';

type Content = Readonly<Record<string, unknown>>;

export const KIND_NAMES: Readonly<Record<string, string>> = {
  imported: 'Dívida importada',
  scored: 'Prioridade calculada',
  status_changed: 'Situação alterada',
  verdict: 'Regras de contato consultadas',
  message_sent: 'Mensagem enviada',
  message_received: 'Mensagem recebida',
  delivery_changed: 'Entrega da mensagem atualizada',
  charge_created: 'Código de pagamento criado',
  needs_person: 'Atendimento pedido à equipe do credor',
  note: 'Anotação da equipe do credor',
  debt_changed: 'Dados da dívida corrigidos',
  payment_approved: 'Pagamento confirmado',
  payment_duplicate: 'Pagamento em duplicidade',
  payment_changed: 'Pagamento alterado',
  receipt_issued: 'Recibo emitido',
  offer_made: 'Proposta feita',
  agreement_accepted: 'Acordo aceito',
  instalment_paid: 'Pagamento do acordo recebido',
  agreement_changed: 'Acordo alterado',
  agreement_broken: 'Acordo rompido',
  agreement_completed: 'Acordo cumprido',
  email_sent: 'E-mail enviado',
};

export const nameOfKind = (kind: string): string => KIND_NAMES[kind] ?? kind;

const CHANNELS: Readonly<Record<string, string>> = {
  whatsapp: 'WhatsApp',
  twilio: 'SMS',
  zenvia: 'SMS',
  email: 'e-mail',
  sandbox: 'canal de teste',
};
const DELIVERIES: Readonly<Record<string, string>> = {
  sent: 'aceita pelo canal',
  delivered: 'entregue',
  read: 'lida',
  failed: 'não entregue',
  unknown: 'sem confirmação do canal',
};

/** What the summary shows of a text: the whole of it is in the files. */
const LONGEST_TEXT = 600;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const named = (names: Readonly<Record<string, string>>, value: unknown): string =>
  names[textOf(value)] ?? textOf(value);
const quoted = (value: unknown): string => {
  const text = textOf(value);
  return text === '' ? '' : `: “${text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text}”`;
};
const statusOf = (value: unknown): string => STATUS_NAMES[value as DebtStatus] ?? textOf(value);
const listOf = (value: unknown): string => (Array.isArray(value) ? value.join(', ') : '');
const amountOf = (value: unknown): string =>
  typeof value === 'number' ? ` de ${formatReais(Math.round(value * 100))}` : '';

/** One sentence of what an entry says, for a reader who knows neither the service nor its files. */
export function sentenceOf(kind: string, content: Content | null): string {
  const name = nameOfKind(kind);
  if (content === null) return `${name} (conteúdo apagado)`;
  switch (kind) {
    case 'status_changed':
      return `Situação alterada de “${statusOf(content['from'])}” para “${statusOf(content['to'])}”${quoted(content['reason'])}`;
    case 'verdict': {
      const rules = listOf(content['ruleIds']) || listOf(content['rules']);
      const answer =
        content['allowed'] === true ? 'Contato permitido pelas regras' : 'Contato não permitido pelas regras';
      return rules === '' ? answer : `${answer} (${rules})`;
    }
    case 'message_sent':
    case 'message_received':
      return `${name} por ${named(CHANNELS, content['channel'])}${quoted(content['text'])}`;
    case 'delivery_changed':
      return `Mensagem ${named(DELIVERIES, content['delivery'])}`;
    case 'note':
      return `${name}${quoted(content['text'])}`;
    default:
      return `${name}${amountOf(content['amount'])}${quoted(content['note'])}`;
  }
}
