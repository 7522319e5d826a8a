import { formatCount } from '../format.ts';

const invoices = (count: number): string => `${formatCount(count)} ${count === 1 ? 'fatura' : 'faturas'}`;

/** The declaration that a year of bills of a person is paid. */
export const QUITTANCE = {
  open: 'Quitação anual',
  title: 'Declaração de quitação anual',
  lead: 'Quem presta serviços declara, uma vez por ano, que a pessoa quitou todas as faturas vencidas de janeiro a dezembro (Lei 12.007/2009). A declaração substitui os recibos do ano.',
  year: 'Ano dos vencimentos',
  look: 'Ver o ano',
  bills: (count: number, year: number) => `${invoices(count)} de ${year}, ${count === 1 ? 'paga' : 'todas pagas'}:`,
  bill: (invoice: string | null, due: string, paid: string, on: string) =>
    `${invoice ?? 'sem número de fatura'}, vencimento em ${due}: ${paid} em ${on}`,
  ended: 'Encerradas sem pagamento (não entram na declaração):',
  earlier: 'De anos anteriores e ainda em aberto (a declaração as deixa de fora, por escrito):',
  unpaid: (invoice: string | null, due: string, amount: string) =>
    `${invoice ?? 'sem número de fatura'}, vencimento em ${due}: ${amount}`,
  refused: 'Este ano ainda não pode ser quitado:',
  because: {
    year_not_over: 'o ano ainda não terminou.',
    nothing_paid: 'nenhuma fatura paga desta pessoa venceu nesse ano.',
    owed: 'há fatura em aberto:',
    money_back: 'o pagamento de uma fatura voltou a quem pagou:',
    too_many: 'há mais faturas do que cabem em uma declaração.',
  },
  openBill: 'abrir a dívida',
  confirmTitle: 'O que você confirma',
  known:
    'Faturas pagas em dia não passam por aqui. Por isso a empresa confirma, e o nome de quem confirmou fica guardado.',
  confirm: 'Li e confirmo',
  issue: 'Emitir a declaração',
  issued: 'Declaração emitida.',
  exists: (protocol: string, date: string) => `Declaração ${protocol}, emitida em ${date}.`,
} as const;
