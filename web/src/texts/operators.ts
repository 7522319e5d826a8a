import type { ListClientsAsOperatorResult, ReadClientAsOperatorResult } from '../api/client.ts';
import { formatCount } from '../format.ts';
import type { Tone } from './words.ts';
import { CHANNEL } from './words.ts';

type Item = ListClientsAsOperatorResult['items'][number];
type Client = ReadClientAsOperatorResult;
export type Check = NonNullable<Client['verification']>['checked'][number];
type Word = { readonly label: string; readonly tone: Tone };

export const CLIENT_STATUS: Readonly<Record<Item['status'], Word>> = {
  ONBOARDING: { label: 'Em preparação', tone: 'contact' },
  ACTIVE: { label: 'Ativa', tone: 'paid' },
  PAUSED: { label: 'Pausada', tone: 'waiting' },
  CANCELLED: { label: 'Cancelada', tone: 'ended' },
};

export const VERIFIED: Word = { label: 'Verificada', tone: 'paid' };
export const UNVERIFIED: Word = { label: 'A verificar', tone: 'test' };

export const CHECK_NAMES: Readonly<Record<Check, string>> = {
  name: 'Nome',
  cnpj: 'CNPJ',
  address: 'Endereço',
  senders: 'Nomes com que as mensagens chamam a empresa',
  collects_for: 'De quem são as dívidas',
};

export const NEED_NAMES: Readonly<Record<Item['missing'][number], string>> = {
  email_confirmation: 'confirmar o e-mail',
  verification: 'ser verificada',
  cnpj: 'informar o CNPJ',
  address: 'informar o endereço',
  payment_provider: 'conectar a conta que recebe os pagamentos',
  channel: 'conectar um canal de mensagens',
};

export const PROBLEM_NAMES: Readonly<Record<Client['problems'][number]['kind'], Word>> = {
  channel_failing: { label: 'Canal falhando', tone: 'danger' },
  channel_paused: { label: 'Canal parado', tone: 'waiting' },
  account_failing: { label: 'Conta falhando', tone: 'danger' },
  certificate_ending: { label: 'Certificado vencendo', tone: 'test' },
  webhook_disabled: { label: 'Webhook desligado', tone: 'danger' },
  webhook_failing: { label: 'Webhook falhando', tone: 'test' },
};

export const BACKLOG_NAMES: Readonly<Record<Client['backlog'][number]['kind'], string>> = {
  outbox_due: 'Tarefas para o Temporal',
  outbox_parked: 'Tarefas que o Temporal recusou',
  messages: 'Mensagens recebidas',
  payment_notifications: 'Avisos de pagamento',
  webhook_deliveries: 'Entregas a webhooks',
};

export const ACT_NAMES: Readonly<Record<Client['acts'][number]['action'], string>> = {
  operator_invited: 'convidou um operador',
  operator_joined: 'aceitou o convite',
  operator_removed: 'removeu um operador',
  login: 'entrou',
  login_failed: 'entrada recusada',
  login_locked: 'entrada bloqueada',
  logout: 'saiu',
  client_read: 'abriu esta página',
  client_verified: 'verificou a empresa',
  client_paused: 'pausou a empresa',
  client_resumed: 'retomou a empresa',
  client_cancelled: 'cancelou a empresa',
};

const ABOUT: Readonly<Record<string, string>> = { ...CHANNEL, mercadopago: 'Mercado Pago', pix: 'Pix do banco' };
export const aboutName = (about: string | null): string => (about === null ? '–' : (ABOUT[about] ?? about));

export const OPERATORS = {
  title: 'Operação',
  clients: 'Empresas',
  health: 'Saúde',
  notFound: 'O endereço não existe na operação. Use o menu para continuar.',
  refresh: 'Atualizar',
  refreshedAt: (time: string) => `Dados das ${time}, horário de São Paulo.`,
  oldestOf: (ago: string) => `a mais antiga, ${ago}`,
  // The sign-in
  signIn: 'Entrar na operação',
  signInLead: 'Para quem opera esta instalação. As empresas entram pelo console delas.',
  email: 'E-mail',
  wrong:
    'E-mail, senha ou código não conferem. Cada código serve uma única vez: espere o aplicativo mostrar o próximo e tente com ele.',
  ended: 'Sua sessão terminou, por tempo sem uso ou por outra entrada. Entre de novo para continuar de onde parou.',
  unconfirmed:
    'Você saiu deste navegador, mas o Quita não respondeu: a sessão pode continuar aberta por até 30 minutos. Quando o serviço voltar, entre e saia de novo.',
  // The invitation
  invitation: 'Aceitar o convite',
  invitationLead: 'Você vai cuidar desta instalação do Quita. Tenha à mão o celular, com um aplicativo de códigos.',
  token: 'Código do convite',
  tokenHint: 'Vem com o link que você recebeu. Vale por três dias e serve uma única vez.',
  begin: 'Começar',
  invitationEnded: 'Este convite já foi usado ou venceu. Peça outro a quem cuida do servidor.',
  invitedAs: (email: string) => `Convite para ${email}.`,
  appTitle: 'Leia o código com o aplicativo',
  accept: 'Aceitar o convite',
  joined: 'Tudo pronto',
  joinedText:
    'Entre com o seu e-mail, a senha e o próximo código do aplicativo. O código que você acabou de usar não serve de novo.',
  // The list
  clientsLead: 'Quem usa esta instalação. As dívidas, as conversas e as pessoas de cada empresa não aparecem aqui.',
  search: 'Buscar por nome, e-mail, CNPJ ou identificador',
  filter: 'Quais empresas',
  filters: {
    all: 'Todas',
    unverified: 'A verificar',
    onboarding: 'Em preparação',
    active: 'Ativas',
    paused: 'Pausadas',
    cancelled: 'Canceladas',
  },
  company: 'Empresa',
  cnpj: 'CNPJ',
  status: 'Situação',
  verification: 'Verificação',
  problems: 'Falhas',
  since: 'Desde',
  shown: (shown: number, total: number) =>
    shown < total
      ? `As ${formatCount(shown)} mais novas de ${formatCount(total)}. Use a busca para achar as outras.`
      : total === 1
        ? '1 empresa'
        : `${formatCount(total)} empresas`,
  noneTitle: 'Nenhuma empresa ainda',
  noneText: 'Assim que a primeira empresa criar a conta, ela aparece aqui.',
  noneFound: 'Nenhuma empresa para esta busca',
  // One client
  clientTitle: 'Empresa',
  facts: 'Cadastro',
  id: 'Identificador',
  plan: 'Plano',
  trial: 'Teste até',
  missing: 'Para lançar de verdade, falta',
  missingNone: 'Nada: pode lançar de verdade',
  fails: 'O que falha ou vence',
  failsNone: 'Nada falha nesta empresa.',
  problem: 'Falha',
  where: 'Onde',
  when: 'Desde, ou vence em',
  backlog: 'O que espera',
  acts: 'O que operadores fizeram',
  actsNone: 'Nada ainda.',
  at: 'Quando',
  who: 'Quem',
  what: 'O quê',
  command: 'comando no servidor',
  // Acts
  pause: 'Pausar',
  pauseTitle: (name: string) => `Pausar ${name}?`,
  pauseText: 'Ninguém da empresa entra, os programas dela param e nenhuma pessoa é contatada, até a retomada.',
  paused: 'Empresa pausada.',
  resume: 'Retomar',
  resumeTitle: (name: string) => `Retomar ${name}?`,
  resumeText: 'A empresa volta a entrar, e as cobranças continuam de onde pararam.',
  resumed: 'Empresa retomada.',
  cancel: 'Cancelar a empresa',
  cancelTitle: (name: string) => `Cancelar ${name}?`,
  cancelText:
    'Não há volta: ninguém da empresa entra mais e nenhuma pessoa é contatada. Os dados ficam pelo tempo que a lei pede.',
  cancelled: 'Empresa cancelada.',
  stay: 'Voltar',
  // Health
  healthLead: 'O que espera, falha ou vence em todas as empresas.',
  waiting: 'Esperam',
  oldest: 'Mais antiga',
  kind: 'Tipo',
  parked: 'Tarefas que o Temporal recusou',
  parkedText:
    'Nenhuma nova tentativa resolve sozinha: o Temporal recusou o próprio pedido. Corrija a causa no servidor; elas voltam a ser tentadas de hora em hora.',
  parkedNone: 'Nenhuma tarefa recusada.',
  workflow: 'Workflow',
  workflowId: 'Identificador no Temporal',
  created: 'Criada em',
  workflows: 'Workflows que precisam de um operador',
  workflowsText: (count: number) =>
    count === 1
      ? '1 workflow não segue sozinho.'
      : `${formatCount(count)} workflows não seguem sozinhos. A lista mostra até 50.`,
  workflowsNone: 'Nenhum workflow espera um operador.',
  workflowsUnknown: 'O Temporal não respondeu. O resto da página está completo.',
  open: 'Abrir no Temporal',
  openOne: (id: string) => `Abrir no Temporal: ${id}`,
  noUi: 'Para ter os links, informe o endereço da interface do Temporal em TEMPORAL_UI_URL.',
  channels: 'Canais e contas',
  channelsNone: 'Nenhum canal e nenhuma conta falha.',
  certificates: 'Certificados',
  certificatesNone: 'Nenhum certificado vence nos próximos 30 dias.',
  ends: 'Vence em',
  deliveries: 'Entregas a webhooks',
  deliveriesNone: 'Nenhum webhook falha.',
  disk: 'Disco',
  diskFree: 'Livre',
  diskTotal: 'Total',
  diskShare: 'Livre, em parte do total',
  diskNone: 'O processo que respondeu não guarda dados em disco.',
} as const;
