import type { OrphanPayment, OrphanPaymentDetails } from '../api/client.ts';
import { formatCount, formatMoney } from '../format.ts';

const payments = (count: number): string => (count === 1 ? '1 pagamento' : `${formatCount(count)} pagamentos`);

/** Why a row is not settled, in the words of who reads it. */
const CODES: Readonly<Record<string, string>> = {
  debt_not_found: 'Nenhuma dívida tem esta fatura ou este CPF.',
  no_open_debt: 'Esta pessoa não deve mais nada.',
  amount_differs: 'O valor não é o que a pessoa deve.',
  amount_alone: 'Só o valor combina com uma dívida, e isso é pouco para ter certeza.',
  several_debts: 'Mais de uma dívida combina.',
  tax_id_differs: 'A fatura é de uma pessoa, e o CPF é de outra.',
  date_differs: 'O pagamento é muito anterior ao vencimento.',
  same_day: 'Já há um pagamento do mesmo valor nesse dia.',
  invoice_differs: 'A pessoa e o valor combinam, mas a fatura é outra.',
  repeated: 'Já veio antes, neste arquivo ou em outro.',
  recorded: 'Este pagamento já está registrado.',
  own_charge: 'É de um código do Quita: quem confirma é o banco, em instantes.',
  required: 'Falta a data, o valor, ou a fatura ou o CPF.',
  invoice_invalid: 'O número da fatura não pôde ser lido.',
  cpf_invalid: 'O CPF ou CNPJ não confere.',
  date_invalid: 'A data não existe, ainda não chegou ou é antiga demais.',
  amount_invalid: 'O valor não pôde ser lido.',
};

const DOUBT_WITHOUT_NAME = 'Ninguém disse de qual cobrança é.';

export const RECEIVED = {
  title: 'Pagamentos recebidos',
  lead: 'O que as pessoas pagaram fora dos códigos do Quita: por boleto, na conta, no balcão. Envie o extrato, o retorno do banco ou a sua planilha, e ninguém é cobrado pelo que já pagou.',
  views: 'O que mostrar',
  file: 'Enviar arquivo',
  open: 'Sem cobrança certa',

  choose: 'Arquivo',
  chooseHint:
    'Planilha (.xlsx ou CSV), extrato OFX ou retorno CNAB 240 ou 400, com até 50.000 linhas e 32 MB. O Quita reconhece o tipo sozinho.',
  check: 'Conferir',
  again: 'Escolher outro arquivo',
  nothingYet: 'Nada é registrado antes de você confirmar.',
  fileProblems: {
    too_short: 'O arquivo está vazio, ou não tem nenhum pagamento.',
    too_long: 'O arquivo tem mais de 50.000 pagamentos. Divida-o em partes.',
    unsupported_format: 'Não é um arquivo que o Quita conheça. Envie .xlsx, CSV, OFX ou o retorno do banco (.ret).',
    invalid_format: 'O arquivo está danificado ou incompleto. Baixe-o de novo no banco ou salve a planilha outra vez.',
    required: 'Não encontramos as colunas. A planilha precisa de data, valor pago, e fatura ou CPF.',
  } as Readonly<Record<string, string>>,
  columns: 'Como as colunas se chamam',
  columnsHint: 'Escreva os títulos como estão na primeira linha da planilha. O que ficar em branco é adivinhado.',
  columnsUnknown: 'Um dos títulos não está na planilha. Confira letra por letra.',
  columnOf: {
    invoiceId: 'Fatura',
    cpf: 'CPF ou CNPJ',
    paidAt: 'Data do pagamento',
    amount: 'Valor pago',
    method: 'Forma de pagamento',
  },
  fileUnread: 'O arquivo não pôde ser lido.',

  checked: 'O que vai acontecer',
  done: 'Feito',
  confirm: (count: number, amount: number) => `Registrar ${payments(count)}: ${formatMoney(amount)}`,
  none: 'Nenhum pagamento novo para registrar.',
  settledNote: (count: number, amount: number) =>
    `${payments(count)} ${count === 1 ? 'registrado' : 'registrados'}: ${formatMoney(amount)}. As pessoas recebem o recibo, e quem pagou tudo não é mais cobrado.`,
  doubtsNote: (count: number) =>
    `${payments(count)} ${count === 1 ? 'espera' : 'esperam'} você: diga de qual cobrança ${count === 1 ? 'é' : 'são'}.`,
  toDoubts: 'Decidir agora',
  figures: {
    matched: 'Certos',
    ambiguous: 'Com dúvida',
    unmatched: 'Sem cobrança',
    known: 'Já registrados',
    invalid: 'Com erro',
  },
  states: {
    all: 'Todas',
    settled: 'Registrado',
    matched: 'Certo',
    ambiguous: 'Com dúvida',
    unmatched: 'Sem cobrança',
    known: 'Já registrado',
    invalid: 'Com erro',
  },
  filter: 'Situação das linhas',
  rows: 'Linhas do arquivo',
  row: 'Linha',
  state: 'Situação',
  invoice: 'Fatura',
  amount: 'Valor',
  paidAt: 'Pago em',
  debt: 'Cobrança',
  openDebt: 'Abrir',
  openDebtOf: (row: number) => ` a cobrança da linha ${row}`,
  more: (count: number) => `Mostrar mais ${formatCount(count)}`,
  codeOf: (code: string): string => CODES[code] ?? code,

  undecidedNone: 'Nenhum pagamento espera por você',
  undecidedNoneText: 'Quando um pagamento não disser com certeza de qual cobrança é, ele aparece aqui.',
  payment: ({ amount }: OrphanPayment) => `Pagamento de ${formatMoney(amount)}`,
  doubtOf: (doubt: string | null): string => (doubt === null ? DOUBT_WITHOUT_NAME : (CODES[doubt] ?? doubt)),
  method: 'Meio',
  source: 'Veio de',
  sources: { file: 'Arquivo enviado', bank: 'Conta no banco' } satisfies Record<OrphanPaymentDetails['source'], string>,
  sentBy: (name: string) => `Arquivo enviado por ${name}`,
  memo: 'O extrato diz',
  endToEnd: 'Identificador do Pix',
  candidates: 'Pode ser de',
  noCandidates: 'Nenhuma cobrança parecida. Se você souber qual é, abra-a em Dívidas e registre o pagamento lá.',
  due: (date: string) => `vencimento ${date}`,
  invoiceOf: (invoice: string) => `fatura ${invoice}`,
  choosePayment: 'É desta cobrança',
  ofNobody: 'Não é de ninguém',
  assigned: 'Pagamento registrado na cobrança.',
  dismissed: 'O pagamento não é mais mostrado.',
  dismissTitle: 'Não é de ninguém?',
  dismissText: 'O pagamento sai desta lista e não volta, mesmo que o arquivo seja enviado de novo.',

  undo: 'Desfazer',
  undoTitle: 'Desfazer este pagamento?',
  undoText: (amount: string) =>
    `O pagamento de ${amount} sai desta dívida, o recibo dele é revogado e a dívida volta a ser o que era. Isso só pode ser feito nos 7 dias depois do registro, para que a pessoa possa confiar no recibo.`,
  undoMore: 'Se ele veio de um arquivo, volta para a lista de pagamentos sem cobrança certa.',
  undone: 'Pagamento desfeito.',
} as const;
