import { formatCount } from '../format.ts';

export const CAMPAIGNS = {
  title: 'Campanhas',
  create: 'Criar campanha',
  emptyTitle: 'Nenhuma campanha ainda',
  emptyText:
    'Uma campanha reúne as dívidas de uma planilha. Você vê antes do lançamento o que será enviado, a quem e quando.',
  example: 'Ver um exemplo com quinze devedores simulados',
  exampleMade: 'Campanha de exemplo criada.',
  caption: 'Campanhas, a mais recente primeiro',
  which: 'Quais campanhas',
  inUse: 'Em uso',
  archived: 'Arquivadas',
  noneInUse: 'Todas as campanhas mostradas estão arquivadas.',
  noneArchived: 'Nenhuma campanha arquivada.',
  name: 'Nome',
  nameHint: 'Só a sua equipe vê este nome. Exemplo: Mensalidades de outubro.',
  status: 'Situação',
  debts: 'Dívidas',
  open: 'Valor',
  recovered: 'Recuperado',
  rate: 'Taxa',
  waiting: 'Esperam você',
  created: 'Criada em',
  progress: (paid: number, total: number) => `${formatCount(paid)} de ${formatCount(total)} pagas`,
  more: 'Ver campanhas mais antigas',
  made: 'Campanha criada.',
} as const;
