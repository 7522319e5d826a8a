import type { Account, CampaignRehearsal } from '../api/client.ts';
import { formatCount, formatMoney } from '../format.ts';

type Rule = CampaignRehearsal['never'][number]['rule'];
type Warning = CampaignRehearsal['warnings'][number]['code'];
type Need = Account['missing'][number] | 'own_verification';

const count = (value: number, one: string, many: string): string => `${formatCount(value)} ${value === 1 ? one : many}`;
const debts = (value: number): string => count(value, 'dívida', 'dívidas');

/** Why nobody is contacted for these debts, as a sentence. */
export const NEVER: Readonly<Record<Rule, string>> = {
  window: 'Nenhum horário permitido nestes dias.',
  holidays: 'Feriados ocupam todos os horários permitidos.',
  caps: 'A pessoa já recebeu o máximo de contatos permitido.',
  scheduling: 'Não há horário livre nestes dias.',
  due: 'Ainda não venceram.',
  prescription: 'Venceram há mais de cinco anos: dívida prescrita não é cobrada.',
  opt_out: 'A pessoa pediu silêncio.',
  dispute: 'A pessoa contestou a dívida.',
  hold: 'Esperam uma decisão sua no Atendimento.',
  wrong_person: 'O telefone é de outra pessoa.',
  promise: 'A pessoa prometeu pagar e o prazo ainda corre.',
  said_paid: 'A pessoa disse que já pagou.',
  inbox: 'Há uma mensagem da pessoa por tratar.',
  person_answering: 'Alguém da equipe está respondendo à pessoa.',
  paused: 'A campanha está pausada.',
  client_inactive: 'A conta da empresa está suspensa.',
  client_not_verified: 'Os dados da empresa mudaram e precisam ser conferidos de novo.',
  paid: 'Já estão pagas.',
  stopped: 'A cobrança foi encerrada.',
  exhausted: 'Todas as tentativas já foram feitas.',
};

interface WarningText {
  readonly title: (debts: number) => string;
  readonly action: string;
  readonly link?: { readonly to: string; readonly label: string };
}

const ACCOUNT = { to: '/conta', label: 'Abrir Conta' };

export const WARNING: Readonly<Record<Warning, WarningText>> = {
  several_debts_of_one_person: {
    title: (value) => `${debts(value)} são de pessoas que têm mais de uma.`,
    action: 'Cada pessoa recebe uma só mensagem, que fala de todas as dívidas dela. Não há nada a fazer.',
  },
  prescribed: {
    title: (value) => `${debts(value)} ${value === 1 ? 'venceu' : 'venceram'} há mais de cinco anos.`,
    action: 'Dívida prescrita não é cobrada: ninguém recebe mensagem por ela. Não há nada a fazer.',
  },
  no_address: {
    title: (value) => `${debts(value)} sem telefone ou e-mail que sirva para os canais desta campanha.`,
    action: 'Complete os telefones ou e-mails na planilha e importe de novo, ou siga sem estas pessoas.',
  },
  templates_missing: {
    title: () => 'Faltam modelos de mensagem aprovados no WhatsApp.',
    action: 'Sem eles o lançamento é recusado. Confira os modelos do canal.',
    link: ACCOUNT,
  },
  channel_not_ready: {
    title: () => 'Um canal de mensagens ainda não está pronto.',
    action: 'Sem ele o lançamento é recusado. Confira o estado dos canais.',
    link: ACCOUNT,
  },
  creditor_incomplete: {
    title: () => 'Faltam dados da empresa.',
    action: 'CNPJ, endereço, conta de recebimento e canal são obrigatórios para cobrar de verdade.',
    link: ACCOUNT,
  },
  client_not_verified: {
    title: () => 'A empresa ainda não foi verificada.',
    action: 'Ela precisa ser verificada antes do primeiro lançamento. A tela da conta diz como.',
    link: ACCOUNT,
  },
  email_not_confirmed: {
    title: () => 'O e-mail da conta ainda não foi confirmado.',
    action: 'Abra o link que enviamos, ou peça outro.',
    link: ACCOUNT,
  },
};

export const NEED: Readonly<Record<Need, string>> = {
  email_confirmation: 'Confirmação do e-mail da conta',
  verification: 'Verificação da empresa por quem opera este Quita',
  own_verification: 'Confirmação da empresa por quem tem o papel Responsável',
  cnpj: 'CNPJ da empresa',
  address: 'Endereço da empresa',
  payment_provider: 'Conexão com uma conta que receba os pagamentos',
  channel: 'Conexão com um canal de mensagens',
};

/** What a channel lacks, by the first word of what the server says. */
export const CHANNEL_LACK: Readonly<Record<string, string>> = {
  not_connected: 'não está conectado',
  failing: 'está com falha',
  too_long: 'não cabe numa mensagem curta: nome e endereço da empresa são longos demais',
  missing: 'modelo de mensagem não cadastrado',
  pending: 'modelo de mensagem em análise',
  rejected: 'modelo de mensagem recusado',
  paused: 'modelo de mensagem pausado',
};

const TIMES = ['nenhuma vez', 'uma vez', 'duas vezes', 'três vezes'];

export const REHEARSAL = {
  title: 'Ensaio',
  lead: (name: string, days: number) =>
    `${name}: os primeiros ${formatCount(days)} dias como seriam se você lançasse agora e ninguém respondesse. Nada foi enviado.`,
  running: 'Ensaiando os próximos dias…',
  runningHint: 'Com milhares de dívidas leva alguns segundos. Nada é enviado.',
  notYet: 'O ensaio ainda não terminou',
  again: 'Ensaiar de novo',
  import: 'Importar mais',
  emptyTitle: 'Ainda não há o que ensaiar',
  emptyText: 'Importe uma planilha com as dívidas desta campanha. Depois o ensaio mostra quem será contatado e quando.',
  emptyAction: 'Importar planilha',
  launchedTitle: 'Esta campanha já foi lançada',
  launchedText: 'O ensaio serve para olhar antes do lançamento. Agora acompanhe a campanha de verdade.',
  launchedAction: 'Ver a campanha',

  firstContact: 'Primeiro contato',
  nobody: 'Ninguém',
  nobodyNote: 'nenhum contato nestes dias',
  firstNote: 'horário de São Paulo',
  contacted: 'Pessoas contatadas',
  contactedNote: (value: number, messages: number) => `${debts(value)}, ${count(messages, 'mensagem', 'mensagens')}`,
  debts,
  total: 'Na campanha',
  owedNote: (total: number) => `com os encargos até hoje, ${formatMoney(total)}`,
  totalNote: (amount: number) => `somam ${formatMoney(amount)}`,
  offered: 'Podem receber ofertas',
  offeredNote: (owed: number, best: number) =>
    `devem ${formatMoney(owed)}; com o maior desconto da sua política, pagariam ${formatMoney(best)}`,
  offeredNone: 'a sua política de ofertas não alcança nenhuma destas dívidas',
  cost: 'Custo das mensagens',
  costUnknown: 'Não se sabe',
  costUnknownNote: 'o preço de um canal não é conhecido',
  costNote: 'estimativa para estes dias',
  costOnWhatsapp: (total: number) => `é um teste; pelo WhatsApp seriam cerca de ${formatMoney(total)} nestes dias`,

  warnings: 'Antes de lançar',
  when: 'Quando as pessoas são contatadas',
  whenMethod:
    'Cada mensagem na hora do lugar da pessoa, pelo DDD do telefone. Contamos como se ninguém respondesse nem pagasse; quem responde ou paga recebe menos.',
  heatEmpty: 'Ninguém é contatado nestes dias.',
  often: 'Quantas vezes cada pessoa é contatada',
  oftenCaption: 'Pessoas por número de contatos nestes dias',
  oftenTimes: 'Contatos',
  oftenPeople: 'Pessoas',
  times: (value: number) => TIMES[value] ?? `${value} vezes`,
  moved: (value: number) =>
    value === 1
      ? '1 mensagem foi adiada para respeitar o limite de contatos por pessoa.'
      : `${formatCount(value)} mensagens foram adiadas para respeitar o limite de contatos por pessoa.`,
  never: 'Quem não é contatado',
  neverCaption: 'Dívidas sem contato, pelo motivo',
  neverRule: 'Regra',
  neverWhy: 'Por quê',
  neverDebts: 'Dívidas',
  later: 'Depois destes dias',
  laterWhy: 'O primeiro contato vem depois, por exemplo porque ainda não venceram.',
  everybody: 'Todas as dívidas desta campanha têm ao menos um contato nestes dias.',
  reminders: (value: number) =>
    value === 1
      ? '1 destas mensagens é um lembrete antes do vencimento.'
      : `${formatCount(value)} destas mensagens são lembretes antes do vencimento.`,
  examples: 'Como são as primeiras mensagens',
  exampleOf: (channel: string, at: number) => `Exemplo ${at} · ${channel}`,
  reminderOf: (channel: string, at: number) => `Lembrete ${at} · ${channel}`,
  exampleHint: 'Textos reais desta campanha. Os links dos exemplos não abrem nada.',
  costHeading: 'Quanto custam as mensagens',
  costCaption: 'Custo estimado por canal',
  channel: 'Canal',
  messages: 'Mensagens',
  unit: 'Cada uma',
  sum: 'Total',
  noPrice: 'preço desconhecido',
  unknownPrice: 'O preço depende do seu contrato com o canal; o Quita não o conhece.',
  costMethod: (version: string) =>
    `Estimativa pela lista de preços de ${version}. A fatura do provedor pode ser diferente.`,
  oldList: 'Esta lista tem mais de seis meses: confira com o provedor se os preços ainda são estes.',
  answers: (free: number, unit: string) =>
    `No WhatsApp, as respostas dentro da conversa também contam: as primeiras ${formatCount(free)} de cada mês são gratuitas por número, e cada uma das outras custa ${unit}.`,
  answersEstimate: (value: number, free: number, total: string) =>
    `Pelo que os seus devedores responderam nos últimos 90 dias, seriam cerca de ${formatCount(value)} respostas, ${formatCount(free)} delas gratuitas: mais ${total}.`,
  answersUnknown: 'Quantas serão só se sabe depois das primeiras conversas.',
  rules: 'Regras aplicadas',
  pack: (version: string) => `Regras do Brasil, versão de ${version}.`,
  rulesLink: 'Ver as regras',
  packNote: 'O ensaio usa as mesmas regras que decidem cada contato depois do lançamento.',

  back: 'Voltar à campanha',
  launch: 'Lançar campanha',
  launchTest: 'Lançar como teste',
  launchTitle: (name: string) => `Lançar ${name}?`,
  launchTestTitle: (name: string) => `Lançar ${name} como teste?`,
  factPeople: 'Pessoas',
  factDebts: 'Dívidas',
  factAmount: 'Valor',
  factFirst: 'Primeiro contato',
  realNote:
    'As pessoas reais desta campanha passam a receber mensagens. O lançamento não pode ser desfeito; pausar é possível.',
  testNote: 'É um teste: tudo acontece no simulador e ninguém recebe mensagem.',
  testForever: 'As dívidas desta campanha ficam só no simulador e não poderão ser cobradas de verdade depois.',
  needs: 'Falta para lançar de verdade',
  needsAction: 'Resolver em Conta',
  needsTest: 'Enquanto isso você pode lançar como teste: tudo acontece no simulador.',
  launched: (value: number) => `Campanha lançada: ${debts(value)} na fila.`,
} as const;
