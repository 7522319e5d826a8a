import type { Channel, ChannelDetails, ChannelTemplate, ConnectChannelBody } from '../api/client.ts';
import { formatDate } from '../format.ts';

type Name = Channel['channel'];
/** One field of the form of a channel, by the name that the body has for it. */
interface FieldText {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly secret?: true;
  readonly optional?: true;
}

const FIELDS: Readonly<Record<ConnectChannelBody['channel'], readonly FieldText[]>> = {
  whatsapp: [
    {
      name: 'phoneNumberId',
      label: 'ID do número',
      hint: 'No painel da Meta, em WhatsApp > Configuração da API. São só dígitos, e não é o telefone.',
    },
    {
      name: 'businessAccountId',
      label: 'ID da conta do WhatsApp Business',
      hint: 'Fica logo abaixo do ID do número, na mesma página.',
    },
    {
      name: 'accessToken',
      label: 'Token do usuário do sistema',
      hint: 'Em Configurações do negócio > Usuários do sistema, gere um token sem validade com as permissões de WhatsApp.',
      secret: true,
    },
    {
      name: 'appSecret',
      label: 'Chave secreta do aplicativo',
      hint: 'Em Configurações do app > Básico.',
      secret: true,
    },
  ],
  twilio: [
    { name: 'accountSid', label: 'Account SID', hint: 'Na página inicial do console da Twilio. Começa com AC.' },
    { name: 'authToken', label: 'Auth token', hint: 'Ao lado do Account SID, na mesma página.', secret: true },
    {
      name: 'from',
      label: 'Número que envia',
      hint: 'Em Phone Numbers > Active numbers, com + e o código do país, ou um número curto.',
    },
  ],
  zenvia: [
    {
      name: 'token',
      label: 'Token',
      hint: 'No painel da Zenvia, em Desenvolvedores > Tokens e webhooks.',
      secret: true,
    },
    { name: 'from', label: 'Remetente', hint: 'O nome do remetente da sua conta de SMS, sem espaços.' },
    {
      name: 'webhookSecret',
      label: 'Segredo das notificações',
      hint: 'Pode ficar em branco: criamos um para você.',
      secret: true,
      optional: true,
    },
  ],
  email: [],
};

const KIND: Readonly<Record<string, string>> = {
  retryable: 'O canal pediu para esperar um pouco. Tente de novo mais tarde.',
  undeliverable: 'O canal não alcança este destinatário.',
  opted_out: 'Esta pessoa pediu ao canal para não receber mensagens.',
  rejected: 'O canal não aceitou o texto. Confira se os modelos foram aprovados.',
  suspended: 'O canal não deixa este remetente enviar agora. Veja a conta no canal.',
  unauthorized: 'O canal recusou as credenciais. Conecte o remetente de novo.',
  unknown_outcome: 'A resposta se perdeu e a mensagem pode ter saído. Olhe o aparelho antes de tentar de novo.',
};

export const CHANNELS = {
  title: 'Canais de mensagem',
  lead: 'É por aqui que as mensagens saem. Cada canal usa a conta da sua empresa.',
  state: 'Situação',
  sender: 'Remetente',
  problem: 'O que o canal disse',
  quality: 'Qualidade',
  qualities: { good: 'Boa', low: 'Baixa: há reclamações', blocked: 'Bloqueada pelo canal' } satisfies Record<
    NonNullable<ChannelDetails['quality']>,
    string
  >,
  limit: 'Pessoas em 24 horas',
  checked: 'Conferido em',
  pixCodes: 'Código Pix na mensagem',
  pixStates: { on: 'Ligado', off: 'Desligado', refused: 'Recusado pelo canal' } satisfies Record<
    NonNullable<ChannelDetails['pixCodes']>,
    string
  >,
  pixHelp:
    'Quem pede para pagar pode copiar o código Pix na própria mensagem, sem abrir a página. Antes de ligar, peça à Meta para habilitar os pagamentos da sua conta. O link continua em todas as mensagens.',
  pixRefused: (code: string) =>
    `A Meta recusou o código na mensagem (${code}). A mensagem saiu com o link, e as próximas também saem assim. Quando os pagamentos da sua conta estiverem habilitados, é só ligar de novo.`,
  pixTurnOn: 'Ligar código Pix na mensagem',
  pixTurnOff: 'Desligar código Pix na mensagem',
  pixTurnedOn: 'Código Pix ligado. As próximas respostas já podem levar o código.',
  pixTurnedOff: 'Código Pix desligado. As mensagens levam só o link.',
  byOperator: 'O remetente deste canal vem da configuração desta instalação. Não há o que conectar aqui.',
  notUsed: 'Esta instalação não usa este canal. Fale com quem a opera.',
  connect: (channel: string) => `Conectar ${channel}`,
  reconnect: (channel: string) => `Conectar ${channel} de novo`,
  test: (channel: string) => `Testar ${channel}`,
  disconnect: (channel: string) => `Desconectar ${channel}`,
  disconnectText: 'Nada mais sai por este canal. O que as pessoas responderem ainda chega.',
  connected: 'Canal conectado.',
  disconnected: 'Canal desconectado.',
  fieldsOf: (channel: Name): readonly FieldText[] => FIELDS[channel],
  emailHelp: 'Os e-mails saem pelo servidor desta instalação. Não é preciso informar nada.',
  secrets: 'As credenciais são guardadas cifradas e não aparecem mais em lugar nenhum.',
  testText: 'Mandamos uma mensagem curta que não cobra nada. Dá para testar até 5 vezes por hora.',
  toPhone: 'Celular com DDD',
  toEmail: 'E-mail',
  send: 'Enviar teste',
  accepted: 'O canal aceitou a mensagem. Confira se ela chegou.',
  refusedBecause: (kind: string | undefined): string => KIND[kind ?? ''] ?? 'O canal não aceitou a mensagem.',
  templates: 'Modelos de mensagem',
  templatesLead: 'O WhatsApp aprova cada texto antes do envio. A aprovação costuma levar de minutos a um dia.',
  template: 'Modelo',
  templateState: 'Situação',
  templateReason: 'Motivo',
  templateStates: {
    approved: 'Aprovado',
    pending: 'Em análise',
    rejected: 'Recusado',
    paused: 'Em pausa',
    missing: 'Não enviado',
    marketing: 'Virou marketing',
  } satisfies Record<ChannelTemplate['state'], string>,
  reasonOf: ({ state, reason, marketingFrom }: ChannelTemplate): string =>
    marketingFrom === null
      ? (reason ?? '–')
      : state === 'marketing'
        ? `Desde ${formatDate(marketingFrom)}`
        : `A Meta avisou que vira marketing em ${formatDate(marketingFrom)}`,
  moved:
    'A Meta passou a tratar modelos como marketing, que custa cerca de nove vezes mais e não chega a todo mundo. O Quita não envia por eles: o que precisa deles segue por outro canal conectado, ou espera.',
  movedBack:
    'Para voltar: no Gerenciador do WhatsApp, em Modelos de mensagem, peça a análise da categoria. Depois que a Meta aceitar, clique em “Enviar modelos”.',
  push: 'Enviar modelos',
  pushed: 'Modelos enviados.',
} as const;
