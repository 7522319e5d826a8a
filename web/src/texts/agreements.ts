import type { ListOffersResult, OffersPolicy } from '../api/client.ts';
import { formatCount, formatMoney, formatPlainDate } from '../format.ts';
import { STOPPED_BECAUSE, times } from './agreement-words.ts';

type Reason = NonNullable<ListOffersResult['reason']>;

const NO_OFFERS: Readonly<Record<Reason, string>> = {
  no_policy: 'A sua empresa ainda não disse o que oferece, e por isso o Quita não oferece nada.',
  disputed: 'A pessoa contesta a dívida: nada é oferecido até você resolver a contestação.',
  prescribed: 'A dívida venceu há mais de cinco anos: nada é oferecido.',
  hardship: 'A pessoa contou que passa por dificuldade: nada é oferecido até você decidir no Atendimento.',
  opted_out: 'A pessoa pediu silêncio: nada é oferecido.',
  needs_person:
    'Aqui quem decide é uma pessoa da sua equipe: o Quita não oferece nada sozinho. Pode ser pelo total, que passa do limite da política, ou por uma notícia que você precisa conferir.',
  state: 'Na situação em que a dívida está, nada é oferecido. Antes do vencimento também não.',
};

/** What of an offer the policy does not allow, by the pointer and the code of the problem. */
function limitPassed(
  { pointer, code }: { readonly pointer?: string; readonly code: string },
  policy: OffersPolicy | null | undefined,
): string {
  const allowed = (text: (policy: OffersPolicy) => string): string => (policy == null ? '' : ` ${text(policy)}`);
  if (code === 'smallest_instalment') {
    return `Parcela pequena demais.${allowed(({ minInstalment }) => `A menor da política é de ${formatMoney(minInstalment)}.`)}`;
  }
  switch (pointer) {
    case '/discountPercent':
      return 'Desconto maior que o da política para o atraso desta dívida.';
    case '/instalments':
      return `Parcelas demais.${allowed(({ maxInstalments }) => `A política permite até ${maxInstalments}.`)}`;
    case '/entryPercent':
      return `Entrada pequena demais.${allowed(({ minEntryPercent }) => `A menor da política é de ${percent(minEntryPercent)}.`)}`;
    case '/firstDueDate':
      return `Primeiro pagamento tarde demais.${allowed(({ maxDaysToFirst }) => `A política dá ${days(maxDaysToFirst)}.`)}`;
    default:
      return 'Um limite da política.';
  }
}

/** `1.5` as `1,5 %`. */
const percent = (value: number): string => `${String(value).replace('.', ',')} %`;
const days = (count: number): string => (count === 1 ? '1 dia' : `${formatCount(count)} dias`);

/** Words of offers and agreements about the debts of one person. */
export const AGREEMENTS = {
  section: 'Acordo',
  offers: 'Ofertas que a pessoa pode aceitar',
  noOffers: (reason: Reason) => NO_OFFERS[reason],
  setPolicy: 'Definir o que a empresa oferece',
  offer: (number: number) => `Oferta ${number}`,
  about: (debts: number) => `Reúne ${formatCount(debts)} dívidas da pessoa`,
  discount: (amount: number) => (amount > 0 ? `Desconto de ${formatMoney(amount)}` : 'Sem desconto'),
  validUntil: (day: string) => `Aceitar até ${formatPlainDate(day)}`,
  accept: 'Registrar aceite',
  acceptOf: (number: number) => ` da oferta ${number}`,
  acceptTitle: (number: number) => `Registrar aceite da oferta ${number}`,
  acceptText: 'Registre só o que a pessoa aceitou mesmo, por exemplo por telefone. Leia antes este texto para ela:',
  acceptAfter:
    'Depois do registro valem estas parcelas e datas, e o Quita avisa a pessoa antes de cada uma. Só a sua equipe pode cancelar o acordo.',
  acceptNote: 'Como a pessoa aceitou',
  acceptNoteHint: 'Fica no histórico. A pessoa nunca vê.',
  accepted: (protocol: string) => `Acordo ${protocol} registrado.`,

  make: 'Fazer oferta',
  makeText: 'A oferta fica ao lado das outras. A pessoa sabe dela quando vocês conversarem, ou quando pedir as opções.',
  ofPolicy: (text: string) => `Pela política: ${text}.`,
  discountPercent: 'Desconto (%)',
  discountHint: (on: OffersPolicy['discountOn'] | undefined) =>
    on === 'charges' ? 'Só sobre multa, juros e correção.' : 'Sobre tudo o que a pessoa deve hoje.',
  instalments: 'Parcelas',
  instalmentsHint: (most: number | undefined) =>
    most === undefined ? 'A entrada conta como uma.' : `A entrada conta como uma. Pela política, até ${most}.`,
  entryPercent: 'Entrada (%)',
  entryHint: (least: number | undefined) =>
    least === undefined || least === 0
      ? '0 para parcelas iguais.'
      : `0 para parcelas iguais. Pela política, ao menos ${percent(least)}.`,
  firstDueDate: 'Primeiro pagamento em',
  firstHint: 'Em um dia sem expediente, passa para o próximo dia útil.',
  outside: 'Esta oferta passa da sua política',
  limitPassed,
  confirm: 'Respondo pela conta e quero fazer esta oferta assim mesmo',
  makeAnyway: 'Fazer assim mesmo',
  made: (number: number, total: number, instalments: number) =>
    `Oferta ${number} feita: ${formatMoney(total)} ${times(instalments)}.`,

  total: 'Total do acordo',
  discountName: 'Desconto',
  paid: 'Pago',
  open: 'Em aberto',
  acceptedAt: 'Aceito em',
  recordedBy: (name: string) => `aceite registrado por ${name}`,
  cancelledBy: 'Cancelado por',
  madeBy: (name: string) => `feita por ${name}`,
  document: 'Termo de Acordo (PDF)',
  protocol: 'Termo',
  plan: 'Parcelas',
  instalment: (number: number, of: number) => (of === 1 ? 'Pagamento único' : `${number}ª parcela`),
  dueOn: (day: string) => `até ${formatPlainDate(day)}`,
  paidOn: (day: string) => `Paga em ${day}`,
  stopped: (because: string) =>
    `Este acordo espera você: ${STOPPED_BECAUSE[because] ?? because}. Até você retomar a dívida no Atendimento, nenhum aviso sai e o acordo não é quebrado.`,
  toInbox: 'Abrir no Atendimento',
  past: 'Acordos anteriores',
  openAgreement: 'Ver o acordo',
  cancel: 'Cancelar acordo',
  cancelText:
    'O desconto e as datas do acordo deixam de valer, e os códigos Pix das parcelas são cancelados. O que a pessoa já pagou é abatido do valor original, na data em que foi pago. A cobrança das dívidas continua.',
  cancelTell: 'A pessoa não é avisada: conte a ela.',
  cancelReason: 'Motivo, para a sua equipe',
  cancelReasonHint: 'A pessoa nunca vê.',
  keep: 'Manter o acordo',
  cancelled: 'Acordo cancelado.',

  title: 'Acordos',
  one: 'Acordo',
  lead: 'O que as pessoas aceitaram pagar, do mais novo ao mais antigo.',
  caption: 'Acordos, do mais novo ao mais antigo',
  status: 'Situação',
  all: 'Todas',
  campaign: 'Campanha',
  allCampaigns: 'Todas as campanhas',
  person: 'Pessoa',
  erased: 'Dados apagados',
  next: 'Próxima parcela',
  nextNone: '–',
  debts: 'Dívidas',
  debt: (number: number, of: number) => (of === 1 ? 'Ver a dívida' : `Dívida ${number}`),
  debtOf: (name: string) => ` de ${name}`,
  older: 'Mostrar mais antigos',
  back: 'Ver todos os acordos',
  none: 'Nenhum acordo com estes filtros',
  emptyTitle: 'Nenhum acordo ainda',
  emptyText: 'Um acordo nasce quando a pessoa aceita uma das ofertas que a sua empresa faz.',
  emptyAction: 'Ver o que a empresa oferece',
} as const;
