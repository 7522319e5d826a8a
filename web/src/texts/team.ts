import type { Role } from '../session/session.ts';

/** What each role may do, in one sentence. */
const ROLE_TEXT: Readonly<Record<Role, string>> = {
  owner: 'Faz tudo: equipe, chave de API, contas de pagamento e dados da empresa também.',
  manager: 'Conduz as campanhas: importa, lança, pausa e exporta, e cuida de textos, encargos, ofertas e devoluções.',
  agent: 'Atende as pessoas: responde, decide no Atendimento, registra pagamentos e faz ofertas dentro da política.',
  viewer: 'Vê tudo o que a equipe vê, sem mudar nada.',
  auditor: 'Vê números, datas e o registro, com os nomes e os dados das pessoas encobertos.',
};

export const TEAM = {
  title: 'Equipe',
  lead: 'Cada pessoa entra com o seu e-mail e a sua senha, e faz o que o papel dela permite.',
  roleText: (role: Role) => ROLE_TEXT[role],
  name: 'Nome',
  email: 'E-mail',
  emailHint: 'O e-mail de trabalho, não um endereço gratuito.',
  role: 'Papel',
  state: 'Situação',
  active: 'Ativo',
  invitedUntil: (date: string) => `Convidado até ${date}`,
  invitationEnded: (date: string) => `O convite venceu em ${date}`,
  lastSeen: 'Último acesso',
  never: 'ainda não',
  you: 'você',
  actions: 'Ações',
  actionsOf: (name: string) => `Ações: ${name}`,
  // Invitations
  invite: 'Convidar pessoa',
  inviteText: 'A pessoa recebe um e-mail com um link. Ele serve uma única vez, por 7 dias.',
  invited: (email: string) => `Convite a caminho de ${email}.`,
  emailTaken: 'Quem tem este e-mail já faz parte de uma equipe, ou já tem um convite seu em aberto.',
  again: 'Enviar de novo',
  sentAgain: 'Outro convite está a caminho. O anterior deixou de valer.',
  takeBack: 'Cancelar o convite',
  takeBackText: (email: string) => `O link enviado a ${email} deixa de valer na hora.`,
  takenBack: 'Convite cancelado.',
  // Changes
  changeRole: 'Mudar o papel',
  changeRoleOf: (name: string) => `O papel de ${name}`,
  changeRoleText: 'O novo papel vale já na próxima ação da pessoa.',
  changed: 'Papel mudado.',
  remove: 'Remover da equipe',
  removeTitle: (name: string) => `Remover ${name}?`,
  removeText: 'As sessões da pessoa terminam na hora, e ela não entra mais.',
  removeKept: 'O que ela fez continua com o nome dela. Se ela conhece a chave de API, crie outra em Integrações.',
  removed: 'Pessoa removida. As sessões dela terminaram.',
  keep: 'Manter',
  own: 'O seu papel',
  leave: 'Sair da equipe',
  leaveText: 'As suas sessões terminam na hora, e você não entra mais. Para voltar, é preciso um novo convite.',
} as const;
