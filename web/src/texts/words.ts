import type { Campaign, Channel, Debt, FoundDebt } from '../api/client.ts';
import { REASON_NAMES, STATUS_NAMES } from './server-names.ts';

export type DebtStatus = Debt['status'];
export type CampaignStatus = Campaign['status'];
export type InboxReason = NonNullable<FoundDebt['holdReason']>;
export type ChannelName = Channel['channel'] | 'sandbox';

/** The colour family of a status; each also has a word and an icon, so that no meaning rests on colour alone. */
export type Tone = 'paid' | 'contact' | 'waiting' | 'test' | 'danger' | 'ended';

interface Word {
  readonly label: string;
  readonly tone: Tone;
}

export const DEBT_STATUS: Readonly<Record<DebtStatus, Word>> = {
  IMPORTED: { label: STATUS_NAMES.IMPORTED, tone: 'ended' },
  QUEUED: { label: STATUS_NAMES.QUEUED, tone: 'contact' },
  IN_COLLECTION: { label: STATUS_NAMES.IN_COLLECTION, tone: 'contact' },
  PROMISED: { label: STATUS_NAMES.PROMISED, tone: 'contact' },
  AGREEMENT: { label: STATUS_NAMES.AGREEMENT, tone: 'contact' },
  ON_HOLD: { label: STATUS_NAMES.ON_HOLD, tone: 'waiting' },
  DISPUTED: { label: STATUS_NAMES.DISPUTED, tone: 'waiting' },
  OPTED_OUT: { label: STATUS_NAMES.OPTED_OUT, tone: 'ended' },
  PAID: { label: STATUS_NAMES.PAID, tone: 'paid' },
  EXHAUSTED: { label: STATUS_NAMES.EXHAUSTED, tone: 'ended' },
  UNREACHABLE: { label: STATUS_NAMES.UNREACHABLE, tone: 'ended' },
  STOPPED: { label: STATUS_NAMES.STOPPED, tone: 'ended' },
};

/** The parts in which lists and charts gather the statuses. */
export const STATUS_GROUPS = [
  { key: 'queue', label: 'A começar', tone: 'ended', statuses: ['IMPORTED', 'QUEUED'] },
  { key: 'contact', label: 'Em contato', tone: 'contact', statuses: ['IN_COLLECTION', 'PROMISED'] },
  { key: 'agreement', label: 'Em acordo', tone: 'contact', statuses: ['AGREEMENT'] },
  { key: 'waiting', label: 'Espera você', tone: 'waiting', statuses: ['ON_HOLD', 'DISPUTED'] },
  { key: 'paid', label: 'Pagas', tone: 'paid', statuses: ['PAID'] },
  {
    key: 'ended',
    label: 'Sem cobrança ativa',
    tone: 'ended',
    statuses: ['OPTED_OUT', 'EXHAUSTED', 'UNREACHABLE', 'STOPPED'],
  },
] as const satisfies readonly {
  readonly key: string;
  readonly label: string;
  readonly tone: Tone;
  readonly statuses: readonly DebtStatus[];
}[];

export const CAMPAIGN_STATUS: Readonly<Record<CampaignStatus, Word>> = {
  DRAFT: { label: 'Rascunho', tone: 'ended' },
  RUNNING: { label: 'Em andamento', tone: 'contact' },
  PAUSED: { label: 'Pausada', tone: 'waiting' },
  COMPLETED: { label: 'Concluída', tone: 'paid' },
  ARCHIVED: { label: 'Arquivada', tone: 'ended' },
};

export const INBOX_REASON: Readonly<Record<InboxReason, string>> = REASON_NAMES;

export const CHANNEL: Readonly<Record<ChannelName, string>> = {
  sandbox: 'Simulador',
  whatsapp: 'WhatsApp',
  twilio: 'SMS (Twilio)',
  zenvia: 'SMS (Zenvia)',
  email: 'E-mail',
};

export const DELIVERY: Readonly<Record<string, string>> = {
  sent: 'enviada',
  delivered: 'entregue',
  read: 'lida',
  failed: 'não entregue',
  unknown: 'entrega incerta',
  booked: 'sendo enviada',
};

/** What a debtor's message means to the agent. */
export const INTENT: Readonly<Record<string, string>> = {
  wants_to_pay: 'quer pagar',
  promise: 'promete pagar',
  already_paid: 'diz que já pagou',
  dispute: 'contesta',
  opt_out: 'pede silêncio',
  hardship: 'passa por dificuldade',
  negotiate: 'quer negociar',
  question: 'pergunta',
  human: 'quer uma pessoa',
  wrong_person: 'não é a pessoa',
  accept_offer: 'aceita uma proposta',
  propose: 'diz como consegue pagar',
  other: 'outro assunto',
};

/** The rules that allow or block a contact, by the name that a verdict gives. */
export const RULE: Readonly<Record<string, string>> = {
  window: 'Horário permitido',
  holidays: 'Feriados',
  caps: 'Limite de contatos',
  scheduling: 'Próximo horário livre',
  due: 'Só depois do vencimento',
  prescription: 'Prazo de cinco anos',
  opt_out: 'Pedido de silêncio',
  dispute: 'Contestação',
  hold: STATUS_NAMES.ON_HOLD,
  wrong_person: 'Pessoa errada',
  promise: 'Promessa de pagamento',
  said_paid: 'Disse que já pagou',
  inbox: 'Mensagem por tratar',
  reply: 'Resposta à mensagem',
  person_answering: 'Resposta de uma pessoa',
  receipt: 'Envio do recibo',
  identity: 'Identificação do credor',
  paused: 'Campanha pausada',
  client_inactive: 'Conta suspensa',
  client_not_verified: 'Empresa à espera da conferência',
  paid: 'Dívida paga',
  stopped: 'Cobrança encerrada',
  exhausted: STATUS_NAMES.EXHAUSTED,
  not_launched: 'Campanha ainda não lançada',
  erased: 'Dados da pessoa apagados',
  channel: 'Nenhum canal alcança a pessoa agora',
  free_text: 'O WhatsApp só aceita texto livre até 24 horas depois da última mensagem da pessoa',
  text_length: 'O texto não cabe em um SMS',
};

/** Why a rule does not allow a contact, in the middle of a sentence. */
const WHY_NOT: Readonly<Record<string, string>> = {
  window: 'fora do horário',
  holidays: 'feriado',
  caps: 'limite de contatos atingido',
  scheduling: 'sem horário livre agora',
  due: 'ainda não venceu',
  prescription: 'vencida há mais de 5 anos',
  opt_out: 'pedido de silêncio',
  dispute: 'a pessoa contesta a dívida',
  hold: 'espera uma decisão sua',
  wrong_person: 'o número é de outra pessoa',
  promise: 'a pessoa prometeu pagar',
  said_paid: 'a pessoa disse que já pagou',
  inbox: 'há mensagem da pessoa por tratar',
  person_answering: 'a sua equipe está na conversa',
  identity: 'faltam dados da sua empresa',
  paused: 'a campanha está pausada',
  client_inactive: 'a conta está suspensa',
  client_not_verified: 'a empresa ainda não foi conferida',
  paid: 'a dívida está paga',
  stopped: 'a cobrança foi encerrada',
  exhausted: 'as tentativas acabaram',
  not_launched: 'a campanha ainda não foi lançada',
  erased: 'os dados da pessoa foram apagados',
  channel: 'nenhum canal alcança a pessoa agora',
  free_text: 'o WhatsApp só aceita texto livre até 24 horas depois da última mensagem da pessoa',
  text_length: 'o texto não cabe em um SMS',
};

export const whyNot = (rule: string): string => WHY_NOT[rule] ?? wordOf(RULE, rule);

/** The same, where it stands alone. */
export const whyNotAlone = (rule: string): string => {
  const why = whyNot(rule);
  return why.charAt(0).toUpperCase() + why.slice(1);
};

/** The word of a table, or the code itself when the service is newer than this page. */
export const wordOf = (table: Readonly<Record<string, string>>, code: string): string => table[code] ?? code;
