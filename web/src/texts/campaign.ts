import { formatCount } from '../format.ts';

const debts = (count: number): string => `${formatCount(count)} ${count === 1 ? 'dívida' : 'dívidas'}`;

/** Words of the screen of one campaign. */
export const CAMPAIGN = {
  title: 'Campanha',
  back: 'Campanhas',
  launched: (at: string, by: string | undefined) => `Lançada em ${at}${by === undefined ? '' : `, por ${by}`}`,
  debts: 'Dívidas',
  debtsNote: (amount: string) => `${amount} ao todo`,
  recovered: 'Recuperado',
  recoveredNote: (rate: string, payments: number) =>
    `${rate} do valor, em ${formatCount(payments)} ${payments === 1 ? 'pagamento' : 'pagamentos'}`,
  sent: 'Mensagens enviadas',
  sentNote: (received: number) => `${formatCount(received)} ${received === 1 ? 'resposta' : 'respostas'}`,
  remindersNote: (value: number) =>
    `${formatCount(value)} ${value === 1 ? 'lembrete' : 'lembretes'} antes do vencimento`,
  outsideNote: (blocked: number) =>
    blocked === 0 ? 'todas dentro das regras' : `${formatCount(blocked)} esperaram ou não saíram, por causa das regras`,
  costNote: (total: string, perReal: string | null) =>
    perReal === null ? `custaram cerca de ${total}` : `custaram cerca de ${total}, ou ${perReal} por real recuperado`,
  waiting: 'Esperam você',
  waitingLink: 'Abrir o atendimento',
  waitingNone: 'ninguém espera resposta',
  statuses: 'Dívidas por situação',
  statusMethod:
    'Cada dívida conta uma vez, pela situação de agora. Toque numa parte para filtrar a tabela; toque de novo para ver tudo.',
  list: 'Dívidas da campanha',
  pause: 'Pausar',
  paused: 'Campanha pausada. Nenhuma mensagem sai até você retomar.',
  resume: 'Retomar',
  resumed: 'Campanha retomada.',
  importFirst: 'Importar planilha',
  importMore: 'Importar mais',
  addDebt: 'Acrescentar uma dívida',
  addDebtAction: 'Acrescentar',
  debtAdded: 'Dívida acrescentada.',
  debtKnown: 'Esta dívida já está no Quita: procure por ela em Dívidas.',
  debtRefused: 'A dívida não entrou. Confira os campos indicados.',
  amountHint: 'Exemplo: 1.234,56',
  descriptionHint: 'A que se refere a dívida, em palavras que outros podem ler. Nada sobre saúde.',
  rehearse: 'Ver o ensaio e lançar',
  settings: 'Configurar',
  texts: 'Textos das mensagens',
  empty: 'Esvaziar o rascunho',
  emptyText: (count: number) =>
    `Apaga as ${debts(count)} deste rascunho e as notas sobre elas, para importar a planilha de novo. Ficam só as de quem já escreveu, abriu um pagamento ou apertou um botão.`,
  emptied: 'Rascunho esvaziado.',
  emptiedBut: (left: number) =>
    left === 1
      ? 'Rascunho esvaziado. Ficou 1 dívida, porque a pessoa já falou com o Quita.'
      : `Rascunho esvaziado. Ficaram ${formatCount(left)} dívidas, porque as pessoas já falaram com o Quita.`,
  archive: 'Arquivar',
  archiveTitle: 'Arquivar esta campanha',
  archiveText: (open: number) =>
    open === 0
      ? 'A campanha sai da lista de trabalho. Recibos e histórico continuam disponíveis. Isto não pode ser desfeito.'
      : `As ${debts(open)} ainda não pagas serão encerradas: nenhuma mensagem sai mais, e os códigos de pagamento são cancelados. Quem pagar mesmo assim recebe o recibo. Isto não pode ser desfeito.`,
  archiveAgreements: (count: number) =>
    `${count === 1 ? '1 dívida está' : `${formatCount(count)} dívidas estão`} em acordo. Um acordo não se encerra assim: para encerrar a dívida, cancele o acordo antes.`,
  archived: 'Campanha arquivada.',
  nothingTitle: 'Nenhuma dívida nesta campanha',
  nothingText: 'Traga uma planilha Excel ou CSV. Nada é enviado antes do lançamento.',
  nothingEnded: 'Esta campanha terminou sem dívidas.',
  draftNote: 'Rascunho: nada foi enviado. O ensaio mostra quem receberia o quê e quando.',
  test: 'Campanha de teste: pessoas, banco e relógio são simulados. Ninguém recebe mensagem.',
} as const;
