import { formatCount } from '../format.ts';

const debts = (count: number): string => `${formatCount(count)} ${count === 1 ? 'dívida' : 'dívidas'}`;

export const HOME = {
  title: 'Início',
  world: 'O que mostrar',
  real: 'Real',
  test: 'Teste',
  zone: 'Datas e horas de São Paulo.',
  recovered: 'Recuperado',
  ofTotal: (rate: string, total: string) => `${rate} de ${total} importados`,
  waiting: 'Esperam você',
  waitingNone: 'ninguém espera resposta',
  waitingLink: 'Abrir o atendimento',
  promises: 'Promessas',
  promisesNote: (kept: number, broken: number) =>
    `${formatCount(kept)} cumpridas, ${formatCount(broken)} não cumpridas`,
  promisesValue: (open: number) => `${formatCount(open)} em aberto`,
  live: 'Ao vivo',
  liveEmpty: 'As novidades aparecem aqui sozinhas.',
  daily: 'Recuperado por dia',
  dailyMethod:
    'Soma dos pagamentos confirmados em cada dia de São Paulo, menos o que foi devolvido. A linha soma os dias do período.',
  statuses: 'Dívidas por situação',
  statusMethod: 'Cada dívida conta uma vez, pela situação de agora. Toque numa parte para ver as dívidas.',
  open: 'Em aberto',
  openNote: (count: number) => `em ${debts(count)}`,
  outsideSequence: (count: number, amount: string) => `${formatCount(count)} fora da sequência (${amount})`,
  aging: 'Em cobrança por tempo de atraso',
  agingMethod:
    'Valor original das dívidas vencidas que ainda estão em cobrança, pelo número de dias desde o vencimento. As que estão em aberto fora da sequência (tentativas esgotadas, sem contato possível, pedido de silêncio) não entram aqui.',
  band: (from: number, to: number | null) => {
    if (to === null) return from > 365 ? 'Mais de 1 ano' : `Mais de ${from} dias`;
    if (to < 0) return 'A vencer';
    return `${from} a ${to} dias`;
  },
  notDue: 'Ainda não venceram',
  firstTitle: 'Bem-vindo ao Quita',
  firstLead:
    'Em um minuto você vê o caminho inteiro: da planilha ao recibo. Tudo no simulador; nenhuma pessoa recebe mensagem.',
  steps: {
    company: 'Dados da empresa',
    companyText: 'CNPJ e endereço aparecem nas mensagens e no recibo. Para testar, podem ficar para depois.',
    companyAction: 'Completar os dados',
    companyDone: 'Completos',
    debts: 'Traga as dívidas',
    debtsText: 'Uma planilha Excel ou CSV, como ela está. Sem planilha à mão, use quinze devedores de exemplo.',
    sheet: 'Importar uma planilha',
    example: 'Usar o exemplo',
    rehearsal: 'Veja antes de lançar',
    rehearsalText: 'O ensaio mostra quem receberia o quê e quando, sem enviar nada.',
    simulator: 'Faça o papel de quem deve',
    simulatorText: 'No simulador você responde, promete, contesta e paga, e vê o que acontece.',
  },
  /** How the service names the campaigns of its example. */
  exampleName: 'Exemplo',
  nextTitle: 'Agora a sua planilha',
  nextText: 'O exemplo mostrou o caminho. Traga as suas dívidas: nada sai antes de você ver o ensaio e lançar.',
  done: 'feito',
  ticker: {
    paid: (name: string, amount: string) => `${name} pagou ${amount}`,
    disputed: (name: string) => `${name} contestou a dívida`,
    optedOut: (name: string) => `${name} pediu silêncio`,
    promised: (name: string) => `${name} prometeu pagar`,
    held: (name: string) => `${name} espera você`,
    wrote: (name: string) => `${name} escreveu`,
    duplicate: (name: string) => `${name} pagou duas vezes`,
    refunded: (name: string) => `Um pagamento de ${name} foi devolvido`,
    receipt: (name: string) => `Recibo de ${name} emitido`,
    exhausted: (name: string) => `${name} não respondeu a nenhum contato`,
    contacted: (count: number) => (count === 1 ? '1 mensagem enviada' : `${formatCount(count)} mensagens enviadas`),
    imported: (count: number) => (count === 1 ? '1 dívida importada' : `${debts(count)} importadas`),
    campaign: (name: string, status: string) => `Campanha ${name}: ${status.toLowerCase()}`,
    somebody: 'Uma pessoa',
  },
} as const;
