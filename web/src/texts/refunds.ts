import type { DebtPayment, Refund } from '../api/client.ts';
import type { Tone } from './words.ts';

const BY: Readonly<Record<DebtPayment['provider'], string>> = {
  sandbox: 'no simulador',
  mercadopago: 'pelo Mercado Pago',
  pix: 'por Pix, no seu banco',
  outside: 'por fora do Quita',
  agreement: 'de um acordo',
};

const KIND: Readonly<Record<Refund['kind'], string>> = {
  asked: 'devolução pedida pela sua equipe',
  excess: 'devolução automática do que veio a mais',
  refund: 'devolução feita no painel do provedor',
  med_fraude: 'devolução do banco por suspeita de fraude (MED)',
  med_operacional: 'devolução do banco por falha operacional (MED)',
  med_pix_automatico: 'devolução do banco por Pix Automático (MED)',
  chargeback: 'contestação de quem pagou',
};

const TONES: Readonly<Record<Refund['state'], Tone>> = { pending: 'waiting', done: 'paid', failed: 'danger' };
const STATES: Readonly<Record<Refund['state'], string>> = {
  pending: 'Em andamento',
  done: 'Devolvido',
  failed: 'Não devolvido',
};

const CHECK = 'Antes de pedir de novo, confira no provedor se o dinheiro saiu.';

/** Words about the money of a debt that came and goes back. */
export const REFUNDS = {
  payments: 'Pagamentos',
  cameBy: (provider: DebtPayment['provider']): string => BY[provider],
  line: (amount: string, kind: Refund['kind'], moment: string) => `${amount}, ${KIND[kind]}, ${moment}`,
  tones: TONES,
  states: STATES,
  failures: {
    refused: 'O provedor não aceita devolver este valor. Devolva por outro meio, ou tente um valor menor.',
    not_made: 'O banco não fez a devolução, e o dinheiro continua com você. Dá para pedir de novo.',
    account_gone: `A conta que recebeu este pagamento não está mais no Quita. ${CHECK}`,
    credentials_refused: `O provedor recusa a conta há uma semana. Confira a conexão em Conta. ${CHECK}`,
    payment_unknown: `O provedor não conhece mais este pagamento. ${CHECK}`,
  } satisfies Record<NonNullable<Refund['failure']>, string>,
  contestUntil: (moment: string) => `Você pode contestar esta devolução no seu banco até ${moment}.`,
  give: 'Devolver',
  title: 'Devolver dinheiro a quem pagou',
  text: 'O dinheiro volta pelo mesmo provedor, para a conta de onde veio. A dívida não volta a ser cobrada por isso; se tudo voltar, o recibo deixa de valer.',
  amount: 'Valor a devolver',
  amountHint: (left: string) => `Até ${left}. Exemplo: 1.234,56`,
  amountWrong: 'O valor não confere. Exemplo: 1.234,56.',
  reason: 'Motivo, para a sua equipe',
  reasonHint: 'Fica no registro. A pessoa nunca vê.',
  asked: 'Devolução pedida. O andamento aparece em Pagamentos.',
} as const;
